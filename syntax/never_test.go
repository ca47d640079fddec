package syntax_test

import (
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/syntax"
)

func TestNever(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ source, cond, text, want string }{
		{"if a == b {", "a == b", "!(a == b)", "if ((a == b) && false) {"},
		{"if a == b:", "a == b", " not (a == b)", "if  ((a == b) and False):"},
		{"if a == b {", "a == b", "a != b", ""},
	} {
		start := strings.Index(tt.source, tt.cond)
		m := syntax.MutantOf(tt.source, syntax.Edit{Span: syntax.Span{Start: start, End: start + len(tt.cond)}, Text: tt.text}, "")
		got := ""
		if never, ok := m.Never(tt.source); ok {
			got = syntax.Apply(tt.source, []syntax.Edit{never.Edit})
		}
		if got != tt.want {
			t.Errorf("%s with %s: never is %q, want %q", tt.source, tt.text, got, tt.want)
		}
	}
}
