package output

import (
	"fmt"
	"strings"
	"sync"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// How much an [Excerpt] keeps.
const (
	headSize = 4 << 10     // bytes of the beginning
	tailSize = 12<<10 - 64 // bytes of the end, less room for the note between them
)

// ends keeps the first and the last bytes written to it, and counts the others.
type ends struct {
	head, tail []byte
	lost       int
}

// write takes p in: so many bytes are the beginning, and so many the end.
func (e *ends) write(p []byte, first, last int) {
	n := min(first-len(e.head), len(p))
	e.head, p = append(e.head, p[:n]...), p[n:]
	out := max(0, len(e.tail)+len(p)-last)
	old := min(out, len(e.tail))
	e.tail, e.lost = append(e.tail[old:], p[out-old:]...), e.lost+out
}

// shared is written to by several writers.
type shared struct {
	mu          sync.Mutex
	kept        ends
	first, last int // how many bytes of either end are kept
}

// Write takes in more output. It never fails.
func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept.write(p, s.first, s.last)
	return len(p), nil
}

// Excerpt keeps the first and last of what is written to it, 16 KiB in all, of several writers too.
type Excerpt struct{ shared }

// NewExcerpt returns an empty excerpt.
func NewExcerpt() *Excerpt { return &Excerpt{shared{first: headSize, last: tailSize}} }

var colourPattern = lazyregexp.New(`\x1b\[[0-9;]*m`)

// WithoutColours is a text without the marks by which terminals colour it.
func WithoutColours(text string) string { return colourPattern().ReplaceAllString(text, "") }

// Text returns what was kept as valid UTF-8 and without colours, and whether something is missing.
func (e *Excerpt) Text() (text string, truncated bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	middle := ""
	if e.kept.lost > 0 {
		middle = fmt.Sprintf("\n… %d bytes left out …\n", e.kept.lost)
	}
	text = strings.ToValidUTF8(string(e.kept.head)+middle+string(e.kept.tail), "?")
	return WithoutColours(text), e.kept.lost > 0
}

// Tail keeps the end of what is written to it, and nothing else: it is no
// [io.ReaderFrom], past whose Write a copy could go. It is safe for several writers.
type Tail struct{ shared }

// NewTail keeps as many bytes as the limit says.
func NewTail(limit int) *Tail { return &Tail{shared{last: limit}} }

// String returns what was kept.
func (t *Tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.kept.tail)
}

// Reset forgets everything.
func (t *Tail) Reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = ends{}
}
