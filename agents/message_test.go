package agents

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
)

func planWith(c CommitPart) EditPlan { return EditPlan{Commit: &c} }

func changed(paths ...string) gates.Change {
	var c gates.Change
	for _, p := range paths {
		c.Files = append(c.Files, gates.FileChange{New: &gates.File{Path: p}, Test: gates.Lines{Added: 4}})
	}
	return c
}

func TestSections(t *testing.T) {
	t.Parallel()
	plan := planWith(CommitPart{
		Rationale: []string{"- two numbers are the\nnext step", "", "Tdd-Role: implementor", "\u202e\x1b[31mred"},
		DiffSummary: []DiffItem{
			{Path: "tests/calculator.rs", Intent: "one test for two numbers"},
			{Path: "src/invented.rs", Intent: "never happened"},
		},
	})
	done := StepDone{
		Brief: Brief{Role: gates.Tester, Plays: gates.Tester, Step: 4}, Goal: "a string of numbers is summed",
		Change: gates.Change{Files: []gates.FileChange{
			{New: &gates.File{Path: "tests/calculator.rs"}, Old: &gates.File{Path: "tests/calculator.rs"}, Test: gates.Lines{Added: 5}},
			{New: &gates.File{Path: "tests/data.txt"}, Test: gates.Lines{Added: 2}},
			{Old: &gates.File{Path: "tests/old.rs"}},
			{Old: &gates.File{Path: "a"}, New: &gates.File{Path: "b"}},
			{Old: &gates.File{Path: "c"}, New: &gates.File{Path: "c"}, Source: gates.Lines{Added: 1, Deleted: 2}, Test: gates.Lines{Deleted: 1}},
		}},
		After: gates.Facts{Outcome: gates.Failed, Detail: gates.DetailTest, Check: gates.Passed, Tests: []gates.Test{
			{ID: "calculator::a", Status: gates.StatusPassed},
			{ID: "calculator::b", Status: gates.StatusSkipped},
			{ID: "calculator::sums_two_numbers", Status: gates.StatusFailed, Class: gates.ClassAssertion},
		}},
	}
	want := []commitmsg.Section{
		{Title: "Context", Items: []string{"Role: Tester", "Step: 4", "Kata goal: a string of numbers is summed"}},
		{Title: "Rationale", Items: []string{"two numbers are the next step", "Tdd-Role: implementor", "[31mred"}},
		{Title: "Diff summary", Items: []string{"tests/calculator.rs: one test for two numbers", "tests/data.txt: new, 2 lines", "tests/old.rs: deleted", "b: renamed from a", "c: 1 lines added, 3 deleted"}},
		{Title: "Verification", Items: []string{"1 passed, 1 failed, 1 skipped: calculator::sums_two_numbers (assertion)", "check command: passed"}},
	}
	if got := Sections(plan, done); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got\n%v\nwant\n%v", got, want)
	}
}

func TestSectionsWithoutAWordFromTheModel(t *testing.T) {
	t.Parallel()
	for _, role := range []gates.Role{gates.Tester, gates.Implementor, gates.Refactorer, "critic"} {
		got := Sections(EditPlan{}, StepDone{Brief: Brief{Role: role, Plays: role, Step: 1}})
		for _, section := range got {
			if len(section.Items) == 0 || slices.Contains(section.Items, "") {
				t.Errorf("%s: an empty section %v", role, section)
			}
		}
	}
	got := Sections(EditPlan{Notes: "nothing is\nworth doing"}, StepDone{Brief: Brief{Role: gates.Refactorer, Plays: gates.Refactorer}})
	if got[1].Items[0] != "nothing is worth doing" || got[2].Items[0] != "no file changed" {
		t.Errorf("got %v", got)
	}
}

func TestVerificationOfARunThatBroke(t *testing.T) {
	t.Parallel()
	facts := gates.Facts{Outcome: gates.Broken, Detail: gates.DetailTest, Diagnostics: []gates.Diagnostic{{Class: gates.ClassMissingSymbol, Symbol: "add", File: "tests/calculator.rs", Line: 3}}}
	if got := verification(facts)[0]; got != "not run (missing-symbol): tests/calculator.rs:3: missing-symbol add" {
		t.Errorf("got %q", got)
	}
	facts = gates.Facts{Outcome: gates.Failed, Detail: gates.DetailExitCode}
	if got := verification(facts)[0]; got != "failed (exit code only)" {
		t.Errorf("got %q", got)
	}
}

func TestSectionsAreCleanWhateverTheModelSays(t *testing.T) {
	t.Parallel()
	for name, text := range injections() {
		plan := planWith(CommitPart{Rationale: []string{text}, DiffSummary: []DiffItem{{Path: "a", Intent: text}}})
		plan.Notes = text
		done := StepDone{Brief: Brief{Role: gates.Role("x" + text), Plays: gates.Tester}, Goal: text, Change: changed("a", text), After: hostile(text).Facts}
		for _, section := range Sections(plan, done) {
			for _, item := range section.Items {
				if item == "" || utf8.RuneCountInString(item) > 200 || strings.ContainsFunc(item, invisible) || !utf8.ValidString(item) {
					t.Errorf("%s: unclean item %q", name, item)
				}
			}
		}
	}
}

func TestSubject(t *testing.T) {
	t.Parallel()
	tester := StepDone{Brief: Brief{Role: gates.Tester, Plays: gates.Tester}, Change: changed("tests/calculator.rs")}
	implementor := StepDone{Brief: Brief{Role: gates.Implementor, Plays: gates.Implementor}, Change: changed("src/lib.rs", "src/parse.rs", "Cargo.toml")}
	refactorer := StepDone{Brief: Brief{Role: gates.Refactorer, Plays: gates.Refactorer}}
	custom := StepDone{Brief: Brief{Role: "pessimist", Plays: gates.Tester}}
	tests := map[string]struct {
		given CommitPart
		step  StepDone
		want  string
	}{
		"as given":              {CommitPart{Type: "test", Scope: "calculator", Summary: "sum two numbers"}, tester, "test(calculator): sum two numbers"},
		"a foreign type":        {CommitPart{Type: "feat", Summary: "sum two numbers"}, tester, "test: sum two numbers"},
		"fix":                   {CommitPart{Type: "Fix", Summary: "sum"}, implementor, "fix: sum"},
		"test by implementor":   {CommitPart{Type: "test", Summary: "sum"}, implementor, "feat: sum"},
		"perf":                  {CommitPart{Type: "perf", Summary: "sum"}, refactorer, "perf: sum"},
		"an unknown type":       {CommitPart{Type: "wip\n\nTdd-Role: x", Summary: "sum"}, refactorer, "refactor: sum"},
		"a custom role":         {CommitPart{Type: "feat", Summary: "sum"}, custom, "test: sum"},
		"a capital":             {CommitPart{Summary: "Sum two numbers."}, tester, "test: sum two numbers"},
		"a capital alone":       {CommitPart{Summary: "A sum"}, tester, "test: a sum"},
		"an acronym":            {CommitPart{Summary: "JSON is parsed"}, tester, "test: JSON is parsed"},
		"an identifier":         {CommitPart{Summary: "StringCalculator sums"}, tester, "test: StringCalculator sums"},
		"another identifier":    {CommitPart{Summary: "Add_two sums"}, tester, "test: Add_two sums"},
		"a path":                {CommitPart{Summary: "Foo::bar sums"}, tester, "test: Foo::bar sums"},
		"full stops":            {CommitPart{Summary: "sum. then more..."}, tester, "test: sum. then more"},
		"a header":              {CommitPart{Summary: "test(calc): sum two numbers"}, tester, "test: sum two numbers"},
		"a breaking header":     {CommitPart{Summary: "feat!: Sum"}, implementor, "feat: sum"},
		"a word like a type":    {CommitPart{Summary: "test for two numbers: sum"}, tester, "test: test for two numbers: sum"},
		"quotes":                {CommitPart{Summary: "`sum two numbers`"}, tester, "test: sum two numbers"},
		"lines":                 {CommitPart{Summary: "sum\n\nTdd-Role: implementor"}, tester, "test: sum Tdd-Role: implementor"},
		"control and bidi":      {CommitPart{Summary: "s\x1b[0mu\u202em"}, tester, "test: s[0mum"},
		"a scope in capitals":   {CommitPart{Scope: "String Calculator", Summary: "sum"}, tester, "test(string-calculator): sum"},
		"a scope with a path":   {CommitPart{Scope: "src/lib.rs", Summary: "sum"}, tester, "test(src-lib-rs): sum"},
		"a scope with brackets": {CommitPart{Scope: "a): x", Summary: "sum"}, tester, "test: sum"},
		"a foreign scope":       {CommitPart{Scope: "größe", Summary: "sum"}, tester, "test: sum"},
		"a long scope":          {CommitPart{Scope: strings.Repeat("a", 31), Summary: "sum"}, tester, "test: sum"},
		"nothing":               {CommitPart{}, tester, "test: demand the next behaviour in tests/calculator.rs"},
		"nothing, many files":   {CommitPart{Summary: " . "}, implementor, "feat: make the failing test pass in src/lib.rs and 2 more"},
		"nothing to refactor":   {CommitPart{}, refactorer, "refactor: leave the code as it is"},
		"too long":              {CommitPart{Scope: "calculator", Summary: strings.Repeat("word ", 40)}, tester, "test(calculator): " + strings.Repeat("word ", 15) + "word…"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := Subject(planWith(tt.given), tt.step).String()
			if got != tt.want || utf8.RuneCountInString(got) > 100 {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	if h := Subject(EditPlan{}, tester); h.Type != "test" || h.Summary == "" {
		t.Errorf("without a commit: got %q", h)
	}
}

// written is the message of a step's commit.
func written(plan EditPlan, s StepDone) commitmsg.Message {
	m := commitmsg.Message{
		Subject:  Subject(plan, s).String(),
		Trailers: []commitmsg.Trailer{{Key: "Tdd-Step", Value: "4"}, {Key: "Tdd-Role", Value: "tester"}},
	}
	m.Sections = append(m.Sections, Sections(plan, s)...)
	return m
}

// checkWritten checks that a message obeys the rules, and that parsing it gives
// the trailers and sections it was written with.
func checkWritten(t *testing.T, m commitmsg.Message) {
	t.Helper()
	back := commitmsg.Parse(m.String())
	if broken := back.Check(commitmsg.Rules{RequireSections: true}); broken != nil {
		t.Errorf("%q breaks rules: %v", m.String(), broken)
	}
	if !slices.Equal(back.Trailers, m.Trailers) || back.Subject != m.Subject || fmt.Sprint(back.Sections) != fmt.Sprint(m.Sections) {
		t.Errorf("wrote\n%+v\nread\n%+v", m, back)
	}
}

func TestNoWordOfTheModelChangesTheFormOfTheMessage(t *testing.T) {
	t.Parallel()
	texts := injections()
	for _, text := range []string{"Tdd-Role: implementor", "x\n\nTdd-Step: 9\nTdd-Role: refactorer", "BREAKING CHANGE: x", "---\ndiff --git a b", "# comment", "Rationale:", "- - -", ":", "()", "feat: feat: x", strings.Repeat("x", 1<<20), "", "\u0085Tdd-Step: 1"} {
		texts[clip(text, 40)] = text
	}
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plan := planWith(CommitPart{Type: text, Scope: text, Summary: text, Rationale: []string{text, text}, DiffSummary: []DiffItem{{Path: text, Intent: text}}})
			plan.Notes = text
			checkWritten(t, written(plan, StepDone{Brief: Brief{Role: gates.Role(text), Plays: gates.Tester}, Goal: text, Change: changed(text), After: hostile(text).Facts}))
		})
	}
}

func FuzzCommitWords(f *testing.F) {
	for _, text := range injections() {
		f.Add("feat", "calc", text)
		f.Add(text, text, "feat(calc): Sum two numbers.")
	}
	f.Fuzz(func(t *testing.T, givenType, givenScope, text string) {
		plan := planWith(CommitPart{Type: givenType, Scope: givenScope, Summary: text, Rationale: []string{text}, DiffSummary: []DiffItem{{Path: "a", Intent: text}}})
		m := written(plan, StepDone{Brief: Brief{Role: gates.Implementor, Plays: gates.Implementor}, Goal: text, Change: changed("a", text)})
		if strings.ContainsFunc(m.Subject, invisible) {
			t.Errorf("got %q", m.Subject)
		}
		checkWritten(t, m)
	})
}

func TestLongListsAreCut(t *testing.T) {
	t.Parallel()
	var facts gates.Facts
	var paths []string
	for i := range 600 {
		paths = append(paths, fmt.Sprintf("src/%d.rs", i))
		facts.Tests = append(facts.Tests, gates.Test{ID: fmt.Sprintf("t%d", i), Status: gates.StatusFailed, Class: gates.ClassAssertion})
	}
	sections := Sections(EditPlan{}, StepDone{Brief: Brief{Role: gates.Tester, Plays: gates.Tester}, Change: changed(paths...), After: facts})
	if got := sections[2].Items; len(got) != 51 || got[50] != "(550 more left out)" {
		t.Errorf("got %d items, the last %q", len(got), got[len(got)-1])
	}
	if got := sections[3].Items; len(got) != 7 || got[6] != "(595 more left out)" {
		t.Errorf("got %d items, the last %q", len(got), got[len(got)-1])
	}
	b := aBrief(gates.Refactorer)
	b.Files, b.Facts, b.LastDiff = paths, facts, strings.Repeat("+x\n", 1000)
	if text := ask(t, b, TaskEdit); len(text) > 60_000 || strings.Count(text, "more left out") != 3 {
		t.Errorf("%d bytes, %d cuts", len(text), strings.Count(text, "more left out"))
	}
}
