package commitmsg

import (
	"strings"
	"testing"
)

func seeds() []string {
	all := pieces()
	for _, p := range pieces() {
		all = append(all, "feat: x\n\n"+p, "feat: x\n\nTdd-Role: tester\n"+p, "feat: x\n\n"+p+"Tdd-Role: tester\n", p+"\nTdd-Role: tester\n"+p)
	}
	return append(all, "", "\x00", "a\n\nb: c\x00\nd: e\n")
}

func FuzzTrailers(f *testing.F) {
	git := newOracle(f)
	for _, text := range seeds() {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		compare(t, git, []string{text, AppendTrailers(text, added()), Parse(text).String()})
	})
}

func FuzzHeader(f *testing.F) {
	for _, s := range []string{
		"", "feat", "feat:", "feat: ", "feat:  x ", "feat:x", "feat(: x", "feat(a)x: y", "feat(): x", "feat!!: x",
		"Feat(ABC)!: X", "foo bar: x", "größe: x", "feat(größe): x", ": x", "(a): x", "feat(a:b): x", "feat: x\r\nbody", "\r", "()",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, subject string) {
		h, err := ParseHeader(subject)
		if err != nil {
			if !strings.Contains(err.Error(), "write ") {
				t.Errorf("%q: the error gives no advice: %v", subject, err)
			}
			return
		}
		if again, err := ParseHeader(h.String()); err != nil || again != h {
			t.Errorf("%q is %+v, written %q, and that is %+v, %v", subject, h, h.String(), again, err)
		}
	})
}
