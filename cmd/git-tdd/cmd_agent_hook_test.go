package main

import (
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// TestAgentHookWaits: an agent that takes its time to write is heard, and where there is
// no answer in time it is told so, and what judges its commit.
func TestAgentHookWaits(t *testing.T) {
	t.Parallel()
	said := func(patience time.Duration, input io.Reader) string {
		r, out, err := os.Pipe()
		gittest.Check(t, err)
		p := newProgram(t.TempDir(), gittest.Environ(), out, out)
		p.patience = patience
		gittest.Check(t, p.agentHook(t.Context(), []string{"claude"}, input))
		gittest.Check(t, out.Close())
		text, err := io.ReadAll(r)
		gittest.Check(t, err)
		return string(text)
	}
	slow, write := io.Pipe()
	go func() {
		for _, part := range []string{"{", "not ", "json"} {
			time.Sleep(200 * time.Millisecond)
			_, _ = io.WriteString(write, part)
		}
		_ = write.Close()
	}()
	if text := said(time.Minute, slow); !strings.Contains(text, "cannot be read") {
		t.Errorf("a slow input: %q", text)
	}
	silent, _ := io.Pipe() // nobody ever writes to it
	if text := said(time.Millisecond, silent); !strings.Contains(text, `{"systemMessage":"git tdd: this was let through unjudged, because there was no answer in time; git's hooks judge the commit`) {
		t.Errorf("silence: %q", text)
	}
}
