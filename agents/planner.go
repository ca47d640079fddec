package agents

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

// TaskPlanKata is what a planner is asked for.
const TaskPlanKata = "plan of the kata"

// Plan is the plan of a kata: three documents in Markdown. The tester is shown what
// is asked for, the others how to build it.
type Plan struct {
	Requirements string
	Tests        string // a list, with what each test waits for
	Analysis     string // patterns to follow, what to clean up
}

// Material is what advisers are shown.
type Material struct {
	Step     int // the one before which a planner plans, or that is reviewed
	Kata     string
	Criteria []Criterion
	Shown    []ShownFile
	Omitted  []string // files that are not shown
	Extend   string   // the project's own words, beside what it is told of how to work
}

// Shrink leaves out the largest file; false if there is none.
func (m *Material) Shrink() bool {
	if len(m.Shown) == 0 {
		return false
	}
	largest := slices.MaxFunc(m.Shown, func(a, b ShownFile) int { return len(a.Content) - len(b.Content) }).Path
	m.Shown = slices.DeleteFunc(slices.Clone(m.Shown), func(f ShownFile) bool { return f.Path == largest })
	m.Omitted = append(slices.Clone(m.Omitted), largest)
	return true
}

// OmittedText lists the files that are not shown.
func (m Material) OmittedText() string { return pathLines(m.Omitted) }

// Architect is what a planner is shown.
type Architect struct {
	Material
	Facts gates.Facts
	// TestsOnly says that it is shown no sources, and asked for no analysis of them.
	TestsOnly bool
}

// Ask makes the prompt for the last of the turns.
func (a Architect) Ask(turns []Turn) (Prompt, error) {
	see := func(q asked) any { return architectView{a, q} }
	return question{step: a.Step, who: "planner", templates: []string{"adviser", "planner"}, schema: "planner", data: see}.ask(turns)
}

// maxDocument limits one document of a plan, and maxListed its tests.
const (
	maxDocument = 8 << 10
	maxListed   = 100
)

type wireTest struct {
	ID        string
	Behaviour string
	Criterion int // 0 for none
	After     []string
}

// ParsePlan reads a planner's answer, which names no files. The error is a *PlanError.
func (a Architect) ParsePlan(answer string) (Plan, error) {
	var keys map[string]json.RawMessage
	if err := readObject(answer, "requirements", &keys); err != nil {
		return Plan{}, err
	}
	for key := range keys {
		if !slices.Contains([]string{"requirements", "analysis", "tests"}, key) {
			return Plan{}, refuse(oneLine(key, 40), "answer with requirements, analysis and tests, and nothing else", "a planner writes documents, and neither files nor code")
		}
	}
	var wire struct {
		Requirements string
		Analysis     string
		Tests        []wireTest
	}
	if err := readObject(answer, "requirements", &wire); err != nil {
		return Plan{}, err
	}
	p := Plan{Requirements: document(wire.Requirements)}
	if !a.TestsOnly {
		p.Analysis = document(wire.Analysis)
	}
	switch {
	case p.Requirements == "":
		return Plan{}, refuse("requirements", "say what the kata asks for", "no text")
	case p.Analysis == "" && !a.TestsOnly:
		return Plan{}, refuse("analysis", "say which patterns to follow and what to clean up", "no text")
	case max(len(p.Requirements), len(p.Analysis)) > maxDocument:
		return Plan{}, refuse("", fmt.Sprintf("stay below %d bytes in each", maxDocument), "a document that nobody reads whole")
	case len(wire.Tests) == 0 || len(wire.Tests) > maxListed:
		return Plan{}, refuse("tests", fmt.Sprintf("list 1 to %d", maxListed), "%d tests", len(wire.Tests))
	}
	var err error
	p.Tests, err = a.list(wire.Tests)
	return p, err
}

// list writes the list of tests. Each waits for earlier ones only.
func (a Architect) list(tests []wireTest) (string, error) {
	var out strings.Builder
	known := map[string]bool{}
	for i, t := range tests {
		at := fmt.Sprintf("tests[%d]", i)
		id, behaviour := oneLine(t.ID, 40), oneLine(t.Behaviour, maxMessage)
		switch {
		case id == "" || known[id]:
			return "", refuse(at+".id", "give each test a short name of its own", "the name %q", id)
		case behaviour == "":
			return "", refuse(at+".behaviour", "say in one line what the test demands", "no text")
		case t.Criterion != 0 && !slices.ContainsFunc(a.Criteria, func(c Criterion) bool { return c.ID == t.Criterion }):
			return "", refuse(at+".criterion", "give the number of a criterion that the kata lists, or null", "the number %d", t.Criterion)
		}
		fmt.Fprintf(&out, "- %s: %s", id, behaviour)
		if t.Criterion != 0 {
			fmt.Fprintf(&out, " (criterion %d)", t.Criterion)
		}
		var after []string
		for _, name := range t.After {
			if name = oneLine(name, 40); !known[name] {
				return "", refuse(at+".after", "let a test wait for tests that stand before it in the list", "the name %q", name)
			}
			after = append(after, name)
		}
		if len(after) > 0 {
			out.WriteString("; after " + strings.Join(after, ", "))
		}
		out.WriteString("\n")
		known[id] = true
	}
	return out.String(), nil
}

// document is a text as a reader sees it, in lines that end; empty if nothing is to be seen.
func document(text string) string {
	var out strings.Builder
	for line := range strings.Lines(strings.TrimSpace(text)) {
		out.WriteString(strings.TrimRight(visible(strings.TrimRight(line, "\r\n")), " \t") + "\n")
	}
	if text = strings.TrimSpace(out.String()); text == "" {
		return ""
	}
	return text + "\n"
}

type architectView struct {
	Architect
	asked
}

func (v architectView) CriteriaText() string { return criteriaText(v.Criteria) }

func (v architectView) FactsText() string {
	return strings.Join(describeFacts(v.Facts), "\n")
}
