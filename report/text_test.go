package report

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestShare: the limit is one at which everything fits, and the next one is not,
// unless everything is whole.
func TestShare(t *testing.T) {
	t.Parallel()
	fits := func(sizes []int, room, limit int) bool {
		for _, n := range sizes {
			room -= min(n, limit)
		}
		return room >= 0
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		sizes := make([]int, 1+random.IntN(6))
		for i := range sizes {
			sizes[i] = random.IntN(50)
		}
		room := random.IntN(120)
		limit := share(sizes, room)
		if !fits(sizes, room, limit) || limit < slices.Max(sizes) && fits(sizes, room, limit+1) {
			t.Fatalf("%v into %d: %d", sizes, room, limit)
		}
	}
	if share(nil, 7) != 7 {
		t.Error("nothing to share")
	}
}

func TestBlockFits(t *testing.T) {
	t.Parallel()
	whole := strings.Repeat("+a line\n", 10)
	b := block{whole: whole, lines: 10, diff: true, how: "git show x"}
	b.fit(1000)
	if b.More != "" {
		t.Errorf("nothing is missing, but: %s", b.More)
	}
	b.fit(40)
	if b.More != "8 more lines. git show x" {
		t.Errorf("%q", b.More)
	}
	one := textBlock("x", strings.Repeat("<", 1000), "")
	if one.fit(600); one.Text == "" || size(one.Text) > 600 || one.More == "" {
		t.Errorf("%q %q", one.Text, one.More)
	}
}

// TestParts: signs mean a change in a hunk only.
func TestParts(t *testing.T) {
	t.Parallel()
	const diff = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-- a\n+++ b\n same\n\\ No newline\ndiff --git a/y b/y\nold mode 1\n"
	var got []string
	for _, p := range parts(diff) {
		got = append(got, p.Kind+p.Text)
	}
	want := []string{
		"@diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n", "--- a\n", "++++ b\n", " same\n\\ No newline\n", "@diff --git a/y b/y\nold mode 1\n",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		0: "", -time.Second: "", 812 * time.Millisecond: "812 ms", 1234 * time.Millisecond: "1.2 s", 42 * time.Second: "42 s",
		125 * time.Second: "2 min 5 s", 25*time.Hour + time.Minute: "25 h 1 min", 80 * time.Hour: "3 days",
	} {
		if got := lasted(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
	for n, want := range map[int]int{1: 1, 3: 5, 6: 10, 11: 20, 73: 100} {
		if got := nice(n); got != want {
			t.Errorf("%d: %d, want %d", n, got, want)
		}
	}
	if got := thousands(1234567); got != "1\u202f234\u202f567" {
		t.Errorf("%q", got)
	}
	if got := short("a  b\nc\u202e", 3); got != "a b…" {
		t.Errorf("%q", got)
	}
}
