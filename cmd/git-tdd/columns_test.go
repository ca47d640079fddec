package main

import "testing"

func TestFolded(t *testing.T) {
	t.Parallel()
	if got, want := folded("one two three\nfour averylongword x", 8, "  "), "one two\n  three\n  four\n  averylongword\n  x"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestCut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		most int
		want string
	}{
		{"short", 10, "short"},
		{"exactly", 7, "exactly"},
		{"one too many", 11, "one too ma…"},
		{"a b c", 3, "a…"},
		{"漢字漢字", 8, "漢字漢字"},
		{"漢字漢字", 7, "漢字漢…"},
		{"漢字漢字", 6, "漢字…"},
		{"👍👍👍", 5, "👍👍…"},
		{"e\u0301e\u0301e\u0301", 3, "e\u0301e\u0301e\u0301"},
		{"two\nlines\there", 20, "two lines here"},
		{"no limit", 0, "no limit"},
	} {
		got := cut(c.text, c.most)
		if got != c.want || c.most > 0 && columns(got) > c.most {
			t.Errorf("%q to %d: %q, want %q", c.text, c.most, got, c.want)
		}
	}
	if got := pad("漢", 4); got != "漢  " {
		t.Errorf("%q", got)
	}
}

func TestFit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ line, want string }{
		{"* \x1b[33mabcdef0\x1b[m\x1b[1m   3\x1b[m 漢字漢字\n", "* \x1b[33mabcdef0\x1b[m\x1b[1m   3\x1b[m 漢…\n"},
		{"abcdef0 \x1b[33m12345678\x1b[m and more\x1b[m\n", "abcdef0 \x1b[33m12345678\x1b[m…\x1b[m\n"},
		{"abcdef0 1 \x1b[33m(HEAD -> main\x1b[m, x)\n", "abcdef0 1 \x1b[33m(HEAD…\x1b[m\n"},
		{"abcdef0 short\n", "abcdef0 short\n"},
		{"+no line of a log is cut at all\n", "+no line of a log is cut at all\n"},
	} {
		if got := fit(c.line, 17); got != c.want {
			t.Errorf("%q: %q, want %q", c.line, got, c.want)
		}
	}
	if got := fit("abcdef0 without a terminal\n", 0); got != "abcdef0 without a terminal\n" {
		t.Errorf("%q", got)
	}
}
