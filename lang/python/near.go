package python

import (
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
)

// nearResults are values that differ from the one that they are called with by no more
// than a loose comparison lets pass: the next number, the other case, another order;
// the number before, a blank in front, another first element.
func nearResults() []string {
	return []string{
		`(lambda v: v if isinstance(v, bool) else v + 1 if isinstance(v, int) else v + 0.05 * abs(v) + 0.05 if isinstance(v, float)` +
			` else v.swapcase() if isinstance(v, (str, bytes)) else v[::-1] if type(v) in (list, tuple) else v)`,
		`(lambda v: v if isinstance(v, bool) else v - 1 if isinstance(v, int) else v - 0.05 * abs(v) - 0.05 if isinstance(v, float)` +
			` else "\n" + v if isinstance(v, str) else b"\n" + v if isinstance(v, bytes) else [None, *v[1:]] if type(v) is list and v` +
			` else (None, *v[1:]) if type(v) is tuple and v else v)`,
	}
}

var raisedPattern = lazyregexp.New(`^raise\s+([\w.]+)\s*\(`)

// near lists what functions return, as values that are hardly other ones.
func near(content string) []testrun.Mutant {
	m := &mutator{source: parse(content)}
	var out []testrun.Mutant
	for _, st := range m.statements {
		if hit := raisedPattern.FindStringSubmatchIndex(m.of(st.span())); hit != nil {
			at := testrun.Span{Start: st.span().Start + hit[2], End: st.span().Start + hit[3]}
			other := "LookupError"
			if m.read(at) == other {
				other = "ArithmeticError"
			}
			out = append(out, testrun.MutantOf(content, testrun.Edit{Span: at, Text: other}, other+" for "+m.read(at)))
		}
		if !m.is(st.expr, 0, "return") || len(st.expr) == 1 || m.is(st.expr, 1, "None") {
			continue
		}
		at := st.expr[1:].span()
		for _, close := range nearResults() {
			out = append(out, testrun.MutantOf(content, testrun.Edit{Span: at, Text: close + "((" + m.read(at) + "))"}, "a value close to "+m.read(at)))
		}
	}
	return out
}
