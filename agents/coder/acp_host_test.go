package coder

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/coder/acp-go-sdk"
)

// A command around which no box can be put has not run, and does not look as if it had.
func TestTerminal_notStarted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h := &host{c: &Coder{dir: dir, place: filepath.Join(dir, "gone")}, ctx: t.Context(), terminals: map[string]*terminal{}}
	made, err := h.CreateTerminal(t.Context(), acp.CreateTerminalRequest{Command: "true"})
	if err != nil {
		t.Fatal(err)
	}
	end, err := h.WaitForTerminalExit(t.Context(), acp.WaitForTerminalExitRequest{TerminalId: made.TerminalId})
	if err != nil || end.ExitCode == nil || *end.ExitCode != notStarted {
		t.Errorf("%v, %v", end.ExitCode, err)
	}
	out, err := h.TerminalOutput(t.Context(), acp.TerminalOutputRequest{TerminalId: made.TerminalId})
	if err != nil || !strings.HasPrefix(out.Output, "git tdd: the command was not run: ") {
		t.Errorf("%q, %v", out.Output, err)
	}
}
