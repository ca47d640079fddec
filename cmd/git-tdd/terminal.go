package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/git-tdd/git-tdd/internal/clean"
	"github.com/git-tdd/git-tdd/internal/envvar"
)

// The styles of a terminal, as SGR parameters.
const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
	cyan   = "36"
)

// terminal is the only writer for people. Everything that comes from elsewhere goes through clean.
type terminal struct {
	mu     sync.Mutex
	w      io.Writer
	file   *os.File  // nil if w is not a file
	live   bool      // a terminal that can redraw its last line
	beside *terminal // the one whose live line stands on the same screen; nil if none does
	colour bool

	line  string // the live line, without its elapsed time
	since time.Time
	again *time.Timer // until it is drawn again
	shown bool
	told  sync.Map // the phases that a pipe was told of
}

// newTerminal finds out what a writer is. It honours NO_COLOR and TERM=dumb.
func newTerminal(w io.Writer, environ []string) *terminal {
	t := &terminal{w: w}
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return t
	}
	t.file = f
	t.live = envvar.Get(environ, "TERM") != "dumb"
	t.colour = t.live && envvar.Get(environ, "NO_COLOR") == ""
	return t
}

// is reports whether a path, such as /dev/stdout, leads to where this writes.
func (t *terminal) is(name string) bool {
	f, ok := t.w.(*os.File)
	if !ok {
		return false
	}
	own, err := f.Stat()
	named, err2 := os.Stat(name)
	return err == nil && err2 == nil && os.SameFile(own, named)
}

// painted is text that is clean already, with colours of ours.
type painted string

// paint cleans text, and colours it if colours are wanted.
func (t *terminal) paint(style, text string) painted {
	if !t.colour {
		return painted(clean.Text(text))
	}
	return painted("\x1b[" + style + "m" + clean.Text(text) + "\x1b[0m")
}

// printf writes one or more lines. Every argument is cleaned, unless it is painted; the format is ours.
func (t *terminal) printf(format string, args ...any) {
	for i, arg := range args {
		args[i] = cleaned(arg)
	}
	_ = t.write(fmt.Appendf(nil, format, args...))
}

// cleaned is an argument without what deceives; numbers stay numbers.
func cleaned(arg any) any {
	switch arg := arg.(type) {
	case bool, int, int64, float64, painted: // what is no text cannot deceive
		return arg
	case []byte:
		return clean.Text(string(arg))
	}
	return clean.Text(fmt.Sprint(arg))
}

// longest is how many columns of a line say what is being done: a command may name
// every test of a suite.
const longest = 160

// status shows what is being done. A terminal redraws one line; a pipe gets a line each time it changes.
func (t *terminal) status(text string) {
	if t.live {
		t.show(text, time.Now())
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if line := cut(clean.Text(text), longest); line != t.line {
		t.line = line
		_, _ = fmt.Fprintln(t.w, line)
	}
}

// phase is status for a wait that has parts: a terminal sees which command runs, a pipe
// is told of each phase once.
func (t *terminal) phase(text, command string) {
	if t.live {
		t.status(text + "  " + command)
		return
	}
	if _, told := t.told.LoadOrStore(text, true); !told {
		t.status(text)
	}
}

// show draws the live line, and keeps it going. Without a beginning, time goes on being counted.
func (t *terminal) show(text string, since time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.line, t.since = clean.Text(text), cmp.Or(since, t.since, time.Now())
	t.draw()
	if t.again == nil {
		t.again = time.AfterFunc(redrawn, t.redraw)
	}
}

// progress is status for a terminal only, and counts the time from its first call.
func (t *terminal) progress(text string) {
	if t.live {
		t.show(text, time.Time{})
	}
}

// write writes what was made harmless elsewhere.
func (t *terminal) write(text []byte) error {
	if t.beside != nil {
		t.beside.mu.Lock() // it must not draw in the middle of a line
		defer t.beside.mu.Unlock()
		t.beside.wipe()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.wipe()
	_, err := t.w.Write(text)
	return err
}

// redrawn is how often the live line is drawn.
const redrawn = time.Second / 4

// redraw redraws the live line while something runs.
func (t *terminal) redraw() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.again != nil {
		t.draw()
		t.again.Reset(redrawn)
	}
}

// width is how many columns the terminal has now; 0 if it is none.
func (t *terminal) width() int {
	if t.file == nil {
		return 0
	}
	const usual, least = 80, 20
	width, _, err := term.GetSize(int(t.file.Fd()))
	if err != nil || width < least {
		return usual
	}
	return width
}

// draw shows the live line, cut to the terminal. The elapsed time is never cut.
func (t *terminal) draw() {
	elapsed := "  " + time.Since(t.since).Truncate(time.Second).String()
	text := cut(t.line, t.width()-1-len(elapsed)) + elapsed
	_, _ = fmt.Fprintf(t.w, "\r\x1b[K%s", t.paint(dim, text))
	t.shown = true
}

// wipe removes the live line, so that other lines stand alone.
func (t *terminal) wipe() {
	if t.shown {
		_, _ = fmt.Fprint(t.w, "\r\x1b[K")
		t.shown = false
	}
}

// quiet ends the live line.
func (t *terminal) quiet() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.wipe()
	t.line, t.since = "", time.Time{}
	if t.again != nil {
		t.again.Stop()
		t.again = nil
	}
}
