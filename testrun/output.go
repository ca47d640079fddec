package testrun

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
)

// How much of a command's output is held in memory and on disk.
const (
	outputHead = 4 << 10  // bytes of the beginning in Run.Output
	outputTail = 12 << 10 // bytes of the end in Run.Output, less the note between them
	lineHead   = 1 << 20  // bytes of the beginning of one line that a reader sees
	lineTail   = 64 << 10 // bytes of its end
	LogLimit   = 64 << 20 // bytes that go to Request.Log in one call
)

// ring keeps the last bytes written to it. The zero value keeps none.
type ring struct {
	buf  []byte
	next int
	full bool
}

func newRing(size int) ring { return ring{buf: make([]byte, 0, size)} }

// write takes p in and returns how many older bytes it pushed out.
func (r *ring) write(p []byte) (lost int) {
	size := cap(r.buf)
	if len(p) > size {
		lost = len(p) - size
		p = p[lost:]
	}
	for len(p) > 0 {
		if !r.full {
			n := min(size-len(r.buf), len(p))
			r.buf = append(r.buf, p[:n]...)
			r.full = len(r.buf) == size
			p = p[n:]
			continue
		}
		n := copy(r.buf[r.next:], p)
		r.next = (r.next + n) % size
		lost += n
		p = p[n:]
	}
	return lost
}

// bytes returns what is kept, in order.
func (r *ring) bytes() []byte {
	return append(bytes.Clone(r.buf[r.next:]), r.buf[:r.next]...)
}

// excerpt keeps the beginning and the end of what is written to it, in bounded
// memory, and is safe for several writers.
type excerpt struct {
	mu   sync.Mutex
	head []byte
	tail ring
	lost int
}

func newExcerpt() *excerpt {
	const note = 64 // room for the note
	return &excerpt{tail: newRing(outputTail - note)}
}

// Write takes in more output. It never fails.
func (e *excerpt) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	n := min(outputHead-len(e.head), len(p))
	e.head = append(e.head, p[:n]...)
	e.lost += e.tail.write(p[n:])
	return len(p), nil
}

// text returns what was kept as valid UTF-8 and without colours, and whether
// something is missing.
func (e *excerpt) text() (text string, truncated bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	middle := ""
	if e.lost > 0 {
		middle = fmt.Sprintf("\n… %d bytes left out …\n", e.lost)
	}
	text = strings.ToValidUTF8(string(e.head)+middle+string(e.tail.bytes()), "?")
	return regexp.MustCompile(`\x1b\[[0-9;]*m`).ReplaceAllString(text, ""), e.lost > 0
}

// capped passes on the first bytes and drops the rest; it never fails, because
// a log that cannot be written must not change a verdict.
type capped struct {
	mu   sync.Mutex
	w    io.Writer
	left int
}

// Write passes on what still fits.
func (c *capped) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := min(c.left, len(p)); n > 0 && c.w != nil {
		if _, err := c.w.Write(p[:n]); err != nil {
			c.w = nil
		}
		c.left -= n
	}
	return len(p), nil
}

// lineWriter cuts what is written to it into lines and hands each one on,
// without its newline. Of a line that is too long it keeps beginning and end.
type lineWriter struct {
	line func([]byte)
	head []byte
	tail ring
	lost int
}

// Write never fails.
func (w *lineWriter) Write(p []byte) (int, error) {
	size := len(p)
	for len(p) > 0 {
		end := bytes.IndexByte(p, '\n')
		if end < 0 {
			w.add(p)
			break
		}
		w.add(p[:end])
		w.flush()
		p = p[end+1:]
	}
	return size, nil
}

// add takes in more of the current line.
func (w *lineWriter) add(p []byte) {
	n := min(lineHead-len(w.head), len(p))
	w.head = append(w.head, p[:n]...)
	if n == len(p) {
		return
	}
	if cap(w.tail.buf) == 0 {
		w.tail = newRing(lineTail)
	}
	w.lost += w.tail.write(p[n:])
}

// flush hands on the current line.
func (w *lineWriter) flush() {
	line := w.head
	if len(w.tail.buf) > 0 {
		line = joinCut(line, w.tail.bytes(), w.lost)
	}
	w.line(line)
	w.head, w.tail, w.lost = w.head[:0], ring{}, 0
	if cap(w.head) > lineTail {
		w.head = nil // do not hold on to what one long line needed
	}
}

// close hands on a last line that has no newline.
func (w *lineWriter) close() {
	if len(w.head) > 0 {
		w.flush()
	}
}

// joinCut joins beginning and end of a line so that, where the cut went through
// a string of JSON, the string is whole again: no escape sequence is left in two.
func joinCut(head, tail []byte, lost int) []byte {
	if lost == 0 {
		return append(head, tail...)
	}
	if i := bytes.LastIndexByte(head, '\\'); i >= len(head)-6 && i >= 0 {
		head = bytes.TrimRight(head[:i], `\`)
	}
	for i := 1; i < len(tail); i++ {
		if tail[i-1] != '\\' {
			tail = tail[i:]
			break
		}
	}
	return append(append(head, " … "...), tail...)
}

// EachLine hands every line of r to line, however long it is.
func EachLine(r io.Reader, line func([]byte)) error {
	w := &lineWriter{line: line}
	_, err := io.Copy(w, r)
	w.close()
	return err
}
