package output

import (
	"bytes"
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

// ring keeps the last bytes written to it. The zero value keeps none.
type ring struct {
	size int
	buf  []byte
	next int
}

// write takes p in and returns how many older bytes it pushed out.
func (r *ring) write(p []byte) (lost int) {
	if len(p) > r.size {
		lost = len(p) - r.size
		p = p[lost:]
	}
	n := min(r.size-len(r.buf), len(p))
	r.buf, p = append(r.buf, p[:n]...), p[n:]
	for len(p) > 0 {
		n := copy(r.buf[r.next:], p)
		r.next = (r.next + n) % r.size
		lost += n
		p = p[n:]
	}
	return lost
}

// bytes returns what is kept, in order.
func (r *ring) bytes() []byte {
	return append(bytes.Clone(r.buf[r.next:]), r.buf[:r.next]...)
}

// ends keeps the first and the last bytes written to it, and counts the others.
type ends struct {
	head []byte
	tail ring
	lost int
}

// write takes p in. As many bytes are the beginning as most says.
func (e *ends) write(p []byte, most int) {
	n := min(most-len(e.head), len(p))
	e.head = append(e.head, p[:n]...)
	e.lost += e.tail.write(p[n:])
}

// Excerpt keeps the first and last of what is written to it, 16 KiB in all, of several writers too.
type Excerpt struct {
	mu   sync.Mutex
	kept ends
}

// NewExcerpt returns an empty excerpt.
func NewExcerpt() *Excerpt { return &Excerpt{kept: ends{tail: ring{size: tailSize}}} }

// Write takes in more output. It never fails.
func (e *Excerpt) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.kept.write(p, headSize)
	return len(p), nil
}

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
	text = strings.ToValidUTF8(string(e.kept.head)+middle+string(e.kept.tail.bytes()), "?")
	return WithoutColours(text), e.kept.lost > 0
}

// Tail keeps the end of what is written to it, and nothing else: it is no
// [io.ReaderFrom], past whose Write a copy could go. It is safe for several writers.
type Tail struct {
	mu   sync.Mutex
	ring ring
}

// NewTail keeps as many bytes as the limit says.
func NewTail(limit int) *Tail { return &Tail{ring: ring{size: limit}} }

// Write takes in more output. It never fails.
func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ring.write(p)
	return len(p), nil
}

// String returns what was kept.
func (t *Tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.ring.bytes())
}

// Reset forgets everything.
func (t *Tail) Reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ring = ring{size: t.ring.size}
}
