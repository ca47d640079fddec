package output

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/git-tdd/git-tdd/internal/wholefile"
)

// How much of one line is kept.
const (
	lineHead = 1 << 20  // bytes of its beginning
	lineTail = 64 << 10 // bytes of its end
)

// EachLine calls line for every line of r, without its newline. A line is valid
// until the call returns; one that is too long has lost its middle.
func EachLine(r io.Reader, line func([]byte)) error {
	w := &LineWriter{Line: line}
	_, err := io.Copy(w, r)
	w.Close()
	return err
}

// WithFile opens a file for use; one that does not exist is skipped.
func WithFile(path string, use func(*os.File) error) error {
	f, err := wholefile.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // only read
	return use(f)
}

// LineWriter cuts what is written to it into lines and calls Line for each, as
// [EachLine] does. Close it to get a last line that has no newline.
type LineWriter struct {
	Line func([]byte)
	kept ends
}

// Write never fails.
func (w *LineWriter) Write(p []byte) (int, error) {
	size := len(p)
	for len(p) > 0 {
		end := bytes.IndexByte(p, '\n')
		if end < 0 {
			w.kept.write(p, lineHead, lineTail)
			break
		}
		w.kept.write(p[:end], lineHead, lineTail)
		w.flush()
		p = p[end+1:]
	}
	return size, nil
}

// flush hands on the current line.
func (w *LineWriter) flush() {
	line := w.kept.head
	if len(w.kept.tail) > 0 {
		line = joinCut(line, w.kept.tail, w.kept.lost)
	}
	w.Line(line)
	w.kept = ends{head: w.kept.head[:0]}
	if cap(w.kept.head) > lineTail {
		w.kept.head = nil // do not hold on to what one long line needed
	}
}

// Close hands on a last line that has no newline.
func (w *LineWriter) Close() {
	if len(w.kept.head) > 0 {
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
