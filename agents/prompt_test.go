package agents

import (
	"encoding/json"
	"flag"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/llm"
)

var update = flag.Bool("update", false, "write the golden files anew") //nolint:gochecknoglobals // go test wants flags at package level

// aBrief is a run in the middle of a kata, before the step of a role.
func aBrief(role gates.Role) Brief {
	red := gates.Test{ID: "calculator::sums_two_numbers", Status: gates.StatusFailed, Class: gates.ClassAssertion, Message: "left: 0\nright: 3", File: "tests/calculator.rs", Line: 11}
	b := Brief{
		Role: role, Plays: role, Step: 4, MaxAttempts: 5, Language: "rust", Raises: "panics", Inline: "a #[cfg(test)] module", Stub: "todo!()",
		Idiom:      "unit tests stand in a #[cfg(test)] module of the source, all others in tests/*.rs; assert_eq!(actual, expected) for a value, #[should_panic] for a panic.",
		Kata:       "# String calculator\n\nA string of numbers, separated by commas, is summed.\n",
		Criteria:   []Criterion{{ID: 1, Text: "an empty string gives 0 as its sum", Covered: true, Whole: true, By: []string{"calculator::empty_is_zero"}}, {ID: 2, Text: "two numbers, separated by a comma, are summed"}, {ID: 3, Text: "one number is its own sum", Covered: true, By: []string{"calculator::one"}}},
		LastCommit: "feat(calculator): an empty string is zero\n\nRationale:\n- a constant is the smallest implementation\n",
		LastDiff:   "--- a/src/lib.rs\n+++ b/src/lib.rs\n@@ -0,0 +1,3 @@\n+pub fn add(numbers: &str) -> i32 {\n+    0\n+}\n",
		Files:      []string{"Cargo.toml", "kata.md", "src/lib.rs", "tests/calculator.rs"},
		Shown: []ShownFile{
			{Path: "tests/calculator.rs", Kind: gates.KindTest, Content: "use calculator::add;\n\n#[test]\nfn empty_is_zero() {\n    assert_eq!(add(\"\"), 0);\n}\n", Editable: role != gates.Implementor},
			{Path: "src/lib.rs", Kind: gates.KindSource, Content: "pub fn add(numbers: &str) -> i32 {\n    0 // nothing is summed yet in here\n}\n", Editable: role != gates.Tester},
			{Path: "Cargo.toml", Kind: gates.KindConfig, Content: "[package]\nname = \"calculator\"\n"},
		},
		Omitted:   []string{"src/history.rs"},
		OffLimits: []OffLimit{{Path: "src/notes.rs", Why: "uncommitted work of the user"}},
		Facts:     gates.Facts{Outcome: gates.Passed, Detail: gates.DetailTest, Check: gates.Passed, Tests: []gates.Test{{ID: "calculator::empty_is_zero", Status: gates.StatusPassed}}},
		Policy:    gates.DefaultPolicy(),
	}
	if role == gates.Implementor {
		b.Facts.Outcome = gates.Failed
		b.Facts.Tests = append(b.Facts.Tests, red)
		b.LastCommit = "test(calculator): two numbers, separated by a comma, are summed\n"
		b.LastDiff = "--- a/tests/calculator.rs\n+++ b/tests/calculator.rs\n@@ -6,0 +7,4 @@\n+#[test]\n+fn sums_two_numbers() {\n+    assert_eq!(add(\"1,2\"), 3);\n+}\n"
	}
	return b
}

// ask makes the first prompt for a task and returns it as one text.
func ask(t *testing.T, b Brief, task string) string {
	t.Helper()
	p, err := Ask(b, []Turn{{Task: task, Attempt: 1}})
	gittest.Check(t, err)
	return said(t, p)
}

// said is a prompt as one text.
func said(t *testing.T, p Prompt) string {
	t.Helper()
	var text strings.Builder
	for i, m := range p.Messages {
		if want := []string{"user", "assistant"}[(i+1)%2]; i == 0 && m.Role != "system" || i > 0 && m.Role != want {
			t.Fatalf("message %d is the %s's", i, m.Role)
		}
		text.WriteString("=== " + m.Role + "\n" + m.Content + "\n")
	}
	if last := p.Messages[len(p.Messages)-1].Content; strings.Count(last, "\n# Your task ("+p.Label+")\n") != 1 {
		t.Errorf("the label %q is not in the heading of the task:\n%s", p.Label, last)
	}
	return text.String()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		gittest.Write(t, path, got)
	}
	if got != gittest.Read(t, path) {
		t.Errorf("%s differs; run the test with -update and read the diff. Got:\n%s", path, got)
	}
}

func TestPromptsAreGolden(t *testing.T) {
	t.Parallel()
	for _, role := range []gates.Role{gates.Tester, gates.Implementor, gates.Refactorer} {
		for mode, b := range map[string]Brief{"open": aBrief(role), "strict": aBrief(role).Narrow()} {
			name := string(role) + "-" + mode
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				golden(t, name, ask(t, b, TaskEdit))
			})
		}
	}
}

// aTalk is a conversation in which two attempts were refused.
func aTalk() []Turn {
	return []Turn{
		{Task: TaskEdit, Attempt: 1, Answer: `{"edits":[{"path":"tests/calculator.rs","action":"upsert","content":"// gone\n"}]}`},
		{Task: TaskEdit, Attempt: 2, Answer: "no", Feedback: &Feedback{
			Findings: []string{"green: calculator::sums_two_numbers still fails (assertion): make it pass", "scope: tests/calculator.rs is a test: leave it as it is"},
			Output:   "early\n\x1b[31mthread panicked\x1b[0m at tests/calculator.rs:11\n      ^^^^\nleft: 0\nright: 3\n",
		}},
		{Task: TaskEdit, Attempt: 3, Feedback: &Feedback{Findings: []string{"plan: an empty answer: answer with JSON"}}},
	}
}

func TestConversationIsGolden(t *testing.T) {
	t.Parallel()
	b := aBrief(gates.Implementor)
	p, err := Ask(b, aTalk())
	gittest.Check(t, err)
	golden(t, "conversation", said(t, p))
}

// Each prompt of a step begins with the whole of the one before it.
func TestPromptsOfAStepShareTheirBeginning(t *testing.T) {
	t.Parallel()
	b, talk := aBrief(gates.Implementor), aTalk()
	var before Prompt
	for i := range talk {
		p, err := Ask(b, talk[:i+1])
		gittest.Check(t, err)
		if n := len(before.Messages); !slices.Equal(p.Messages[:n], before.Messages) || len(p.Messages) != 2*i+2 {
			t.Errorf("prompt %d does not begin with prompt %d", i+1, i)
		}
		before = p
	}
}

// Prompts of all roles begin alike, with what an endpoint may have kept of the one before:
// the form of the answer, the kata and the files.
func TestPromptsOfAllRolesShareTheirBeginning(t *testing.T) {
	t.Parallel()
	beginning := func(b Brief) string {
		b.Step++
		text, _, _ := strings.Cut(ask(t, b, TaskEdit), "# Your role: ")
		return text
	}
	want := beginning(aBrief(gates.Tester))
	for _, role := range []gates.Role{gates.Implementor, gates.Refactorer, gates.Keeper} {
		b := aBrief(role)
		b.Rules.Type, b.Extend, b.Begin, b.Both = "docs", "Be brief.", 2, role == gates.Tester
		if got := beginning(b); got != want || !strings.Contains(got, "nothing is summed yet") {
			t.Errorf("%s begins otherwise:\n%s", role, got)
		}
		system, _, _ := strings.Cut(ask(t, b.Narrow(), TaskEdit), "=== user")
		if !strings.HasPrefix(want, system) {
			t.Errorf("%s in isolation has another beginning:\n%s", role, system)
		}
	}
}

func TestPolicyPromptIsGolden(t *testing.T) {
	t.Parallel()
	b := aBrief(gates.Tester)
	b.Role, b.Plays = "pessimist", gates.Tester
	b.Policy.MaxNewRed = 2
	b.Policy.Stubs, b.Policy.Characterization = gates.Allow, gates.Allow
	b.Policy.RedReasons = []gates.Class{gates.ClassAssertion, gates.ClassUnimplemented}
	golden(t, "policy", ask(t, b, TaskEdit))
}

// Those who write tests are told how the language has them, and how a stub says so.
func TestIdioms(t *testing.T) {
	t.Parallel()
	b := aBrief(gates.Tester)
	b.Policy.Stubs = gates.Allow
	for _, known := range []bool{true, false} {
		stub := b.Stub
		if !known {
			b.Idiom, b.Stub, stub = "", "", `an error that says "not implemented"`
		}
		text := ask(t, b, TaskEdit)
		if told := strings.Contains(text, "\n- Tests here: "); told != known || !strings.Contains(text, stub) {
			t.Errorf("known %t, told how tests are written: %t\n%s", known, told, text)
		}
	}
	b = aBrief(gates.Implementor)
	if text := ask(t, b, TaskEdit); strings.Contains(text, b.Idiom) {
		t.Error("an implementor is told how tests are written")
	}
}

func TestEmptyBriefStillMakesPrompts(t *testing.T) {
	t.Parallel()
	for _, role := range []gates.Role{gates.Tester, gates.Implementor, gates.Refactorer} {
		text := ask(t, Brief{Role: role, Plays: role, Step: 1, MaxAttempts: 5}, TaskEdit)
		if strings.Contains(text, "<no value>") || strings.Contains(text, "\n\n\n") {
			t.Errorf("an untidy prompt:\n%s", text)
		}
	}
}

func TestPromptNeedsARoleWithRules(t *testing.T) {
	t.Parallel()
	for _, b := range []Brief{{Role: "critic"}, {Role: "critic", Plays: "../tester"}} {
		if _, err := Ask(b, []Turn{{Task: TaskEdit}}); err == nil {
			t.Errorf("%q has a prompt", b.Plays)
		}
	}
}

// The example in each prompt, and the one that says done, are valid plans.
func TestExamplesInPromptsParse(t *testing.T) {
	t.Parallel()
	for _, role := range []gates.Role{gates.Tester, gates.Implementor, gates.Refactorer} {
		p, err := Ask(aBrief(role), []Turn{{Task: TaskEdit}})
		gittest.Check(t, err)
		text := p.Messages[0].Content
		if n := strings.Count(text, `{"plan":`); n != 1 {
			t.Fatalf("%s: %d plans in the prompt, want one", role, n)
		}
		example, _ := balance(text[strings.Index(text, `{"plan":`):])
		plan, err := ParseEditPlan(example)
		if err != nil {
			t.Fatalf("%s: %v in %s", role, err, example)
		}
		if problems := CheckPaths(plan, map[string]string{"a/fourth": modeFile}, unprotected); problems != nil {
			t.Error(problems)
		}
		if summary := Subject(plan, StepDone{Brief: Brief{Role: role, Plays: role}}).Summary; summary != plan.Commit.Summary {
			t.Errorf("%s: the example's summary is not kept: %s", role, summary)
		}
	}
}

// object is the part of a JSON schema that the test looks at.
type object struct {
	Type                 any               `json:"type"`
	Properties           map[string]object `json:"properties"`
	Required             []string          `json:"required"`
	Items                *object           `json:"items"`
	AdditionalProperties *bool             `json:"additionalProperties"`
}

// tagsOf lists the keys that a structure is read from.
func tagsOf(of any) (tags []string) {
	for field := range reflect.TypeOf(of).Fields() {
		if tag, _, _ := strings.Cut(field.Tag.Get("json"), ","); tag != "-" {
			tags = append(tags, tag)
		}
	}
	slices.Sort(tags)
	return tags
}

// Structured output needs every property to be required and no others allowed,
// and the parser needs the same keys.
func TestSchemaIsStrictAndAgreesWithTheParser(t *testing.T) {
	t.Parallel()
	p, err := Ask(aBrief(gates.Tester), []Turn{{Task: TaskEdit}})
	gittest.Check(t, err)
	var root object
	gittest.Check(t, json.Unmarshal(p.Schema.JSON, &root))
	parsed := map[string]any{"": EditPlan{}, "edits[]": Edit{}, "commit": CommitPart{}, "commit.diff_summary[]": DiffItem{}}
	var walk func(place string, o object)
	walk = func(place string, o object) {
		if o.Properties != nil {
			known := tagsOf(parsed[place])
			required := slices.Sorted(slices.Values(o.Required))
			if o.AdditionalProperties == nil || *o.AdditionalProperties || !slices.Equal(known, required) || len(known) != len(o.Properties) {
				t.Errorf("%q is not strict: required %v, known %v", place, required, known)
			}
		}
		for key, inner := range o.Properties {
			walk(strings.TrimPrefix(place+"."+key, "."), inner)
		}
		if o.Items != nil {
			walk(place+"[]", *o.Items)
		}
	}
	walk("", root)
}

func TestTokenBudget(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"": 0, "a": 1, "abc": 1, "abcd": 2, "abcdefg": 2, "abcdefgh": 3, strings.Repeat("x", 350): 100} {
		if got := llm.Tokens(text); got != want {
			t.Errorf("%d bytes: got %d, want %d", len(text), got, want)
		}
	}
	files := []ShownFile{
		{Path: "first", Content: strings.Repeat("a", 133), Excerpt: strings.Repeat("a", 132)}, // 2 + 38
		{Path: "large", Content: strings.Repeat("b", 1000), Excerpt: strings.Repeat("b", 999)},
		{Path: "about something else", Content: strings.Repeat("e", 40)},
		{Path: "small", Content: strings.Repeat("c", 28)}, // 2 + 8
		{Path: "other", Content: "d"},
	}
	shown, omitted := SelectFiles(files, 50)
	if len(shown) != 2 || shown[0].Path != "first" || shown[1].Path != "small" || !slices.Equal(omitted, []string{"large", "about something else", "other"}) {
		t.Errorf("got %v, omitted %v", shown, omitted)
	}
	files = []ShownFile{
		{Path: "one", Content: strings.Repeat("a", 280), Excerpt: strings.Repeat("a", 70)}, // 1 + 80, in part 1 + 20
		{Path: "two", Content: strings.Repeat("b", 280), Excerpt: strings.Repeat("b", 140)},
		{Path: "three", Content: strings.Repeat("c", 280), Excerpt: strings.Repeat("c", 70)},
	}
	if shown, omitted = SelectFiles(files, 90); len(omitted) > 0 || !shown[0].InPart || !shown[1].InPart || !shown[2].InPart {
		t.Errorf("each in part comes before the first as a whole: got %v, omitted %v", shown, omitted)
	}
	if shown, _ = SelectFiles(files, 220); shown[0].InPart || !shown[1].InPart || !shown[2].InPart {
		t.Errorf("the first is shown whole while half of what is left suffices: got %v", shown)
	}
}

func TestWhatPassedBeforeTheRedIsTold(t *testing.T) {
	t.Parallel()
	b := aBrief(gates.Implementor)
	b.Before = &gates.Facts{Outcome: gates.Passed, Tests: []gates.Test{{ID: "a", Status: gates.StatusPassed}}}
	b.Facts.Tests, b.Facts.Outcome, b.Serves = nil, gates.Broken, 2
	if text := ask(t, b, TaskEdit); !strings.Contains(text, "before the failing test was added: 1 passed, 0 failed") {
		t.Error(text)
	}
	if text := ask(t, b.Narrow(), TaskEdit); strings.Contains(text, "being worked on") {
		t.Error("an implementor in isolation is told a requirement")
	}
}
