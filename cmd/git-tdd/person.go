package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/git-tdd/git-tdd/internal/clean"
	"github.com/git-tdd/git-tdd/loop"
)

// person asks whoever sits at the terminal how to go on; nil if nobody does.
func (p *program) person() func(context.Context, loop.Question) (loop.Answer, error) {
	if !term.IsTerminal(int(os.Stdin.Fd())) {
		return nil
	}
	return func(ctx context.Context, q loop.Question) (loop.Answer, error) {
		p.err.quiet()
		tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
		if err != nil {
			return loop.Answer{Way: loop.WayStop}, nil //nolint:nilerr // as if nobody sat there
		}
		var why strings.Builder
		for line := range strings.Lines(clean.Text(q.Stop.Error())) {
			fmt.Fprintln(&why, p.err.folded(strings.TrimSuffix(line, "\n"), 0))
		}
		answers := make(chan loop.Answer, 1)
		go func() {
			defer tty.Close() //nolint:errcheck // nothing is lost
			answers <- choose(tty, why.String(), q)
		}()
		select {
		case a := <-answers:
			return a, nil
		case <-ctx.Done():
			_, _ = tty.WriteString("\n")
			return loop.Answer{}, ctx.Err()
		}
	}
}

// choose shows a question and reads the answer to it; the end of the input stops.
func choose(tty *os.File, why string, q loop.Question) loop.Answer {
	say := func(format string, args ...any) { _, _ = fmt.Fprintf(tty, format, args...) }
	say("%s", why)
	lines := bufio.NewScanner(tty)
	for {
		for _, way := range q.Ways {
			say("  %s\n", wayText(way, string(q.Role)))
		}
		say("how to go on? ")
		if !lines.Scan() {
			say("\n")
			return loop.Answer{Way: loop.WayStop}
		}
		word, text, _ := strings.Cut(strings.TrimSpace(lines.Text()), " ")
		for _, way := range q.Ways {
			if word != "" && strings.HasPrefix(string(way), strings.ToLower(word)) {
				return loop.Answer{Way: way, Text: strings.TrimSpace(text)}
			}
		}
	}
}

// wayText says what a way means.
func wayText(way loop.Way, role string) string {
	switch way {
	case loop.WayAgain:
		return "again [HINT]  the " + role + " tries again, and is told your hint"
	case loop.WaySkip:
		return "skip [WHY]    leave the step out; an open red goes back to the tester"
	case loop.WayMine:
		return "mine          you take the step yourself, and this run ends"
	case loop.WayStop:
		return "stop          end the run"
	}
	return ""
}
