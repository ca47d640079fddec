package commitmsg

import (
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// pieces are what interesting messages are made of.
func pieces() []string {
	return []string{
		"feat: add sums\n", "Add sums\n", "a body line\n", "Note: prose\n", "see https://example.org: there\n",
		"\n", "\n", "\n", " \n", "\t\n", "\r\n", "\v\n", "\n\n",
		"Tdd-Step: 4\n", "Tdd-Role: tester\n", "tdd-role:tester\n", "Tdd-Role : tester\n", "Tdd-Role\t:\ttester\n",
		"Tdd-Role:\n", "Tdd-Role: \n", "Tdd-Role:\r\n", "Tdd-Role: tester\r\n", "Tdd_Role: tester\n", "Tdd Role: tester\n",
		" Tdd-Role: tester\n", "- : x\n", "-: x\n", ": x\n", "Größe: x\n", "Key: größe\n", "Key: \u00a0x\u0085\n", "A:b:c\n",
		" continued\n", "\tcontinued\n", "\r continued\n", "\vnot continued\n", "  \t folded: more \n",
		"Signed-off-by: A <a@example.org>\n", "Signed-off-by:\n", "signed-off-by: a\n", "(cherry picked from commit 0123456)\n",
		"(cherry picked\n", "Refs #133\n", "BREAKING CHANGE: x\n", "BREAKING-CHANGE: x\n",
		"# comment\n", "#\n", "#12: x\n", "# Key: x\n", " # indented\n",
		"Conflicts:\n", "Conflicts: \n", "Conflicts:\n\tone\n\ttwo\n", "\tpath\n", "# Conflicts:\n#\tpath\n",
		cutLine + "\n", cutLine + "\r\n", cutLine, "---\n", "--- a/file\n", "diff --git a/x b/x\n",
		"Context:\n- an item\n  that goes on\n", "- an item\n", "Context:\n", "Context:\n- : x\n", " Context:\n - : x\n",
		"x", "Key: no newline", " ", "#", ":", "-", "\n- x\n- y\n",
	}
}

// randomMessage depends on nothing but its source.
func randomMessage(r *rand.Rand, from []string) string {
	var b strings.Builder
	for range r.IntN(14) {
		b.WriteString(from[r.IntN(len(from))])
	}
	text := b.String()
	if text != "" && r.IntN(6) == 0 { // change one byte
		at := r.IntN(len(text))
		text = text[:at] + string(" \n\r\t:#-xZ0\v\x80"[r.IntN(12)]) + text[at+r.IntN(2):]
	}
	return text
}

// messages is how many random messages a test checks; the environment can ask
// for more.
func messages(tb testing.TB) int {
	tb.Helper()
	asked, set := os.LookupEnv("GIT_TDD_TEST_MESSAGES")
	if !set {
		return 3000
	}
	n, err := strconv.Atoi(asked)
	if err != nil {
		tb.Fatalf("GIT_TDD_TEST_MESSAGES: %v", err)
	}
	return n
}

func added() []Trailer {
	return []Trailer{{"Tdd-Step", "5"}, {"Conflicts", ""}, {"Tdd-Empty", ""}, {"Tdd-Role", "implementor"}}
}

func TestRandomMessagesAgreeWithGit(t *testing.T) {
	t.Parallel()
	git := newOracle(t)
	r := rand.New(rand.NewPCG(1, 2))
	total := messages(t)
	for done := 0; done < total; {
		var texts []string
		for range min(2000, total-done) {
			text := randomMessage(r, pieces())
			texts = append(texts, text, AppendTrailers(text, added()), Parse(text).String())
		}
		done += len(texts) / 3
		if compare(t, git, texts); t.Failed() {
			return
		}
	}
}

// Every message of a few lines, one of each kind that the parser tells apart.
func TestAllShortMessagesAgreeWithGit(t *testing.T) {
	t.Parallel()
	const maxLines = 3
	kinds := []string{
		"a: b\n", "x\n", " c\n", "\n", " \n", "#\n", "Conflicts:\n", "\td\n",
		"Signed-off-by: e\n", "(cherry picked from commit f\n", cutLine + "\n",
	}
	git := newOracle(t)
	texts := []string{""}
	for from := range maxLines {
		longer := texts
		for _, text := range texts {
			if strings.Count(text, "\n") == from {
				for _, line := range kinds {
					longer = append(longer, text+line)
				}
			}
		}
		texts = longer
	}
	var all []string
	for _, text := range texts {
		all = append(all, text, "s\n\n"+text, AppendTrailers(text, added()))
	}
	compare(t, git, all)
}

func compare(tb testing.TB, git oracle, texts []string) {
	tb.Helper()
	for i, want := range git.batch(tb, texts) {
		if got := printed(Parse(texts[i]).Trailers); got != want {
			tb.Errorf("message %q\nwe  %q\ngit %q", texts[i], got, want)
		}
		checkLaws(tb, texts[i])
	}
}

// checkLaws checks what must be true of every message.
func checkLaws(tb testing.TB, text string) {
	tb.Helper()
	m := Parse(text)
	again := Parse(m.String())
	if !slices.Equal(again.Trailers, m.Trailers) || !reflect.DeepEqual(again.Sections, m.Sections) {
		tb.Errorf("message %q\nparsed  %#v\nwritten %q\nparsed  %#v", text, m, m.String(), again)
	}
	longer := AppendTrailers(text, added())
	got := Parse(longer).Trailers
	if !endsWith(got, added()) {
		tb.Errorf("message %q\nappended %q\nparsed   %q", text, longer, got)
	}
	text = beforeNUL(text)
	b, s := locate(text), subjectOf(text)
	alone := !b.empty() && b.start < s.end
	if want := append(slices.Clone(m.Trailers), added()...); !alone && !slices.Equal(got, want) {
		tb.Errorf("message %q\nappended %q\nparsed   %q\nwant     %q", text, longer, got, want)
	}
	m.Check(Rules{RequireSections: true})
}

func endsWith(all, last []Trailer) bool {
	return len(all) >= len(last) && slices.Equal(all[len(all)-len(last):], last)
}

func TestAppendedTrailersSurviveGitsCleanup(t *testing.T) {
	t.Parallel()
	git := newOracle(t)
	r := rand.New(rand.NewPCG(3, 4))
	for range messages(t) / 10 {
		text := randomMessage(r, pieces())
		checkCleanup(t, git, text)
	}
}

func checkCleanup(tb testing.TB, git oracle, text string) {
	tb.Helper()
	if s := subjectOf(text[:locate(text).end]); s.empty() || text[s.start] == comment {
		return // there is nothing to commit, or "#12 …" is a comment to git
	}
	longer := AppendTrailers(text, added())
	stored := git.strip(tb, longer)
	if got := Parse(stored).Trailers; !endsWith(got, added()) {
		tb.Errorf("message  %q\nappended %q\nstored   %q\nparsed   %q", text, longer, stored, got)
	}
}
