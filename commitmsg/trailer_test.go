package commitmsg

import (
	"slices"
	"strings"
	"testing"
)

func TestParseTrailers(t *testing.T) {
	t.Parallel()
	git := newOracle(t)
	role := []Trailer{{"Tdd-Role", "tester"}}
	for name, tt := range map[string]struct {
		text string
		want []Trailer
	}{
		"none":                          {"feat: x\n", nil},
		"empty text":                    {"", nil},
		"the last paragraph":            {"feat: x\n\nA: 1\n\nTdd-Role: tester\n", role},
		"no final newline":              {"feat: x\n\nTdd-Role: tester", role},
		"CRLF":                          {"feat: x\r\n\r\nTdd-Role: tester\r\n", role},
		"a blank line of white space":   {"feat: x\n \t\nTdd-Role: tester\n", role},
		"blank lines below":             {"feat: x\n\nTdd-Role: tester\n\n \n\n", role},
		"the title is never trailers":   {"Tdd-Role: tester\n", nil},
		"nor its second line":           {"feat: x\nTdd-Role: tester\n", nil},
		"unless it is blank":            {"\nTdd-Role: tester\n", role},
		"or a comment":                  {"# c\n\nTdd-Role: tester\n", role},
		"prose spoils the paragraph":    {"feat: x\n\nSo be it.\nTdd-Role: tester\n", nil},
		"prose below":                   {"feat: x\n\nTdd-Role: tester\n\nThe end.\n", nil},
		"space in a key":                {"feat: x\n\nBREAKING CHANGE: y\nTdd-Role: tester\n", nil},
		"underscore in a key":           {"feat: x\n\nTdd_Role: tester\nTdd-Role: tester\n", nil},
		"hyphens alone are a key":       {"feat: x\n\n--: y\nTdd-Role: tester\n", []Trailer{{"--", "y"}, role[0]}},
		"no key":                        {"feat: x\n\n: y\nTdd-Role: tester\n", nil},
		"white space before the colon":  {"feat: x\n\nTdd-Role \t:\ttester\n", role},
		"no space after the colon":      {"feat: x\n\nTdd-Role:tester\n", role},
		"empty value":                   {"feat: x\n\nTdd-Role:\n", []Trailer{{"Tdd-Role", ""}}},
		"colons in the value":           {"feat: x\n\nTdd-Red: a::b (c)\n", []Trailer{{"Tdd-Red", "a::b (c)"}}},
		"only ASCII space is trimmed":   {"feat: x\n\nA: \v\u00a0x\u0085\n", []Trailer{{"A", "\v\u00a0x\u0085"}}},
		"folded":                        {"feat: x\n\nA: one\n  two\n\t three\n", []Trailer{{"A", "one two three"}}},
		"folded from an empty line":     {"feat: x\n\nA:\n one\n", []Trailer{{"A", "one"}}},
		"folded with CRLF":              {"feat: x\n\nA: one\r\n two\r\n", []Trailer{{"A", "one\r two"}}},
		"the folded part is no trailer": {"feat: x\n\nA: one\n Tdd-Role: tester\n", []Trailer{{"A", "one Tdd-Role: tester"}}},
		"an indented paragraph":         {"feat: x\n\n Tdd-Role: tester\n", nil},
		"repeated keys stay in order":   {"feat: x\n\nA: 2\na: 1\n", []Trailer{{"A", "2"}, {"a", "1"}}},
		"a quarter beside a sign-off": {
			"feat: x\n\nSigned-off-by: me\none\ntwo\nthree\n", []Trailer{{"Signed-off-by", "me"}},
		},
		"less than a quarter":            {"feat: x\n\nSigned-off-by: me\none\ntwo\nthree\nfour\n", nil},
		"a quarter beside a cherry-pick": {"feat: x\n\nprose\nprose\nTdd-Role: tester\n(cherry picked from commit 1)\n", role},
		"a cherry-pick is no trailer":    {"feat: x\n\n(cherry picked from commit 1)\n", nil},
		"a sign-off needs its space":     {"feat: x\n\nSigned-off-by:me\nprose\n", nil},
		"comments within":                {"feat: x\n\nA: 1\n# c\nTdd-Role: tester\n", []Trailer{{"A", "1"}, role[0]}},
		"comments below":                 {"feat: x\n\nTdd-Role: tester\n\n# Please enter …\n#\n", role},
		"a fold below a comment is none": {"feat: x\n\nA: 1\n# c\n two\n", nil},
		"an issue number is a comment":   {"feat: x\n\nTdd-Role: tester\n#12: x\n", role},
		"the old conflict list":          {"feat: x\n\nTdd-Role: tester\n\nConflicts:\n\ta\n\tb\n", role},
		"text below the conflict list":   {"feat: x\n\nTdd-Role: tester\n\nConflicts:\n\ta\nb\n", nil},
		"conflicts with a space":         {"feat: x\n\nTdd-Role: tester\nConflicts: \n", []Trailer{role[0], {"Conflicts", ""}}},
		"scissors":                       {"feat: x\n\nTdd-Role: tester\n" + cutLine + "\ndiff --git\n", role},
		"scissors first":                 {cutLine + "\n\nTdd-Role: tester\n", nil},
		"scissors without a newline":     {"feat: x\n\nA: 1\n" + cutLine + " \n\nTdd-Role: tester\n", role},
		"a divider is none":              {"feat: x\n\n---\n\nTdd-Role: tester\n", role},
		"no further than NUL":            {"feat: x\n\nTdd-Role: tester\n\x00\n\nA: 1\n", role},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := Parse(tt.text).Trailers
			if !slices.Equal(got, tt.want) {
				t.Errorf("%q\ngot  %q\nwant %q", tt.text, got, tt.want)
			}
			if want := git.trailers(t, tt.text); printed(got) != want {
				t.Errorf("%q\ngot %q\ngit %q", tt.text, printed(got), want)
			}
		})
	}
}

// shapes are texts of about n bytes, each the worst case for one part of the
// parser.
func shapes(n int) map[string]string {
	fill := func(s string) string { return strings.Repeat(s, n/len(s)) }
	return map[string]string{
		"prose":     "feat: x\n\n" + fill("a line of prose\n"),
		"trailers":  "feat: x\n\n" + fill("Key: value\n"),
		"folds":     "feat: x\n\nKey:\n" + fill(" more\n"),
		"one line":  "feat: x\n\nKey:" + fill(" word"),
		"one key":   "feat: x\n\n" + fill("k") + ": v\n",
		"spaces":    "feat: x\n\nKey" + fill(" ") + ": v\n",
		"blank":     "feat: x\n" + fill("\n") + "Key: v\n" + fill(" \n"),
		"comments":  fill("# c\n") + "feat: x\n\nKey: v\n" + fill("# c\n"),
		"conflicts": "feat: x\n\nKey: v\n\nConflicts:\n" + fill("\ta\n"),
		"scissors":  "feat: x\n\nKey: v\n" + cutLine + "\n" + fill("+ diff\n"),
		"almost":    "feat: x\n\n" + fill("# ------------------------ >8 -----\n"),
		"sections":  "feat: x\n\n" + fill("Context:\n- item\n  more\n\n"),
		"colons":    "feat: x\n\n" + fill(":\n"),
		"unbroken":  fill("A: b\n"),
	}
}

func TestLargeMessagesAgreeWithGit(t *testing.T) {
	t.Parallel()
	git := newOracle(t)
	for name := range shapes(100) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			size := 1 << 20
			if name == "folds" {
				size = 1 << 14 // git takes quadratic time to join folded lines
			}
			text := shapes(size)[name]
			if got, want := printed(Parse(text).Trailers), git.trailers(t, text); got != want {
				t.Errorf("%.100q: %d bytes of trailers, git has %d", text, len(got), len(want))
			}
			checkLaws(t, text)
		})
	}
}

// BenchmarkParse shows that parsing takes linear time whatever the text
// contains: compare the throughput at both sizes.
func BenchmarkParse(b *testing.B) {
	for _, size := range []struct {
		name  string
		bytes int
	}{{"1kB", 1 << 10}, {"1MB", 1 << 20}} {
		for name, text := range shapes(size.bytes) {
			b.Run(strings.ReplaceAll(name, " ", "-")+"/"+size.name, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					Parse(text)
				}
			})
		}
	}
}
