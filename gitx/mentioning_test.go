package gitx

import (
	"slices"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

func TestMentioning(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.Write("a.go", "//go:embed page.html\n")
	l.Write("sub/b: c.txt", "see page.html!\n")
	l.Write("near.txt", "homepage.html page.htmlx\n")
	l.Write("binary", "page.html\x00")
	l.commit("root")
	for _, c := range []struct {
		words, want []string
	}{
		{[]string{"page.html"}, []string{"a.go", "sub/b: c.txt"}},
		{[]string{"nowhere", "embed"}, []string{"a.go"}},
		{[]string{"nowhere"}, nil},
		{nil, nil},
	} {
		got, err := l.open().Mentioning(t.Context(), ID(l.Git("rev-parse", "HEAD^{tree}")), c.words...)
		gittest.Check(t, err)
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.words, got, c.want)
		}
	}
}
