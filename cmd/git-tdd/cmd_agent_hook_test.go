package main

import (
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// TestAgentHookWaitsForNobody: whatever takes too long lets the agent go on.
func TestAgentHookWaitsForNobody(t *testing.T) {
	t.Parallel()
	said, out, err := os.Pipe()
	gittest.Check(t, err)
	p := newProgram(t.TempDir(), gittest.Environ(), out, out)
	p.patience = time.Millisecond
	silent, _ := io.Pipe() // nobody ever writes to it
	gittest.Check(t, p.agentHook(t.Context(), []string{"claude"}, silent))
	gittest.Check(t, out.Close())
	if text, err := io.ReadAll(said); err != nil || strings.TrimSpace(string(text)) != "" {
		t.Errorf("%q %v", text, err)
	}
}
