package evidence

import (
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/syntax"
)

// What is altered far to the right of a long line is shown.
func TestAroundDifference(t *testing.T) {
	t.Parallel()
	if was, now := aroundDifference("return a + b", "return a - b"); was != "return a + b" || now != "return a - b" {
		t.Errorf("%q, %q", was, now)
	}
	long := "return rest.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i] ?? null])));"
	if was, now := aroundDifference("\t\tcontinue", "\tcontinue"); was != "\tcontinue" || now != "continue" {
		t.Errorf("%q became %q", was, now)
	}
	was, now := aroundDifference(long, strings.Replace(long, " ?? null", "", 1))
	if !strings.Contains(was, "row[i] ?? null") || !strings.Contains(now, "row[i]])") || !strings.HasPrefix(was, "…") || len([]rune(was)) > 72 {
		t.Errorf("%q, %q", was, now)
	}
	if was, now := aroundDifference(long, "x"+long[1:]); !strings.HasSuffix(was, "…") || was[:5] != "retur" || now[0] != 'x' || len([]rune(was)) != 71 {
		t.Errorf("%q, %q", was, now)
	}
	end := strings.TrimSuffix(long, ";")
	for now, want := range map[string]string{
		"return (" + long[7:len(long)-1] + " + 1);": " + 1);",             // in brackets, and more behind it
		"return (" + end[7:] + " + 1)":              " + 1)",              // where nothing ends the line
		"return (rest.map)" + long[15:]:             "return (rest.map)(", // nothing but brackets
	} {
		was := long
		if !strings.HasSuffix(now, ";") {
			was = end
		}
		if _, got := aroundDifference(was, now); !strings.Contains(got, want) {
			t.Errorf("%q does not show %q", got, want)
		}
	}
}

// Where several lines are put back the first ones do not say what becomes of them.
func TestToldLines(t *testing.T) {
	t.Parallel()
	content := "a\nb\nc\nd\n"
	for _, c := range []struct{ part, before, was, now string }{
		{"b\nc\n", "x\ny\n", "(lines 2-3)", "(what was there before)"},
		{"b\nc\n", "x\n", "(lines 2-3)", "x"},
		{"b\nc\n", "", "b", "(nothing)"}, // that it is gone says enough
		{"b\n", "x\ny\n", "b", "(what was there before)"},
		{"b\n", "x\n", "b", "x"},
		{"", "x\ny\n", "(nothing)", "x … (2 lines)"},
	} {
		at := strings.Index(content, c.part)
		e := syntax.Edit{Span: syntax.Span{Start: at, End: at + len(c.part)}, Text: c.before}
		m := syntax.MutantOf(content, e, "what was there before")
		m.Lines = true
		if got := (placed{&Source{Content: content}, m}).told(); got.Was != c.was || got.Now != c.now {
			t.Errorf("%q for %q: %q → %q", c.before, c.part, got.Was, got.Now)
		}
	}
}
