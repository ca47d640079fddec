package agents

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/gittest"
)

// Each form that a prompt shows has every field that the schema demands, and is one
// that can be read.
func TestFormsAreComplete(t *testing.T) {
	t.Parallel()
	var schema struct{ Required []string }
	text, err := prompts.ReadFile("prompts/edit_plan.schema.json")
	gittest.Check(t, err)
	gittest.Check(t, json.Unmarshal(text, &schema))
	slices.Sort(schema.Required)
	for _, role := range []gates.Role{gates.Tester, gates.Implementor, gates.Refactorer, gates.Keeper} {
		b := aBrief(role)
		b.Rules.Type = "docs"
		for _, b.Both = range []bool{false, role == gates.Tester} {
			_, after, _ := strings.Cut(ask(t, b, TaskEdit), `{"plan"`)
			object, _ := balance(`{"plan"` + after)
			var keys map[string]any
			gittest.Check(t, json.Unmarshal([]byte(object), &keys))
			if got := slices.Sorted(maps.Keys(keys)); !slices.Equal(got, schema.Required) {
				t.Errorf("%s: %q in %s", role, got, object)
			}
			edits, _ := keys["edits"].([]any)
			for _, e := range edits {
				if edit, _ := e.(map[string]any); len(edit) != 4 {
					t.Errorf("%s: an edit with %v", role, edit)
				}
			}
			if _, err := ParseEditPlan(object); err != nil {
				t.Errorf("%s: %v", role, err)
			}
		}
	}
}

// Frames of packages are left out also where nobody says which files are the project's.
func TestFramesOfPackages(t *testing.T) {
	t.Parallel()
	got := errorsFirst("Error: no\n    at run (/w/node_modules/run/sum.js:3:1)\n    at go (/w/src/sum.js:9:2)\n", nil, 30, 100)
	if want := "Error: no\n    at go (/w/src/sum.js:9:2)"; got != want {
		t.Errorf("%q", got)
	}
}

// What misled those who had to answer is said otherwise, or not at all.
func TestPromptsDoNotMislead(t *testing.T) {
	t.Parallel()
	refactorer := aBrief(gates.Refactorer)
	refactorer.Idiom, refactorer.Serves = "import a name that does not exist yet inside the test", 1
	refactorer.LastDiff = "--- /dev/null\n+++ b/src/lib.rs\n@@ -0,0 +1 @@\n+pub fn fresh() {}\n"
	text := ask(t, refactorer, TaskEdit)
	for _, never := range []string{"does not exist yet", "being worked on", "+pub fn fresh", "greeting.py", "assert greet"} {
		if strings.Contains(text, never) {
			t.Errorf("refactorer: %q", never)
		}
	}
	begin := aBrief(gates.Tester)
	begin.Begin = 2
	text = ask(t, begin, TaskEdit)
	if aim, rules := strings.Index(text, "Begin with one"), strings.Index(text, "accepted only if"); aim < 0 || aim > rules {
		t.Error("what to begin with is one of the rules by which the step is judged")
	}
	begin.Inline = ""
	if text = ask(t, begin, TaskEdit); strings.Contains(text, "cfg(test)] module inside") {
		t.Error("a language without tests inside its sources is told of Rust's")
	}
	serves := aBrief(gates.Implementor)
	serves.Serves = 2
	if text = ask(t, serves, TaskEdit); !strings.Contains(text, "being worked on: 2\n") || strings.Contains(ask(t, serves.Narrow(), TaskEdit), "The kata says") {
		t.Error("criteria are told twice, or of a kata that is not shown")
	}
	if strings.Contains(text, "How far passing tests cover") || !strings.Contains(ask(t, aBrief(gates.Tester), TaskEdit), "How far passing tests cover") {
		t.Error("only who writes tests needs to know what they cover")
	}
	long := aBrief(gates.Implementor)
	long.Facts.Tests[1].File = strings.Repeat("folder/", 60) + "a_test.go"
	if text = ask(t, long, TaskEdit); !strings.Contains(text, long.Facts.Tests[1].File) {
		t.Error("a path is cut")
	}
	more := []ShownFile{{Path: "a.rs", Editable: true}, {Path: "b.rs"}}
	for want, shown := range map[string][]ShownFile{
		"Of these files you may change only \"a.rs\".": more,
		"You may change all of these files.":           more[:1],
		"You may change none of these files.":          more[1:],
	} {
		p, err := Ask(aBrief(gates.Implementor), []Turn{{Task: TaskEdit, Answer: "{}"}, {Task: TaskMore, More: &More{Shown: shown}}})
		gittest.Check(t, err)
		if last := p.Messages[len(p.Messages)-1].Content; !strings.Contains(last, want) || strings.Contains(last, "files that are shown") {
			t.Errorf("what was asked for is not told apart from what was shown: no %q in\n%s", want, last)
		}
	}
	whole := aBrief(gates.Tester)
	if text = ask(t, whole, TaskEdit); strings.Contains(text, "Nothing left") {
		t.Error("nothing is left, but criteria are")
	}
	for i := range whole.Criteria {
		whole.Criteria[i].Covered, whole.Criteria[i].Whole = true, true
	}
	if text = ask(t, whole, TaskEdit); !strings.Contains(text, "Nothing left, or one failing test; tests only.") || !whole.AllWhole() {
		t.Error("a test is asked for where every criterion is whole")
	}
	if whole.Disputed = "why"; whole.AllWhole() {
		t.Error("a disputed test is left")
	}
	review := Reviewing{Role: "coder", Plays: gates.Tester, Acceptance: true}
	p, err := review.Ask([]Turn{{Task: TaskReview}})
	gittest.Check(t, err)
	if !strings.Contains(said(t, p), "is an acceptance test") {
		t.Error("the reviewer is not told of an acceptance test")
	}
}
