package commitmsg

import (
	"slices"
	"strings"
	"testing"
)

func TestParseHeader(t *testing.T) {
	t.Parallel()
	for subject, want := range map[string]Header{
		"feat: x":                  {Type: "feat", Summary: "x"},
		"feat!: x":                 {Type: "feat", Breaking: true, Summary: "x"},
		"feat(a/b, c)!:  x: y ":    {Type: "feat", Scope: "a/b, c", Breaking: true, Summary: "x: y"},
		"Feat(ABC): Größe":         {Type: "Feat", Scope: "ABC", Summary: "Größe"},
		"feat(a:b): x":             {Type: "feat", Scope: "a:b", Summary: "x"},
		"feat: x\r\n\r\nbody: not": {Type: "feat", Summary: "x"},
		"my-type2: x":              {Type: "my-type2", Summary: "x"},
	} {
		if got, err := ParseHeader(subject); err != nil || got != want {
			t.Errorf("%q: got %+v, %v", subject, got, err)
		}
	}
	for subject, wrong := range map[string]string{
		"":               "empty",
		"\n\nfeat: x":    "empty",
		"Add stuff":      "no colon",
		"feat:x":         "white-space",
		"feat: ":         "expecting a description",
		"feat: \u00a0":   "no summary",
		"feat(): x":      "scope is empty",
		"feat( ): x":     "scope is empty",
		"feat(a: x":      "closing parentheses",
		"feat (a): x":    "type of one word",
		"feat : x":       "type of one word",
		"two words: x":   "type of one word",
		"!: x":           "type of one word",
		"größe: x":       "type of one word",
		"feat\x00\xff: ": "type of one word",
		"feat!!: x":      "expecting colon",
		"feat":           "no colon",
	} {
		_, err := ParseHeader(subject)
		if err == nil || !strings.Contains(err.Error(), wrong) || !strings.Contains(err.Error(), "write ") {
			t.Errorf("%q: %v", subject, err)
		}
	}
}

// The library takes minutes for a word of this length.
func TestParseHeaderOfAMegabyte(t *testing.T) {
	t.Parallel()
	for _, part := range []string{"a", "a:", "(", "feat: ", "feat(", "!", " ", "\r"} {
		long := strings.Repeat(part, 1<<20/len(part))
		for _, subject := range []string{long, long + ": x", "feat: x" + long, "feat(" + long + "): x", "feat:" + long, "feat" + long + ": x"} {
			if _, err := ParseHeader(subject); err != nil && len(err.Error()) > 1000 {
				t.Errorf("%.20q…: the error has %d bytes", subject, len(err.Error()))
			}
			if v := (Message{Subject: subject}).Check(Rules{}); len(v) == 0 {
				t.Errorf("%.20q… is accepted", subject)
			}
		}
	}
}

func TestSpecial(t *testing.T) {
	t.Parallel()
	for subject, want := range map[string]string{
		"Merge branch 'x'":     "merge",
		`Revert "feat: x"`:     "revert",
		`Reapply "feat: x"`:    "revert",
		"fixup! feat: x":       "fixup",
		"squash! fixup! x":     "squash",
		"amend! feat: x":       "amend",
		"merge: x":             "",
		"revert: x":            "",
		"Revert x":             "",
		"fixup!: x":            "",
		"feat: Merge branch x": "",
	} {
		if kind, ok := Special(subject); kind != want || ok != (want != "") {
			t.Errorf("%q: got %q, %v", subject, kind, ok)
		}
	}
}

func TestTarget(t *testing.T) {
	t.Parallel()
	for subject, want := range map[string]string{
		"fixup! feat: x":         "feat: x",
		"squash! fixup! test: x": "test: x",
		"amend! Merge x":         "Merge x",
		"feat: fixup! x":         "",
		"Merge x":                "",
		"fixup!: x":              "",
		"":                       "",
	} {
		if target, ok := Target(subject); ok != (want != "") || ok && target != want {
			t.Errorf("%q: got %q, %v", subject, target, ok)
		}
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		text string
		want []string
	}{
		"good":                    {"test: sum two numbers\n", nil},
		"breaking":                {"feat!: x\n\nBREAKING-CHANGE: y\nTdd-Role: implementor\n", nil},
		"empty":                   {"\n# c\n", []string{"header"}},
		"no header":               {"Sum two numbers\n", []string{"header"}},
		"upper case":              {"Feat: x\n", []string{"type"}},
		"unknown type":            {"feature: x\n", []string{"type"}},
		"full stop":               {"feat: x.\n", []string{"summary"}},
		"just short enough":       {"feat: " + strings.Repeat("ö", 94) + "\n", nil},
		"too long":                {"feat: " + strings.Repeat("ö", 95) + "\n", []string{"length"}},
		"all at once":             {"Feat: " + strings.Repeat("x", 95) + ".\n", []string{"length", "type", "summary"}},
		"a merge":                 {"Merge branch 'a very long name indeed', of a very long name, and another one that is longer still, into x.\n", nil},
		"a revert":                {"Revert \"feat: x\"\n\nThis reverts commit 1.\n", nil},
		"a fixup":                 {"fixup! Sum two numbers.\n", nil},
		"lookalike in a merge":    {"Merge x\n\nTdd-Role: tester\n\nwhy\n", []string{"trailer"}},
		"lookalike in the body":   {"feat: x\n\nTdd-Step: 4\n\nwhy\n", []string{"trailer"}},
		"in any case, indented":   {"feat: x\n\n  tdd-ROLE : tester\n\nwhy\n", []string{"trailer"}},
		"below the subject":       {"feat: x\nTdd-Role: tester\n", []string{"trailer"}},
		"in a spoiled paragraph":  {"feat: x\n\nprose\nTdd-Role: tester\n", []string{"trailer"}},
		"in an earlier paragraph": {"feat: x\n\nTdd-Role: tester\n\nA: b\n", []string{"trailer"}},
		"in a folded value":       {"feat: x\n\nA: b\n Tdd-Role: tester\n", []string{"trailer"}},
		"below a cherry-pick":     {"feat: x\n\n(cherry picked from commit 1)\n Tdd-Role: tester\n", []string{"trailer"}},
		"in a conflict list":      {"feat: x\n\nConflicts:\n\tTdd-Role: tester\n", []string{"trailer"}},
		"each is named":           {"feat: x\n\nTdd-Role: tester\nTdd-Step: 1\n\nwhy\n", []string{"trailer", "trailer"}},
		"a quotation is none":     {"feat: x\n\nWrite `Tdd-Role: x` or\n- Tdd-Role: x\n", nil},
		"a diff is none":          {"feat: x\n" + cutLine + "\n Tdd-Role: tester\n", nil},
		"our trailers are none":   {"feat: x\n\nTdd-Role: tester\nA: b\nTdd-Step:\n", nil},
		"spaced breaking change":  {"feat!: x\n\nBREAKING CHANGE: y\n", []string{"breaking-change"}},
		"beside trailers":         {"feat!: x\n\nBREAKING CHANGE: y\nTdd-Role: a\n", []string{"trailer", "breaking-change"}},
		"beside a sign-off":       {"feat!: x\n\nBREAKING CHANGE: y\nSigned-off-by: me\n", []string{"breaking-change"}},
		"a paragraph of its own":  {"feat!: x\n\nBREAKING CHANGE: y\n\nA: b\n", nil},
		"breaking change in prose": {
			"feat!: x\n\nThis is a BREAKING CHANGE: y\n", nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, v := range Parse(tt.text).Check(Rules{}) {
				got = append(got, ruleOf(v))
				if v.Seen == "" || v.Remedy == "" {
					t.Errorf("half a violation: %+v", v)
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("%q: got %q, want %q", tt.text, got, tt.want)
			}
		})
	}
}

// ruleOf names the rule that a message breaks.
func ruleOf(v Violation) string {
	for rule, says := range map[string]string{
		"header": "is not a conventional header", "length": "characters: ", "type": "the type ", "summary": "full stop: ",
		"trailer": "stands outside the trailers", "breaking-change": "in the last paragraph: git takes no line",
	} {
		if strings.Contains(v.Seen, says) {
			return rule
		}
	}
	return v.Seen
}

func TestCheckSections(t *testing.T) {
	t.Parallel()
	m := Parse("test: x\n\nContext:\n- a\n\nRationale:\n\nDiff Summary:\n- b\n")
	if got := m.Check(Rules{}); got != nil {
		t.Errorf("people are refused: %+v", got)
	}
	got := m.Check(Rules{RequireSections: true})
	if len(got) != 2 || !strings.Contains(got[0].Seen, `"Rationale"`) || !strings.Contains(got[1].Seen, `"Verification"`) {
		t.Errorf("got %+v", got)
	}
}
