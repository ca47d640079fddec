package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// TestCompletion asks bash, through git's own completion.
func TestCompletion(t *testing.T) {
	t.Parallel()
	const gits = "/usr/share/bash-completion/completions/git"
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("bash is not installed")
	}
	if _, err := os.Stat(gits); err != nil {
		t.Skip("git's completion for bash is not installed")
	}
	script := completion("bash", (&program{out: newTerminal(&bytes.Buffer{}, nil)}).commands())
	for line, want := range map[string]string{
		"git tdd verif": "verify", "git tdd squ": "squash-message", "git -C / tdd sta": "status",
		"git tdd verify --fr": "--fresh", "git tdd hooks un": "uninstall", "git tdd doctor --rep": "--repair",
	} {
		words := strings.Fields(line)
		ask := script + "\n. " + gits + "\nCOMP_WORDS=(" + line + ") COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE='" + line + "' COMP_POINT=${#COMP_LINE}\n" +
			"__git_wrap__git_main\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n"
		out := gittest.Run(t, exec.CommandContext(t.Context(), "bash", "-c", ask))
		if !slices.Contains(strings.Fields(out), want) {
			t.Errorf("%s: %q does not hold %s", line, out, want)
		}
		if len(words) == 3 && len(strings.Fields(out)) != 1 {
			t.Errorf("%s: %q", line, out)
		}
	}
}

// TestCompletion_shells asks fish, and has zsh read what it would load.
func TestCompletion_shells(t *testing.T) {
	t.Parallel()
	commands := (&program{out: newTerminal(&bytes.Buffer{}, nil)}).commands()
	dir := t.TempDir()
	for _, shell := range []string{"zsh", "fish"} {
		script := completion(shell, commands)
		t.Run(shell, func(t *testing.T) {
			t.Parallel()
			gittest.Need(t, shell)
			file := filepath.Join(dir, "_git-tdd."+shell)
			gittest.Write(t, file, script)
			gittest.Run(t, exec.CommandContext(t.Context(), shell, "-n", file))
			if shell == "zsh" {
				return
			}
			for line, want := range map[string]string{"git-tdd verif": "verify", "git-tdd hooks un": "uninstall", "git-tdd verify --fr": "--fresh"} {
				out := gittest.Run(t, exec.CommandContext(t.Context(), shell, "--no-config", "-c", "source "+file+"; complete -C '"+line+"'"))
				if !slices.Contains(strings.Fields(out), want) {
					t.Errorf("%s: %q does not hold %s", line, out, want)
				}
			}
		})
	}
}
