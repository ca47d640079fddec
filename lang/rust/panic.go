package rust

import (
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// stdPanics lists how the messages begin with which the standard library itself
// panics.
func stdPanics() []string {
	return []string{
		"called `Option::", "called `Result::", "index out of bounds", "attempt to ", "slice index ", "range start index ",
		"range end index ", "byte index ", "start byte index ", "end byte index ", "already borrowed", "already mutably borrowed",
		"RefCell already ", "internal error: entered unreachable code", "capacity overflow", "cannot access a Thread Local",
		"removal index ", "swap_remove index ", "insertion index ", "mid > len", "invalid utf-8",
	}
}

// panicMessage is a panic that a test printed.
type panicMessage struct {
	thread, file string
	line         int
	text         string // its message
}

// findPanic picks the panic that decides a test: the last one of the test's own
// thread, or else the first of any thread.
func findPanic(output, thread string) (best panicMessage, ok bool) {
	for rest := "\n" + output; ; {
		_, after, more := strings.Cut(rest, "\nthread '")
		if !more {
			return best, ok
		}
		rest = after
		if p, is := readPanic(after); is && (!ok || p.thread == thread) {
			best, ok = p, true
		}
	}
}

// quotedPanicPattern is how a panic was printed before Rust 1.73.
var quotedPanicPattern = lazyregexp.New(`^(?s:([^\n]*?)' panicked at '(.*?)', ([^\n']+):(\d+):\d+)(?:\n|$)`)

// readPanic reads a panic from behind "thread '" on.
func readPanic(text string) (p panicMessage, ok bool) {
	if hit := quotedPanicPattern.FindStringSubmatch(text); hit != nil {
		return panicMessage{thread: hit[1], text: hit[2], file: hit[3], line: output.Atoi(hit[4])}, true
	}
	head, message, _ := strings.Cut(text, "\n")
	thread, where, found := strings.Cut(head, "panicked at ")
	parts := strings.Split(strings.TrimSuffix(where, ":"), ":")
	if !found || len(parts) < 3 || !strings.HasSuffix(where, ":") {
		return p, false
	}
	p.thread, _, _ = strings.Cut(thread, "' ")
	p.file = strings.Join(parts[:len(parts)-2], ":")
	p.line, _ = strconv.Atoi(parts[len(parts)-2])
	message, _, _ = strings.Cut(message, "\nnote: run with `RUST_BACKTRACE")
	p.text = strings.TrimSpace(message)
	return p, true
}

// expects reports whether the first line of a panic is about an expectation, as
// those of assertion crates are. Some of them panic where no path leads to them: a
// function that is handed on as a value panics in the standard library.
func (p panicMessage) expects() bool {
	first, _, _ := strings.Cut(strings.ToLower(p.text), "\n")
	return strings.Contains(first, "assertion") || output.HasAnyPrefix(first, "snapshot", "test failed:") ||
		commandPattern.MatchString(first)
}

// commandPattern matches what assert_cmd and assert_fs say.
var commandPattern = lazyregexp.New(`^(?:unexpected (?:failure\.|success|completion|(?:return code|stdout|stderr|file), failed )|command interrupted$)`)

// failureClass says why a test failed, from what it printed. name is the test's
// name within its binary; at says in whose code a panic at that place is.
func failureClass(printed, name string, at func(file string, line int) testrun.Place) gates.Class {
	switch {
	case strings.Contains(printed, "test did not panic as expected"),
		strings.Contains(printed, "panic did not contain expected string"):
		return gates.ClassAssertion
	}
	p, ok := findPanic(printed, name)
	if !ok {
		return gates.ClassException // "Error: …", or nothing at all
	}
	where := at(p.file, p.line)
	switch {
	case output.HasAnyPrefix(p.text, "not implemented", "not yet implemented"):
		return gates.ClassUnimplemented
	case where == testrun.InSource, output.HasAnyPrefix(p.text, stdPanics()...):
		return gates.ClassException
	case where == testrun.InTest, p.expects():
		return gates.ClassAssertion
	}
	return gates.ClassException
}
