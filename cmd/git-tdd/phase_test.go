package main

import (
	"strings"
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/facts"
)

// A pipe hears of each phase once, however many commands it has.
func TestWaiting_pipe(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	p := newProgram(t.TempDir(), nil, nil, &out)
	defer p.close()
	staged := p.waiting("what is staged")
	for _, d := range []facts.Doing{{Name: "check", Last: time.Minute}, {Name: "test"}, {Name: "test", Altered: true}, {Name: "test"}, {Name: "test", Altered: true}} {
		staged.Phase(d)
	}
	if want := "measuring what is staged\nasking what the tests notice\n"; out.String() != want {
		t.Errorf("a pipe is told %q, want %q", out.String(), want)
	}
}

func TestCommand(t *testing.T) {
	t.Parallel()
	d := facts.Doing{Name: "test", Argv: []string{"npm", "test"}, Last: 12300 * time.Millisecond}
	if got, want := command(d), "(last time 12s)  test: npm test"; got != want {
		t.Errorf("command = %q, want %q", got, want)
	}
	d.Folder, d.Last = "web", 0
	if got, want := command(d), "test in web: npm test"; got != want {
		t.Errorf("command = %q, want %q", got, want)
	}
}
