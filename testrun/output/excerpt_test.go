package output

import (
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
