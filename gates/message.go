package gates

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

func messageGate() Gate {
	return Gate{
		Name: "message", Who: "all", Judges: always,
		Doc: `The message is a conventional commit: "type(scope): summary", at most 100
characters, lower-case type. An agent's message also has the sections Context,
Rationale, Diff summary and Verification. The trailers of a step stand in the
last paragraph, number the step one above the previous, and name the role, the
cycle and the phase that the type and the history imply. A criterion that it names
is one that the kata lists, if that lists any.

Where docs, style or ci, which promise no other behaviour, change more of the
sources than comments and layout, it is told.

Why: role and step are read from these lines; history is the only state.

To satisfy it: write "test: …" for a failing test, "feat: …" or "fix: …" to make
it pass, "refactor: …" to tidy up, and leave the trailers to git-tdd. A breaking
change is announced as "BREAKING-CHANGE:" with a hyphen, because git reads no
trailer in a paragraph that has a line it cannot read.`,
		Static: func(c *Premise) []Finding {
			example := Tester
			if c.OnRed() {
				example = Implementor
			}
			rules := commitmsg.Rules{RequireSections: c.Agent, Type: TypesOf(example)[0]}
			said := Each(c.Message.Check(rules), func(v commitmsg.Violation) Finding { return objection(v.Seen, v.Remedy) })
			return slices.Concat(said, adrift(c), outcome(c), unlisted(c), numbering(c), promised(c))
		},
	}
}

// adrift refuses a fixup!, squash! or amend! of a commit that is not there: nothing
// says what it may touch, and no rebase would ever fold it in.
func adrift(c *Premise) []Finding {
	if !c.Adrift {
		return nil
	}
	return []Finding{objection(fmt.Sprintf("%q names no commit of this history", c.Message.Subject),
		"name an earlier commit by its subject, as git commit --fixup does, or give the commit a type of its own")}
}

// promised tells of code that a commit changes whose type promises that none does.
func promised(c *Premise) []Finding {
	header, err := commitmsg.ParseHeader(c.Message.Subject)
	if err != nil || c.Plays != "" || c.Merge || !slices.Contains([]string{"docs", "style", "ci"}, header.Type) {
		return nil
	}
	f, alters := Find(c.Change.Files, func(f FileChange) bool { return f.Alters && !Aside(f.Path()) })
	if !alters {
		return nil
	}
	seen := fmt.Sprintf("%q promises that no behaviour changes, and here more changes than comments and layout", header.Type+":")
	return []Finding{note(Test{File: f.Path()}, seen, "commit code that does the same as refactor:, and what does something else as a step (test:, then feat: or fix:)")}
}

// Aside reports whether a file lies where what documents, builds or measures a program lies.
func Aside(path string) bool { return asidePattern.MatchString(path) }

var asidePattern = lazyregexp.New(`(?i)(?:^|/)(?:docs?|examples?|scripts?|tools?|bench(?:es|marks?)?|\.[^/]+)/`)

// outcome checks what a commit declares itself to be: it must be a known word,
// and one that the role may use.
func outcome(c *Premise) []Finding {
	var may bool
	var who string
	remedy := "leave the trailer out"
	switch c.Special {
	case Ordinary, Unguarded, Complete:
		return nil
	case Squashed:
		may, who, remedy = !c.Agent, " by an agent", "commit each step by itself, and merge them with --no-ff"
	case Skipped:
		may, who = c.Plays == Refactorer || c.Plays == Keeper, " is for a refactorer only"
	case Characterization, Acceptance:
		may, who = c.Plays == Tester, " is for a tester only"
	case Disputed:
		may, who = c.Disputes(), " is for a tester's step on an open red, or an open acceptance test"
	case Retired:
		may, who = c.Retires(), " is for a person's refactoring, or a commit outside the loop"
	default:
		return []Finding{objection(fmt.Sprintf("%s is %q, which is none of %s, %s, %s, %s, %s, %s, %s, %s", KeyOutcome, c.Special, Skipped, Characterization, Acceptance, Retired, Disputed, Squashed, Unguarded, Complete),
			"write one of those, or leave the trailer out")}
	}
	if may {
		return nil
	}
	return []Finding{{Seen: fmt.Sprintf("%s: %s%s", KeyOutcome, c.Special, who), Remedy: remedy}}
}

// numbering checks the trailers of a step, if the message has any, against the
// position.
func numbering(c *Premise) []Finding {
	step, ok := ParseStep(c.Message)
	if _, claims := c.Message.Get(KeyStep); !ok {
		if claims {
			return []Finding{{Seen: KeyStep + " is not a positive number", Remedy: "leave the trailers to git-tdd"}}
		}
		return nil
	}
	if !c.inLoop() {
		return []Finding{objection(fmt.Sprintf("a commit outside the loop carries %s: %d", KeyStep, step.Number),
			"take the trailer away, or give the commit the type of a role")}
	}
	want := c.Next()
	if step.Phase == PhaseCycle && want.Phase != PhaseCycle && c.Policy.Pace != PaceCycles {
		return []Finding{objection(fmt.Sprintf("%s is %s, but here red and green are steps of their own (gates.pace)", KeyPhase, PhaseCycle),
			"take it apart: git tdd split")}
	}
	var out []Finding
	differ := func(key string, seen, expected any) {
		if seen != expected {
			out = append(out, objection(fmt.Sprintf("%s is %v, but the history implies %v", key, seen, expected),
				trailersRemedy))
		}
	}
	differ(KeyStep, step.Number, want.Number)
	differ(KeyRole, step.Role, want.Role)
	differ(KeyCycle, step.Cycle, want.Cycle)
	differ(KeyPhase, step.Phase, want.Phase)
	return out
}

// trailersRemedy is the way on where trailers say of a commit what is not so, because
// somebody wrote them or because it had other commits below it.
const trailersRemedy = "after a rebase, `git tdd renumber` measures and writes the trailers anew; leave them to git-tdd otherwise"

// claims checks what the trailers say about the tests against the facts.
func claims(c *Case, reds []Red) []Finding {
	step, ok := ParseStep(c.Message)
	if !ok {
		return nil
	}
	var out []Finding
	differ := func(test, seen string) {
		out = append(out, Finding{Test: test, Seen: seen, Remedy: trailersRemedy})
	}
	if text := TestsText(c.After); step.Tests != "" && step.Tests != text {
		differ("", fmt.Sprintf("%s claims %q, but measured was %q", KeyTests, step.Tests, text))
	}
	for _, r := range step.Red {
		if !slices.ContainsFunc(reds, r.reads) {
			differ(r.ID, fmt.Sprintf("%s claims %q, but that is not what failed", KeyRed, r))
		}
	}
	for _, r := range reds {
		if !slices.ContainsFunc(step.Red, r.reads) {
			differ(r.ID, fmt.Sprintf("%s does not name %q, which failed", KeyRed, r))
		}
	}
	return out
}

// Extent says how much of an acceptance criterion the passing tests cover once
// those of a step pass. A step that does not say counts as whole.
type Extent string

// The extents.
const (
	Part  Extent = "part"
	Whole Extent = "whole"
)

// criterionPattern is the value of a Tdd-Criterion trailer: "2", "2 (part)".
var criterionPattern = lazyregexp.New(`^([0-9]{1,9})(?: \((part|whole)\))?$`)

// Criteria reads the acceptance criteria that a commit says it serves, and how far
// it says that they are covered.
func Criteria(m commitmsg.Message) (ids []int, covered map[int]Extent) {
	for _, v := range m.All(KeyCriterion) {
		found := criterionPattern().FindStringSubmatch(v)
		if found == nil {
			continue
		}
		id, _ := strconv.Atoi(found[1])
		ids = append(ids, id)
		if found[2] != "" {
			if covered == nil {
				covered = map[int]Extent{}
			}
			covered[id] = Extent(found[2])
		}
	}
	return ids, covered
}

// unlisted refuses a criterion that the kata does not list, where it lists any.
func unlisted(c *Premise) []Finding {
	ids, _ := Criteria(c.Message)
	ids = slices.DeleteFunc(ids, func(id int) bool { return len(c.Listed) == 0 || slices.Contains(c.Listed, id) })
	return Each(ids, func(id int) Finding {
		return objection(fmt.Sprintf("%s is %d, but the kata lists %s", KeyCriterion, id, strings.Trim(fmt.Sprint(c.Listed), "[]")),
			"name one that it lists (git tdd status), add this one to the kata, or leave the trailer out")
	})
}
