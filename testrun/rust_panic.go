package testrun

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

var (
	rustPanicRE = regexp.MustCompile(`(?m)^thread '([^\n]*)' (?:\(\d+\) )?panicked at ([^\n]*):(\d+):\d+:\n`)
	rustStubRE  = regexp.MustCompile(`^not (yet )?implemented`)
	rustHopeRE  = regexp.MustCompile("^assertion failed|^assertion `|(?i)^[^\n]*assertion|^snapshot|^test failed:")
	// rustStdRE holds what the standard library says when it panics by itself.
	rustStdRE = regexp.MustCompile("^called `(Option|Result)::|^index out of bounds|^attempt to |^(slice|range|byte) .*(index|out of)|" +
		"^(already|RefCell) .*borrowed|^internal error: entered unreachable code|^capacity overflow|" +
		"^end byte index|^start byte index|^cannot (access|call)|^removal index|^swap_remove index|^mid > len|^invalid utf-8")
)

// rustPanic is a panic that a test printed.
type rustPanic struct {
	thread, file string
	line         int
	text         string // its message
}

// findPanic picks the panic that decides a test: the last of the test's own
// thread, or else the first of any.
func findPanic(output, thread string) (rustPanic, bool) {
	hits := rustPanicRE.FindAllStringSubmatchIndex(output, -1)
	if len(hits) == 0 {
		return rustPanic{}, false
	}
	best := hits[0]
	for _, h := range hits {
		if output[h[2]:h[3]] == thread {
			best = h
		}
	}
	line, _ := strconv.Atoi(output[best[6]:best[7]]) // digits; too many are line 0
	text, _, _ := strings.Cut(output[best[1]:], "\nnote: run with `RUST_BACKTRACE")
	return rustPanic{thread: output[best[2]:best[3]], file: output[best[4]:best[5]], line: line, text: strings.TrimSpace(text)}, true
}

// rustFailure says why a test failed, from what it printed. name is the test's
// name within its binary; at says in whose code a panic at that place is.
func rustFailure(output, name string, at func(file string, line int) place) gates.Class {
	switch {
	case strings.Contains(output, "test did not panic as expected"),
		strings.Contains(output, "panic did not contain expected string"):
		return gates.ClassAssertion
	}
	p, ok := findPanic(output, name)
	if !ok {
		return gates.ClassException // "Error: …", or nothing at all
	}
	where := at(p.file, p.line)
	switch {
	case rustStubRE.MatchString(p.text):
		return gates.ClassUnimplemented
	case where == placeSource, rustStdRE.MatchString(p.text):
		return gates.ClassException
	case where == placeTest, rustHopeRE.MatchString(p.text):
		return gates.ClassAssertion
	}
	return gates.ClassException
}
