package prove

import (
	"slices"
	"testing"
)

func TestCommonFormulas(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, code, test string
		want             bool
	}{
		{"a formula under other names", "y := math.Sin(dLon) * math.Cos(rad(b.Lat)) - 2*r", "want := math.Sin(d) * math.Cos(rad(p.Lat)) - 2*x", true},
		{"within a call", "return round(price * (1 - rate / 100), 2)", "assert total(5) == round(cost * (1 - share / 100), 2)", true},
		{"another formula", "return round(price * (1 - rate / 100), 2)", "assert total(5) == round(cost * (1 + share / 10), 2)", false},
		{"little arithmetic", "return second * 60 + first", "assert total(5) == b * 60 + a", false},
		{"a loop", "for i := 0; i < n; i++ {", "for i := 0; i < n; i++ {", false},
		{"a sum in a loop", "for _, l := range c.Lines {\n\tchars += len(l)\n}", "for _, line := range x.Lines {\n\tn += len(line)\n}", true},
		{"a loop by twos", "for (let i = 0; i < n; i += 2) { a(); }", "for (let i = 0; i < n; i += 2) { b(); }", false},
		{"a path", "cp src/lib/git-tdd/one.sh $HOME/.local/share/x-y-z", "cp src/lib/git-tdd/one.sh $HOME/.local/share/x-y-z", false},
		{"negative numbers", "f([-1, -2, -3, -4, -5, -6, -7])", "f([-1, -2, -3, -4, -5, -6, -7])", false},
	} {
		got := commonFormulas(pieces(map[int]string{3: c.code}), pieces(map[int]string{1: c.test}))
		if want := []int{3}; slices.Equal(got, want) != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
