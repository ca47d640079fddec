package agents

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
)

func TestErrorsFirst(t *testing.T) {
	t.Parallel()
	many := func(text string, n int) string { return strings.Repeat(text+"\n", n) }
	tests := map[string]struct {
		output      string
		want, never []string // in this order; nowhere
	}{
		"short": {"a\n   ^^^^\nb\n____\nc", []string{"a\nb\nc"}, nil},
		"pytest": {
			many("collecting", 40) + "    def test_sum():\n>       x = add(1)\nE       TypeError: add() missing 1\n\ntests/test_sum.py:5: TypeError\n" + many("noise", 60) + "1 failed",
			[]string{"E       TypeError: add() missing 1", "tests/test_sum.py:5", "lines left out)", "1 failed"},
			[]string{"collecting"},
		},
		"go panic": {
			many("ok", 40) + "panic: boom\n" + many("\t/usr/lib/go/src/testing.go:1", 20) + "\t/w/sum.go:12 +0x1d\n" + many("\t/usr/lib/go/src/other.go:1", 50) + "exit status 2",
			[]string{"panic: boom", "/w/sum.go:12", "exit status 2"},
			[]string{"ok\nok", "testing.go"},
		},
		"a long assertion": {
			"def test_error():\n" + many("    step()", 60) + many("E   a line of it", 20) + "tests/test_sum.py:5: AssertionError\n" + many("noise", 60) + "1 failed",
			[]string{strings.Repeat("E   a line of it\n", 20), "1 failed"},
			[]string{"noise\nnoise\nnoise\nnoise"},
		},
		"frames of others": {
			many("  ok", 40) + "Error: no\n    at run (/w/node_modules/run/sum.go:3:1)\n    at go (/w/src/sum.go:9:2)\n" + many("    at x (/w/node_modules/x.js:1:1)", 40) + "end",
			[]string{"Error: no\n    at go (/w/src/sum.go:9:2)\nend"},
			[]string{"node_modules"},
		},
		"an error at the end": {many("fine", 90) + "error: no\nend", []string{"fine", "error: no\nend"}, []string{"left out"}},
		"no error":            {many("fine", 90) + "end", []string{"fine\nend"}, []string{"left out"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := errorsFirst(tt.output, []string{"sum.go"}, 30, 100)
			rest := got
			for _, want := range tt.want {
				_, after, found := strings.Cut(rest, want)
				if !found {
					t.Fatalf("no %q, in its place, in\n%s", want, got)
				}
				rest = after
			}
			for _, never := range tt.never {
				if strings.Contains(got, never) {
					t.Errorf("%q in\n%s", never, got)
				}
			}
			if n := strings.Count(got, "\n") + 1; n > 31 {
				t.Errorf("%d lines", n)
			}
		})
	}
}

func TestLeftOutIsCounted(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for i := range 100 {
		fmt.Fprintf(&all, "error %d\n", i)
	}
	got := strings.Split(errorsFirst(all.String(), nil, 10, 100), "\n")
	if len(got) != 10 || got[0] != "error 0" || got[5] != "(91 lines left out)" || got[9] != "error 99" {
		t.Errorf("got %q", got)
	}
}

// A cause that a compiler reports in many lines is told in one.
func TestDiagnosticsOfOneCause(t *testing.T) {
	t.Parallel()
	missing := func(line int) gates.Diagnostic {
		return gates.Diagnostic{Class: gates.ClassMissingSymbol, Symbol: "Add", File: "a_test.go", Line: line, Message: "undefined: Add"}
	}
	other := gates.Diagnostic{Class: gates.ClassCompile, File: "b.go", Line: 3, Message: "declared and not used: n"}
	got := describeDiagnostics("", []gates.Diagnostic{missing(5), other, missing(9), missing(9), missing(14)})
	want := []string{"missing-symbol Add at a_test.go:5, 9, 14: undefined: Add", "compile at b.go:3: declared and not used: n"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
