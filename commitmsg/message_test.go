package commitmsg

import (
	"reflect"
	"slices"
	"testing"
)

// example is the message from the description of the format.
const example = `test(calculator): sum two comma-separated numbers

Context:
- Role: Tester
- Step: 4

Rationale:
- the kata asks for it,
  and nothing sums yet

Diff summary:
- tests/calculator.rs: one test for two numbers

Verification:
- 3 passed, 1 failed: calculator::sums_two_numbers (assertion)

Tdd-Step: 4
Tdd-Role: tester
Tdd-Red: calculator::sums_two_numbers (assertion)
`

func TestParse(t *testing.T) {
	t.Parallel()
	m := Parse(example)
	sections := []Section{
		{"Context", []string{"Role: Tester", "Step: 4"}},
		{"Rationale", []string{"the kata asks for it, and nothing sums yet"}},
		{"Diff summary", []string{"tests/calculator.rs: one test for two numbers"}},
		{"Verification", []string{"3 passed, 1 failed: calculator::sums_two_numbers (assertion)"}},
	}
	if m.Subject != "test(calculator): sum two comma-separated numbers" || !reflect.DeepEqual(m.Sections, sections) {
		t.Errorf("got %#v", m)
	}
	if m.String() != example {
		t.Errorf("written %q", m.String())
	}
	if v := m.Check(Rules{RequireSections: true}); v != nil {
		t.Errorf("refused: %+v", v)
	}
	made := Message{Subject: m.Subject, Sections: sections, Trailers: m.Trailers}
	if again := Parse(made.String()); !reflect.DeepEqual(again.Sections, sections) || !slices.Equal(again.Trailers, m.Trailers) {
		t.Errorf("written %q", made.String())
	}
}

func TestParseSubjectAndBody(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ text, subject, body string }{
		"empty":               {"", "", ""},
		"subject":             {"feat: x", "feat: x", ""},
		"CRLF":                {"feat: x\r\n\r\nwhy\r\n", "feat: x", "why"},
		"leading blank lines": {"\n \nfeat: x\n", "feat: x", ""},
		"a long title":        {"feat: x\nmore\n\nwhy\n\nA: b\n", "feat: x", "more\n\nwhy"},
		"indented body":       {"feat: x\n\n\n  code\n", "feat: x", "  code"},
		"an editor's comments": {
			"feat: x\n\nwhy\n\n# Please enter …\n#\n" + cutLine + "\n# Do not …\ndiff\n", "feat: x", "why",
		},
		"comments first":   {"# a template\n#\nfeat: x\n\nwhy\n", "feat: x", "why"},
		"comments only":    {"\n# Please enter …\n#\n", "", ""},
		"an issue number":  {"#12 fix it\n\nwhy\n", "#12 fix it", "why"},
		"trailers only":    {"\nA: b\n", "A: b", ""},
		"the conflicts go": {"Merge x\n\nwhy\n\nConflicts:\n\ta\n", "Merge x", "why"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if m := Parse(tt.text); m.Subject != tt.subject || m.Body != tt.body {
				t.Errorf("%q\ngot  %q, %q\nwant %q, %q", tt.text, m.Subject, m.Body, tt.subject, tt.body)
			}
		})
	}
}

func TestSections(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		body string
		want []Section
	}{
		"prose":                {"The reasons are:\n\nnone.", []Section{}},
		"a title alone":        {"Context:\n\nRationale:\n- a", []Section{{"Rationale", []string{"a"}}}},
		"an empty item":        {"Context:\n-\n- \n", []Section{}},
		"no title":             {"- a\n- b", nil},
		"blank line below it":  {"Context:\n\n- a\n\n- b", []Section{{"Context", []string{"a", "b"}}}},
		"wrapped lines":        {"Context:\n- a\n  b\nc", []Section{{"Context", []string{"a b c"}}}},
		"nested lists":         {"Context:\n- a\n  - b", []Section{{"Context", []string{"a", "b"}}}},
		"prose ends a section": {"Context:\n- a\n\nprose\n- b", []Section{{"Context", []string{"a"}}}},
		"titles below items":   {"A:\n- a:\nB:\n- b", []Section{{"A", []string{"a:"}}, {"B", []string{"b"}}}},
		"CRLF":                 {"Context:\r\n- a\r\n", []Section{{"Context", []string{"a"}}}},
		"comments":             {"Context:\n# - a\n- b", []Section{{"Context", []string{"b"}}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := Parse("feat: x\n\n" + tt.body + "\n").Sections; !reflect.DeepEqual(got, tt.want) {
				t.Errorf("%q\ngot  %q\nwant %q", tt.body, got, tt.want)
			}
		})
	}
}

func TestLookups(t *testing.T) {
	t.Parallel()
	m := Parse("feat: x\n\nContext:\n- a\n\nTdd-Red: a\nTdd-Step: 1\ntdd-red: b\n")
	if v, ok := m.Get("TDD-RED"); v != "b" || !ok {
		t.Errorf("Get: %q, %v", v, ok)
	}
	if v, ok := m.Get("Tdd"); v != "" || ok {
		t.Errorf("Get of nothing: %q, %v", v, ok)
	}
	if got := m.All("Tdd-Red"); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("All: %q", got)
	}
	if s, ok := m.Section("context"); !ok || s.Title != "Context" {
		t.Errorf("Section: %+v, %v", s, ok)
	}
	if _, ok := m.Section("Rationale"); ok {
		t.Error("Section of nothing")
	}
}

func TestString(t *testing.T) {
	t.Parallel()
	item := []Section{{"Context", []string{"an item"}}}
	for name, tt := range map[string]struct {
		m    Message
		want string
	}{
		"subject":              {Message{Subject: "feat: x"}, "feat: x\n"},
		"body":                 {Message{Subject: "feat: x", Body: "\nwhy\n\n"}, "feat: x\n\nwhy\n"},
		"body before sections": {Message{Subject: "feat: x", Body: "Old:\n- item", Sections: item}, "feat: x\n\nOld:\n- item\n"},
		"sections":             {Message{Subject: "feat: x", Sections: item}, "feat: x\n\nContext:\n- an item\n"},
		"no empty sections":    {Message{Subject: "feat: x", Body: "why", Sections: []Section{{"A", nil}, {"B", []string{" \n"}}}}, "feat: x\n\nwhy\n"},
		"one-line subject":     {Message{Subject: "feat: x\n\nTdd-Role: tester"}, "feat: x Tdd-Role: tester\n"},
		"one-line item":        {Message{Subject: "feat: x", Sections: []Section{{"A", []string{"a\n\nTdd-Role: tester"}}}}, "feat: x\n\nA:\n- a Tdd-Role: tester\n"},
		"one-line value":       {Message{Subject: "feat: x", Trailers: []Trailer{{"A", "a\nTdd-Role: tester"}}}, "feat: x\n\nA: a Tdd-Role: tester\n"},
		"keys":                 {Message{Subject: "feat: x", Trailers: []Trailer{{"Tdd Role\n", "a"}, {"", "b"}}}, "feat: x\n\nTdd-Role-: a\n"},
		"empty values":         {Message{Subject: "feat: x", Trailers: []Trailer{{"A", ""}, {"Conflicts", ""}}}, "feat: x\n\nA:\nConflicts :\n"},
		"a body like a block":  {Message{Subject: "feat: x", Body: "Tdd-Role: tester"}, "feat: x\n\n Tdd-Role: tester\n"},
		"body with scissors":   {Message{Subject: "feat: x", Body: "why\n" + cutLine + "\nnot", Trailers: []Trailer{{"A", "b"}}}, "feat: x\n\nwhy\nnot\n\nA: b\n"},
		"a comment's subject":  {Message{Subject: "# x"}, " # x\n"},
		"nothing":              {Message{}, "\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := tt.m.String(); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestAppendTrailers(t *testing.T) {
	t.Parallel()
	git := newOracle(t)
	for name, tt := range map[string]struct{ text, want string }{
		"a new paragraph":       {"feat: x\n", "feat: x\n\nA: b\n"},
		"no final newline":      {"feat: x", "feat: x\n\nA: b\n"},
		"below prose":           {"feat: x\n\nwhy\n\n\n", "feat: x\n\nwhy\n\nA: b\n\n\n"},
		"joins":                 {"feat: x\n\nB: c\n", "feat: x\n\nB: c\nA: b\n"},
		"joins without newline": {"feat: x\n\nB: c", "feat: x\n\nB: c\nA: b\n"},
		"joins a folded value":  {"feat: x\n\nB: c\n d\n", "feat: x\n\nB: c\n d\nA: b\n"},
		"joins a cherry-pick":   {"feat: x\n\n(cherry picked from commit 1)\n", "feat: x\n\n(cherry picked from commit 1)\nA: b\n"},
		"not a long title":      {"feat: x\nB: c\n", "feat: x\nB: c\n\nA: b\n"},
		"not prose":             {"feat: x\n\nprose\nB: c\n", "feat: x\n\nprose\nB: c\n\nA: b\n"},
		"above the editor's comments": {
			"feat: x\n\n# Please enter …\n#\n", "feat: x\n\nA: b\n\n# Please enter …\n#\n",
		},
		"above the scissors": {
			"feat: x\n\nB: c\n" + cutLine + "\ndiff\n", "feat: x\n\nB: c\nA: b\n" + cutLine + "\ndiff\n",
		},
		"above the conflicts":           {"Merge x\n\nConflicts:\n\ta\n", "Merge x\n\nA: b\n\nConflicts:\n\ta\n"},
		"a subject below a comment":     {"# c\n\nfix: it\n", "# c\n\nfix: it\n\nA: b\n"},
		"a subject below a blank line":  {"\nfix: it\n", "\nfix: it\n\nA: b\n"},
		"nothing":                       {"", "\nA: b\n"},
		"comments only":                 {"# c\n# c\n", "\nA: b\n# c\n# c\n"},
		"scissors only, to be":          {cutLine, "\nA: b\n" + cutLine},
		"comments inside":               {"feat: x\n\nB: c\n\n# c\n \n", "feat: x\n\nB: c\nA: b\n\n# c\n \n"},
		"conflicts that open the text":  {"Conflicts:\nx\n#c\n\ty\n", "Conflicts:\nx\n#c\n\ty\n\nA: b\n"},
		"CRLF, and what follows is LF":  {"feat: x\r\n\r\nB: c\r\n", "feat: x\r\n\r\nB: c\r\nA: b\n"},
		"a subject like an issue":       {"#12 x\n", "#12 x\n\nA: b\n"},
		"white space that ends nothing": {"feat: x  ", "feat: x  \n\nA: b\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := AppendTrailers(tt.text, []Trailer{{"A", "b"}})
			if got != tt.want {
				t.Errorf("%q\ngot  %q\nwant %q", tt.text, got, tt.want)
			}
			if all := Parse(got).Trailers; !endsWith(all, []Trailer{{"A", "b"}}) || printed(all) != git.trailers(t, got) {
				t.Errorf("%q\nparsed %q", got, all)
			}
		})
	}
	if got := AppendTrailers("feat: x", nil); got != "feat: x" {
		t.Errorf("nothing added makes %q", got)
	}
}

func TestRemoveTrailers(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{"fix: it\n\nA: 1\nb: 2\nC: 3\n  goes on\nA: 4", "fix: it\n\nb: 2\n"},
		{"fix: it\n\nA: 1\n\n# Please\n", "fix: it\n\n# Please\n"},
		{"fix: it\n\nA: 1 is no trailer\nhere\n", "fix: it\n\nA: 1 is no trailer\nhere\n"},
		{"A: 1", "A: 1"},
		{"fix: it\n\nB: 1", "fix: it\n\nB: 1"},
	} {
		if got := RemoveTrailers(c[0], "a", "c"); got != c[1] {
			t.Errorf("%q: %q, want %q", c[0], got, c[1])
		}
	}
}
