package output

import (
	"io"
	"strings"
	"testing"
)

func TestExcerpt(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 1, headSize, headSize + tailSize, headSize + tailSize + 64, 10 * tailSize} {
		e := NewExcerpt()
		whole := strings.Repeat("0123456789", 1+size/10)[:size]
		for i := 0; i < len(whole); i += 7 {
			_, _ = e.Write([]byte(whole[i:min(i+7, len(whole))]))
		}
		text, cut := e.Text()
		if !cut && text != whole || cut && (len(text) > 16<<10 || !strings.HasPrefix(whole, text[:100]) || !strings.HasSuffix(whole, text[len(text)-100:])) {
			t.Errorf("%d bytes became %d, cut %v", size, len(text), cut)
		}
	}
	e := NewExcerpt()
	_, _ = e.Write([]byte("a\xffb\x00"))
	if text, _ := e.Text(); text != "a?b\x00" {
		t.Errorf("%q", text)
	}
}

// Whatever is copied into a tail, it holds no more than its limit, and the last of it.
func TestTail(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{0, 1, 10, 1000} {
		tail := NewTail(limit)
		whole := ""
		for _, size := range []int{0, 1, 7, 20, 2000, 3} {
			part := strings.Repeat("abcdefghijklmnopqrs", 1+size/19)[:size]
			if n, err := io.Copy(tail, struct{ io.Reader }{strings.NewReader(part)}); n != int64(size) || err != nil {
				t.Error(n, err)
			}
			if whole += part; tail.String() != whole[max(0, len(whole)-limit):] {
				t.Errorf("%d: %q", limit, tail.String())
			}
		}
		if cap(tail.kept.tail) > 2*limit+8 {
			t.Errorf("%d bytes for %d", cap(tail.kept.tail), limit)
		}
		if tail.Reset(); tail.String() != "" {
			t.Error("not empty")
		}
	}
}
