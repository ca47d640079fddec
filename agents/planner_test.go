package agents

import (
	"errors"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// steers reports whether a character does something to a terminal or an editor.
func steers(r rune) bool {
	return r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r))
}

func FuzzParsePlan(f *testing.F) {
	f.Add(`{"requirements":"# A\n- sum","analysis":"none","tests":[{"id":"a","behaviour":"sums","criterion":1,"after":[]},{"id":"b","behaviour":"more","criterion":null,"after":["a"]}]}`, false)
	f.Add("```json\n{\"requirements\":\"a\\r\\n\\u001b[0mb \\u202e\",\"tests\":[{\"id\":\"a\\nb\",\"behaviour\":\"x\"}],}\n```", true)
	f.Add(`{"requirements":"a","files":[]}`, false)
	f.Add(`{"requirements":"a\n\u0000\n\u0000 b\n\u0000","tests":[{"id":"a","behaviour":"x"}]}`, true)
	f.Add(`{"requirements":`, true)
	f.Fuzz(func(t *testing.T, answer string, testsOnly bool) {
		plan, err := Architect{TestsOnly: testsOnly, Material: Material{Criteria: []Criterion{{ID: 1}}}}.ParsePlan(answer)
		if bad, ok := errors.AsType[*PlanError](err); err != nil && (!ok || len(bad.Problems) == 0) {
			t.Fatalf("%v is no *PlanError", err)
		}
		if err != nil {
			return
		}
		if plan.Requirements == "" || plan.Tests == "" || (plan.Analysis == "") != testsOnly {
			t.Fatalf("a document is missing, or one too many is there: %+v", plan)
		}
		for _, text := range []string{plan.Requirements, plan.Analysis} {
			if len(text) > maxDocument || !utf8.ValidString(text) || document(text) != text {
				t.Fatalf("not as a reader sees it: %q", text)
			}
		}
		for _, text := range []string{plan.Requirements, plan.Analysis, plan.Tests} {
			if i := strings.IndexFunc(text, steers); i >= 0 {
				t.Fatalf("%q at %d of %q", text[i:], i, text)
			}
		}
		lines := strings.Split(strings.TrimSuffix(plan.Tests, "\n"), "\n")
		if len(lines) > maxListed {
			t.Fatalf("%d tests", len(lines))
		}
		for _, line := range lines {
			if !strings.HasPrefix(line, "- ") {
				t.Fatalf("%q is no test of the list", line)
			}
		}
	})
}
