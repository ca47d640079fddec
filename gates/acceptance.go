package gates

import (
	"fmt"
	"slices"
	"strings"
)

// OpenTest is an acceptance test that a step opened and that has failed ever since:
// it is known to be red, and no inner green needs it.
type OpenTest struct {
	ID        string `json:"id"`
	Criterion int    `json:"criterion,omitempty"` // 0 if its step names none
	Step      int    `json:"step"`                // that opened it
	Commit    string `json:"commit"`              // of that step
	// Files are those that its step changed; nil where the runner says where it stands.
	Files []string `json:"files,omitempty"`
}

// String names the test and its criterion.
func (o OpenTest) String() string {
	if o.Criterion == 0 {
		return o.ID
	}
	return fmt.Sprintf("%s (criterion %d)", o.ID, o.Criterion)
}

func acceptanceGate() Gate {
	return Gate{
		Name: "acceptance", Who: "all", Judges: func(c *Case) bool {
			claims := len(c.Message.All(KeyAcceptance)) + len(c.Message.All(KeyAccepted))
			return c.Opens() || claims+len(c.open()) > 0 || slices.ContainsFunc(c.Merged, func(s Side) bool { return len(s.Open) > 0 })
		},
		Doc: `An acceptance test is the outer loop of a criterion: a tester adds it in a step
of its own ("Tdd-Outcome: acceptance", "Tdd-Criterion: N"), red for a right
reason and without keeping any other test from running. It opens no inner red,
and stays open, known to be red, until the inner cycles are done. While it is
open nobody deletes, moves, skips, rewrites or weakens it, nor what it uses, and
it goes on failing for a right reason; only an implementor's step, or a merge,
lets it pass. It is taken back by a revert of its step, by "Tdd-Outcome:
disputed", or together with its behaviour ("Tdd-Outcome: retired"). Agents open
one at a time, and only where gates.double_loop is on.

Why: it says when a criterion is met, and nobody's word does. It can wait only
if nobody can bend it meanwhile.

To satisfy it: give the acceptance test a file of its own, call what is there
already, and leave it alone until the sources let it pass.`,
		Static: mayOpen,
		Run: func(c *Case) []Finding {
			return slices.Concat(keptOpen(c), mergedOpen(c), arrived(c), acceptanceClaims(c))
		},
	}
}

// Opens reports whether a commit opens an acceptance test, or mends one that is
// disputed.
func (c *Premise) Opens() bool {
	return c.Plays == Tester && (c.Special == Acceptance || c.Disputes() && c.Dispute.Of != "")
}

// open lists the acceptance tests that are open before the commit. One that is
// disputed is judged as if it had never been.
func (c *Premise) open() []OpenTest {
	return slices.DeleteFunc(slices.Clone(c.Position.Open), func(o OpenTest) bool { return o.ID == c.Dispute.Of })
}

// findOpen finds an acceptance test among some that are open.
func findOpen(tests []OpenTest, id string) (OpenTest, bool) {
	return Find(tests, func(o OpenTest) bool { return o.ID == id })
}

// isOpen reports whether an acceptance test is open before the commit.
func (c *Premise) isOpen(id string) bool {
	_, open := findOpen(c.open(), id)
	return open
}

// Accepted lists the open acceptance tests that pass now.
func (c *Case) Accepted() []Test {
	now := Each(c.open(), func(o OpenTest) Test {
		t, _ := c.After.Lookup(o.ID)
		return t
	})
	return slices.DeleteFunc(now, func(t Test) bool { return t.Status != StatusPassed })
}

// keptOpen requires that the open acceptance tests stay what they are: they fail
// for a right reason, or pass.
func keptOpen(c *Case) []Finding {
	var out []Finding
	for _, o := range c.open() {
		if slices.Contains(c.Withdrawn, o.ID) {
			out = append(out, Finding{Test: o.ID, Note: true, Seen: "the open acceptance test is taken back", Remedy: "its criterion is to be met without it"})
			continue
		}
		was, _ := c.reference().Lookup(o.ID)
		now, there := c.After.Lookup(o.ID)
		f := Finding{Path: was.File, Test: o.ID, Remedy: fmt.Sprintf("leave it as step %d made it until it passes; one that is wrong is mended or taken back (test: … with %s: %s)", o.Step, KeyOutcome, Disputed)}
		switch {
		case !there && c.After.Complete() && !c.Merge && !c.Retires():
			f.Seen = "the open acceptance test is gone, or has another name or place"
		case now.Status == StatusFailed && !slices.Contains(c.Policy.RedReasons, now.Class) && now.Class != was.Class:
			f.Seen, f.Remedy = fmt.Sprintf("the open acceptance test fails for a wrong reason now (%s): %s", now.Class, Gist(now.Message)), wrongReasonRemedy(&c.Premise)
		case c.hides(o):
			f.Seen = "under the commands that this commit brings the open acceptance test no longer fails"
		case c.Merge || c.FixupOpens || c.Retires() && !there:
			continue
		default:
			if f.Path, f.Seen = c.bends(c.Change, was, o.Files); f.Seen == "" {
				continue
			}
		}
		out = append(out, f)
	}
	return out
}

// hides reports whether new commands of the project no longer show that an open
// acceptance test fails.
func (c *Case) hides(o OpenTest) bool {
	if c.Own == nil {
		return false
	}
	now, _ := c.After.Lookup(o.ID)
	own, ran := c.Own.Lookup(o.ID)
	return ran && now.Status == StatusFailed && own.Status != StatusFailed
}

// bends says how a change alters an open acceptance test, or what it uses; empty
// if it does not. What it shares with others, and what helps it, may grow.
func (c *Case) bends(change Change, t Test, homes []string) (path, seen string) {
	if t.File != "" {
		homes = []string{t.File}
	}
	rest := func(f *File) string { return strings.Join(betweenTests(f), "\n") }
	for _, f := range change.Files {
		if f.Old == nil {
			continue
		}
		name := f.Old.Declares(t.ID)
		home := slices.Contains(homes, f.Old.Path)
		mine := name != "" && (home || t.File == "")
		switch {
		case mine && ownText(f.New, name) == "":
			return f.Path(), "the open acceptance test is gone from its file"
		case mine && ownText(f.Old, name) != ownText(f.New, name):
			return f.Path(), "the open acceptance test reads otherwise now"
		case mine && f.New != nil && mentions(f.New, name) > mentions(f.Old, name):
			return f.Path(), "the name of the open acceptance test stands in its file once more, and the later one counts"
		case mine && f.New != nil && len(moreLines(rest(f.Old), rest(f.New))) > 0:
			return f.Path(), "what stands beside the open acceptance test in its file changes"
		case home && name == "" && (f.New == nil || sideOf(f.Old).Test != sideOf(f.New).Test):
			return f.Path(), "the file of the open acceptance test changes"
		case sideOf(f.Old).Kind == KindSupport && c.helps(f, homes):
			return f.Path(), "the open acceptance test uses this file"
		}
	}
	return "", ""
}

// mentions counts the lines of a file's tests that have a name.
func mentions(f *File, name string) int {
	return len(slices.DeleteFunc(trimmed(f.Test), func(line string) bool { return wordAt(line, name) < 0 }))
}

// helps reports whether a change takes something out of a file that an acceptance
// test uses, or alters data that it reads.
func (c *Case) helps(f FileChange, homes []string) bool {
	if !slices.ContainsFunc(homes, func(home string) bool { return c.uses(home, f.Old.Path) }) {
		return false
	}
	return f.New == nil || f.Renamed() || f.Old.IsData() && sideOf(f.Old).Test != sideOf(f.New).Test || f.Old.Binary || len(moreLines(sideOf(f.Old).Test, sideOf(f.New).Test)) > 0
}

// arrived tells which acceptance tests pass now, and refuses that anything but an
// implementor's step, a merge or a revert lets them.
func arrived(c *Case) []Finding {
	var out []Finding
	for _, t := range c.Accepted() {
		f := Finding{Path: t.File, Line: t.Line, Test: t.ID, Seen: "the open acceptance test passes by this commit"}
		if c.Plays == Implementor || c.Merge || c.Restores != "" {
			f.Note, f.Remedy = true, "from now on it is a test like any other"
			if o, _ := findOpen(c.open(), t.ID); o.Criterion > 0 {
				f.Seen = fmt.Sprintf("the acceptance test of criterion %d passes by this commit", o.Criterion)
			}
		} else {
			f.Remedy = "let an implementor's step make it pass (feat: or fix:); nothing else shows that the sources do"
		}
		out = append(out, f)
	}
	return out
}

// acceptanceClaims checks what the trailers say about acceptance tests.
func acceptanceClaims(c *Case) []Finding {
	step, ok := ParseStep(c.Message)
	if !ok || !c.After.Finished() || c.After.Outcome == "" {
		return nil
	}
	var reds []Red
	if c.Opens() && !c.Withdraws() {
		reds, _ = Reds(c)
	}
	var passing string
	if c.Plays == Implementor {
		passing = joined(c.Accepted(), Test.Name)
	}
	var out []Finding
	differ := func(key, seen, want string) {
		if seen != want {
			out = append(out, objection(fmt.Sprintf("%s says %q, but measured was %q", key, seen, want), trailersRemedy))
		}
	}
	differ(KeyAcceptance, joined(step.Acceptance, Red.String), joined(reds, Red.String))
	differ(KeyAccepted, strings.Join(step.Accepted, ", "), passing)
	return out
}

// opening judges the test of a step that opens an acceptance test: red, as any
// other, but for those that keep others from running.
func opening(c *Case) []Finding {
	switch {
	case !c.After.Complete():
		return complaints("the acceptance test keeps tests from running", c.After.Diagnostics,
			"it stays red while others run: put it into a file or package of its own that compiles, call what is there already, or let it fail as unimplemented")
	case c.After.Detail == DetailExitCode:
		return []Finding{objection("the runner does not tell tests apart, so a test that stays red would hide all others",
			"leave "+KeyOutcome+" out, or test with a runner that names its tests (ci.test_cmd, ci.report)")}
	}
	reds, out := Reds(c)
	if len(out) == 0 && len(reds) == 0 {
		out = nothingRed(c)
	}
	out = append(out, remarks(c)...)
	for _, r := range reds {
		if _, old := c.follow(c.Before, c.After).was[r.ID]; old {
			out = append(out, Finding{Test: r.ID, Seen: "the acceptance test is one that was there before", Remedy: "leave that as it was, and add a new one"})
		}
	}
	if len(reds) > 1 {
		out = append(out, objection(fmt.Sprintf("%d new failing tests: %s", len(reds), Few(reds, Red.test)),
			"keep one; an acceptance test has a step of its own"))
	}
	return slices.Concat(out, stubReds(&c.Premise, reds), redCheck(c, reds), claims(c, nil))
}

// mayOpen says why a commit may not open an acceptance test.
func mayOpen(c *Premise) []Finding {
	if c.Special != Acceptance || c.Plays != Tester {
		return nil
	}
	var out []Finding
	ids, _ := Criteria(c.Message)
	if n := len(c.Listed); n > 0 && (len(ids) != 1 || !slices.Contains(c.Listed, ids[0])) {
		out = append(out, objection("an acceptance test that names no criterion of the kata, or several",
			fmt.Sprintf("name its one criterion: --trailer %q (git tdd status lists them)", KeyCriterion+": "+fmt.Sprint(c.Listed[0]))))
	}
	if c.Agent && c.Policy.DoubleLoop != On {
		out = append(out, Finding{Seen: "an acceptance test by an agent; the policy does not ask for one", Remedy: "write an ordinary failing test, or set gates.double_loop: on in a commit of its own"})
	}
	for _, o := range c.open() {
		f := about(Test{ID: o.ID}, fmt.Sprintf("the acceptance test of step %d is open", o.Step), "let that one pass first, by inner cycles")
		f.Note = !c.Agent
		out = append(out, f)
	}
	return out
}
