package main

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/clean"
)

// TestTerminalCleans: whatever an argument is, what it says is cleaned; only the
// colours that we painted pass.
func TestTerminalCleans(t *testing.T) {
	t.Parallel()
	const evil = "\x1b[2J\x07\u202e\u200b\u0085\r\U000E0041"
	type named string
	for _, arg := range []any{evil, named(evil), []byte(evil), errors.New(evil), []string{evil}, struct{ S string }{evil}, fmt.Errorf("%w", errors.New(evil))} {
		var out bytes.Buffer
		term := &terminal{w: &out, colour: true}
		term.printf("%s %s\n", arg, term.paint(red, evil))
		got := strings.ReplaceAll(strings.Replace(out.String(), "\x1b[31m", "", 1), "\x1b[0m", "")
		if clean.Text(got) != got {
			t.Errorf("%T: %q", arg, out.String())
		}
	}
	var out bytes.Buffer
	(&terminal{w: &out}).status(evil)
	if clean.Text(out.String()) != out.String() {
		t.Errorf("status: %q", out.String())
	}
	out.Reset()
	(&terminal{w: &out}).status(strings.Repeat("TestOne|", 700))
	if n := columns(strings.TrimSpace(out.String())); n > longest {
		t.Errorf("status: %d columns", n)
	}
}

func TestCleanKeepingColours(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"\x1b[33mabc\x1b[m \x1b[1;31mred\x1b[0m\n": "\x1b[33mabc\x1b[m \x1b[1;31mred\x1b[0m\n",
		"\x1b[8mhidden":         `\u001b[8mhidden`,
		"\x1b[31;41mred on red": `\u001b[31;41mred on red`,
		"\x1b]52;c;x\x07":       `\u001b]52;c;x\u0007`,
		"a\x00\x1b[2J":          "a\x00\\u001b[2J",
	} {
		if got := cleanKeepingColours(line); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

// A commit through the hooks may run the same command many times.
func TestStatus_onAPipeOncePerChange(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	term := &terminal{w: &out}
	for _, text := range []string{"check", "test", "test", "test", "check"} {
		term.status(text)
	}
	if want := "check\ntest\ncheck\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}
