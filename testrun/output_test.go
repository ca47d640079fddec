package testrun

import (
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
)

func TestExcerpt(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 1, outputHead, outputHead + outputTail - 64, outputHead + outputTail, 10 * outputTail} {
		e := newExcerpt()
		whole := strings.Repeat("0123456789", 1+size/10)[:size]
		for i := 0; i < len(whole); i += 7 {
			_, _ = e.Write([]byte(whole[i:min(i+7, len(whole))]))
		}
		text, cut := e.text()
		if !cut && text != whole || cut && (len(text) > 16<<10 || !strings.HasPrefix(whole, text[:100]) || !strings.HasSuffix(whole, text[len(text)-100:])) {
			t.Errorf("%d bytes became %d, cut %v", size, len(text), cut)
		}
	}
	e := newExcerpt()
	_, _ = e.Write([]byte("a\xffb\x00"))
	if text, _ := e.text(); text != "a?b\x00" {
		t.Errorf("%q", text)
	}
}

func TestUniqueIDs(t *testing.T) {
	t.Parallel()
	got := unique([]gates.Test{{ID: "b", File: "2"}, {ID: "a"}, {ID: "b", File: "1"}})
	if len(got) != 3 || got[0].ID != "a" || got[1].ID != "b" || got[1].File != "1" || got[2].ID != "b#2" {
		t.Errorf("%+v", got)
	}
}
