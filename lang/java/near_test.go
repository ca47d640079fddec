package java

import (
	"slices"
	"testing"

	"github.com/git-tdd/git-tdd/syntax"
)

func TestNear(t *testing.T) {
	t.Parallel()
	const text = `class A {
    static double root(double n) throws Exception {
        if (n < 0) {
            throw new BadNumber("negative");
        }
        return n / 2;
    }

    String name(int a, int b) {
        return "A" + b;
    }

    static boolean is() {
        return true;
    }
}
`
	var got []string
	for _, m := range page().Near(text) {
		got = append(got, syntax.Apply(text, []syntax.Edit{m.Edit})[m.Edit.Start:m.Edit.Start+len(m.Edit.Text)])
	}
	want := []string{"(n < 0) || true", "IllegalStateException", "(n / 2) * 1.05 + 0.05", `"\n" + ("A" + b)`, `"a"`}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
