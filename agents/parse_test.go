package agents

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

const onePlan = `{"edits":[{"path":"src/lib.rs","action":"upsert","content":"pub fn add() {}\n"}],
 "commit":{"type":"feat","scope":"calc","summary":"add","rationale":["r"],"diff_summary":[{"path":"src/lib.rs","intent":"i"}]},
 "notes":"n","done":false,"criterion":2}`

func TestParseEditPlanReadsEveryField(t *testing.T) {
	t.Parallel()
	plan, err := ParseEditPlan(onePlan)
	gittest.Check(t, err)
	got := fmt.Sprintf("%+v %+v", plan.Edits, *plan.Commit)
	want := "[{Path:src/lib.rs Action:upsert Old: Content:pub fn add() {}\n}] {Type:feat Scope:calc Summary:add Rationale:[r] DiffSummary:[{Path:src/lib.rs Intent:i}]}"
	if got != want || plan.Notes != "n" || plan.Done || plan.Criterion != 2 {
		t.Errorf("got %s, %+v", got, plan)
	}
}

// Who proposes something could do without what it asks for.
func TestParseEditPlanNeed(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]int{
		`{"need":["a"," "]}`: 1, `{"need":["a"],"done":true}`: 0, `{"need":["a"],"edits":[{"path":"a","action":"delete"}]}`: 0,
	} {
		plan, err := ParseEditPlan(answer)
		gittest.Check(t, err)
		if len(plan.Need) != want {
			t.Errorf("%s: %q", answer, plan.Need)
		}
	}
	if _, err := ParseEditPlan(`{"need":[" "],"edits":[]}`); err == nil {
		t.Error("nothing is asked for, and nothing proposed")
	}
}

func TestParseEditPlanTolerates(t *testing.T) {
	t.Parallel()
	fence := "```"
	small := `{"edits":[{"path":"a","action":"upsert","content":"x"}]}`
	tests := map[string]string{
		"bare":                     onePlan,
		"byte order mark":          "\uFEFF" + onePlan,
		"white space":              "\n\n  " + onePlan + "\n\n",
		"fence":                    fence + "json\n" + onePlan + "\n" + fence,
		"fence without a language": fence + "\n" + onePlan + "\n" + fence,
		"fence never closed":       fence + "json\n" + onePlan,
		"tilde fence":              "~~~json\n" + onePlan + "\n~~~",
		"prose before":             "Sure! Here is the plan:\n\n" + onePlan,
		"prose after":              onePlan + "\n\nThis makes the test pass because {reasons}.",
		"prose with code before":   "I write `fn add() { 1 }` and `println!(\"{}\", x)`.\n" + onePlan,
		"prose with another json":  "The config is {\"language\":\"rust\"}.\n" + onePlan,
		"prose with broken json":   "Before it was {\"a\" 1}.\n" + onePlan,
		"code after":               onePlan + "\n" + fence + "rust\nfn x() { let y = \"}\"; }\n" + fence,
		"much code after":          onePlan + strings.Repeat("\nfn x() {}", 500),
		"thinking":                 "<think>maybe {\"edits\":[]} or so</think>\n" + onePlan,
		"thinking, tag swallowed":  "maybe " + small + "\nno.\n</think>\n\n" + onePlan,
		"trailing comma in object": strings.Replace(onePlan, `"criterion":2}`, `"criterion":2,}`, 1),
		"trailing comma in list":   strings.Replace(onePlan, `\n"}],`, `\n"},],`, 1),
		"trailing comma, spread":   strings.Replace(onePlan, `"criterion":2}`, "\"criterion\":2 ,\n\t}", 1),
		"missing commit":           `{"edits":[{"path":"a","action":"upsert","content":"x"}],"notes":"n","done":false}`,
		"null commit":              `{"edits":[{"path":"a","action":"upsert","content":"x"}],"commit":null,"notes":null,"done":false,"criterion":null}`,
		"only edits":               small,
		"need":                     `{"need":["src/lib.rs","add"],"edits":[],"commit":null,"done":false}`,
		"need alone":               `{"need":["src/lib.rs"]}`,
		"empty file":               `{"edits":[{"path":"pkg/__init__.py","action":"upsert","content":""}]}`,
		"delete":                   `{"edits":[{"path":"a","action":"delete"}]}`,
		"delete, null content":     `{"edits":[{"path":"a","action":"delete","content":null}]}`,
		"delete, empty content":    `{"edits":[{"path":"a","action":"delete","content":""}]}`,
		"done":                     `{"edits":[],"done":true,"notes":"nothing left"}`,
		"done without edits":       `{"done":true}`,
		"done, null edits":         `{"edits":null,"done":true}`,
		"keys in another order":    `{"done":false,"commit":null,"edits":[{"content":"x","action":"upsert","path":"a"}]}`,
		"append":                   `{"edits":[{"path":"a","action":"append","content":"x"}]}`,
		"append, null old":         `{"edits":[{"path":"a","action":"append","old":null,"content":"x"}]}`,
		"replace by nothing":       `{"edits":[{"path":"a","action":"replace","old":"x","content":""}]}`,
		"parts of one file":        `{"edits":[{"path":"a","action":"replace","old":"x","content":"y"},{"path":"a","action":"append","content":"z"}]}`,
		"a fence in the content":   `{"edits":[{"path":"R.md","action":"upsert","content":"` + fence + `json\n{}\n` + fence + `"}]}`,
		"a plan in the content":    `{"edits":[{"path":"a.json","action":"upsert","content":"{\"edits\":[],\"done\":true}"}]}`,
		"commas in the content":    `{"edits":[{"path":"a","action":"upsert","content":"[1,]{2,}"}]}`,
		"carriage returns":         strings.ReplaceAll(onePlan, "\n", "\r\n"),
		"escapes":                  `{"edits":[{"path":"a","action":"upsert","content":"\"\\\/\f\n\r\t\u00e9\ud83d\ude00 \\ud800"}]}`,
	}
	for name, answer := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := ParseEditPlan(answer); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestParseEditPlanKeepsContentByteForByte(t *testing.T) {
	t.Parallel()
	content := "\uFEFFa\r\nb,}\u202E\u00a0 \\n \"q\" ```\n</think>\n{\"edits\":[,]}\t"
	encoded, err := json.Marshal(content)
	gittest.Check(t, err)
	plan, err := ParseEditPlan("prose\n```json\n" + `{"edits":[{"path":"a","action":"upsert","content":` + string(encoded) + `,},],}` + "\n```")
	gittest.Check(t, err)
	if plan.Edits[0].Content != content {
		t.Errorf("got %q, want %q", plan.Edits[0].Content, content)
	}
}

func TestParseEditPlanRefuses(t *testing.T) {
	t.Parallel()
	edit := func(inner string) string { return `{"edits":[` + inner + `]}` }
	tests := map[string]struct{ answer, want string }{
		"empty":              {"", "empty answer"},
		"only white space":   {" \n\t", "empty answer"},
		"only thinking":      {"<think>hm</think>", "empty answer"},
		"endless thinking":   {"<think>hm, first I", "in the middle of its <think> block"},
		"prose":              {"I cannot do that.", "no JSON object"},
		"code only":          {"```rust\nfn main() {\n}\n```", "no JSON object"},
		"a list":             {`[{"path":"a","action":"upsert","content":"x"}]`, "no JSON object"},
		"wrapped":            {`{"plan":{"edits":[{"path":"a","action":"delete"}]}}`, "no JSON object"},
		"a string":           {`"{\"done\":true}"`, "no JSON object"},
		"invalid UTF-8":      {"{\"edits\":[{\"path\":\"a\",\"action\":\"upsert\",\"content\":\"\xff\"}]}", "not UTF-8"},
		"two plans":          {onePlan + "\nor rather\n" + onePlan, `2 JSON objects with "edits"`},
		"plan and done":      {onePlan + `{"done":true}`, `2 JSON objects with "edits"`},
		"nothing":            {`{"edits":[]}`, "no edits, and not done"},
		"nothing, not done":  {`{"edits":[],"done":false}`, "no edits, and not done"},
		"cut in content":     {`{"edits":[{"path":"a","action":"upsert","content":"fn ma`, "ends in the middle of its JSON"},
		"cut in second":      {`{"edits":[{"path":"a","action":"delete"},{"path":"b","act`, "ends in the middle of its JSON"},
		"cut in an escape":   {`{"edits":[{"path":"a","action":"upsert","content":"x\`, "ends in the middle of its JSON"},
		"cut after edits":    {`{"edits":[{"path":"a","action":"delete"}],"commit":{"type":"feat"`, "ends in the middle of its JSON"},
		"cut at the start":   {"Here:\n{", "ends in the middle of its JSON"},
		"cut in a fence":     {"```json\n" + onePlan[:60] + "\n```", "broken JSON near"},
		"unknown top key":    {`{"edits":[],"done":true,"tools":[]}`, `unknown field "tools"`},
		"unknown edit key":   {edit(`{"path":"a","action":"upsert","content":"x","mode":"0777"}`), `unknown field "mode"`},
		"unknown commit key": {`{"commit":{"trailers":"x"},"done":true}`, `unknown field "trailers"`},
		"edits while done":   {`{"edits":[{"path":"a","action":"upsert","content":"x"}],"done":true}`, "done: edits, and done"},
		"unknown action":     {edit(`{"path":"a","action":"patch","content":"x"}`), `unknown action "patch"`},
		"missing old":        {edit(`{"path":"a","action":"replace","content":"x"}`), `edits[0].old: no old text for "a"`},
		"old of a whole":     {edit(`{"path":"a","action":"upsert","old":"x","content":"y"}`), `edits[0].old: old text for the action "upsert"`},
		"append nothing":     {edit(`{"path":"a","action":"append"}`), `no content for "a"`},
		"part and whole":     {edit(`{"path":"a","action":"append","content":"1"},{"path":"a","action":"upsert","content":"2"}`), `edits[1].path: "a" again`},
		"whole and part":     {edit(`{"path":"a","action":"delete"},{"path":"a","action":"append","content":"2"}`), `edits[1].path: "a" again`},
		"action in capitals": {edit(`{"path":"a","action":"DELETE"}`), `unknown action "DELETE"`},
		"missing action":     {edit(`{"path":"a","content":"x"}`), `unknown action ""`},
		"missing path":       {edit(`{"action":"delete"}`), "edits[0].path: no path"},
		"missing content":    {edit(`{"path":"a","action":"upsert"}`), `no content for "a"`},
		"null content":       {edit(`{"path":"a","action":"upsert","content":null}`), `no content for "a"`},
		"delete with text":   {edit(`{"path":"a","action":"delete","content":"x"}`), "to be deleted"},
		"duplicate path":     {edit(`{"path":"a","action":"upsert","content":"1"},{"path":"a","action":"delete"}`), `edits[1].path: "a" again`},
		"\\b in content":     {edit(`{"path":"a","action":"append","content":"\bword\b"}`), "a backspace"},
		"NUL in content":     {edit(`{"path":"a","action":"upsert","content":"\u0000"}`), "a NUL byte"},
		"edits an object":    {`{"edits":{"path":"a"}}`, "edits: a JSON object – give a list here"},
		"edits a string":     {`{"edits":"none","done":true}`, "edits: a JSON string – give a list here"},
		"an edit a string":   {`{"edits":["a"]}`, "a JSON string – give an object here"},
		"path a number":      {edit(`{"path":1,"action":"delete"}`), "give a string here"},
		"content a list":     {edit(`{"path":"a","action":"upsert","content":["x"]}`), "give a string here"},
		"done a string":      {`{"done":"yes"}`, "done: a JSON string – give true or false here"},
		"criterion a string": {`{"done":true,"criterion":"1"}`, "criterion: a JSON string – give an integer here"},
		"criterion a half":   {`{"done":true,"criterion":1.5}`, "give an integer here"},
		"covered otherwise":  {`{"done":true,"criterion":1,"covered":"mostly"}`, `the unknown word "mostly"`},
		"dispute and edits":  {`{"edits":[{"path":"a","action":"delete"}],"dispute":"no"}`, "a dispute, and something else"},
		"dispute and done":   {`{"edits":[],"done":true,"dispute":"no"}`, "a dispute, and something else"},
		"a blank dispute":    {`{"edits":[],"dispute":" "}`, "no edits, and not done"},
		"rationale a string": {`{"done":true,"commit":{"rationale":"x"}}`, "give a list here"},
		"commit a string":    {`{"done":true,"commit":"feat: x"}`, "give an object here"},
		"raw line break":     {"{\"edits\":[{\"path\":\"a\",\"action\":\"upsert\",\"content\":\"a\nb\"}]}", `write a line break as \n`},
		"bad escape":         {edit(`{"path":"a","action":"upsert","content":"\d+"}`), `write a backslash as \\`},
		"unescaped quote":    {edit(`{"path":"a","action":"upsert","content":"say "hi" now"}`), `write " as \"`},
		"single quotes":      {`{"edits":[{'path':'a'}]}`, "between double quotes"},
		"backticks":          {"{\"edits\":[{\"path\":\"a\",\"content\":`x`}]}", "between double quotes"},
		"triple quotes":      {`{"edits":[{"path":"a","content":"""x"""}]}`, "broken JSON"},
		"a comment":          {"{\"edits\":[ // none\n]}", "JSON has no comments"},
		"bare word":          {`{"done":True}`, "broken JSON"},
		"missing comma":      {`{"edits":[] "done":true}`, "broken JSON"},
		"a depth bomb":       {`{"edits":` + strings.Repeat("[", 100_000), "exceeded max depth"},
		"an object bomb":     {strings.Repeat(`{"edits":`, 100_000), "exceeded max depth"},
		"a brace bomb":       {strings.Repeat(`{"`, 100_000), "50 pieces of broken JSON"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := ParseEditPlan(tt.answer)
			var plan *PlanError
			if !errors.As(err, &plan) || len(plan.Problems) == 0 {
				t.Fatalf("got %v, want a *PlanError", err)
			}
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %q, want it to say %q", err, tt.want)
			}
			for _, p := range plan.Problems {
				if p.Seen == "" || p.Remedy == "" {
					t.Errorf("a problem without words: %+v", p)
				}
			}
		})
	}
}

func TestParseEditPlanHoldsLimits(t *testing.T) {
	t.Parallel()
	edit := func(content string) string { return `{"path":"a","action":"append","content":"` + content + `"},` }
	for want, edits := range map[string]string{
		"more than the limit of 4194304":    strings.Repeat(edit(strings.Repeat("x", 1<<19)), 8),
		"edits[0].content: 1048577 bytes":   edit(strings.Repeat("x", maxFileBytes+1)),
		"101 edits, more than the limit of": strings.Repeat(edit("x"), maxEdits+1),
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			if _, err := ParseEditPlan(`{"edits":[` + edits + `]}`); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want %q", err, want)
			}
		})
	}
}

// FuzzParseEditPlan checks that any answer gives either a *PlanError that says
// something or a well-formed plan.
func FuzzParseEditPlan(f *testing.F) {
	for _, seed := range []string{onePlan, "```json\n" + onePlan + "\n```", `{"done":true}`, `{"edits":[{"path":"a","action":"delete",},]}`, `{"edits":[`, "<think>x</think>{}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, answer string) {
		plan, err := ParseEditPlan(answer)
		var wrong *PlanError
		if err != nil && (!errors.As(err, &wrong) || len(wrong.Problems) == 0) {
			t.Fatalf("not a *PlanError: %v", err)
		}
		if err != nil {
			return
		}
		if plan.Done == (len(plan.Edits) > 0) || len(plan.Edits) > maxEdits {
			t.Fatalf("neither done nor to be done: %+v", plan)
		}
		whole := map[string]bool{}
		for _, e := range plan.Edits {
			known := e.Action == Upsert || e.Action == Delete || e.Action.part()
			if e.Path == "" || whole[e.Path] || !known || (e.Old != "") != (e.Action == Replace) ||
				len(e.Content) > maxFileBytes || !utf8.ValidString(e.Content) {
				t.Fatalf("ill-formed edit: %+v", e)
			}
			whole[e.Path] = !e.Action.part()
		}
	})
}
