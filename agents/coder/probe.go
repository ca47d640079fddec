package coder

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/agents/presets"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/sandbox"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// Checkup is what an agent's program says of itself, and what its files tell.
type Checkup struct {
	Program  string   // where it is; empty if it is not on the PATH, and then nothing else is known
	Version  string   // empty: it says none
	LoggedIn LoggedIn // as far as it can be told
	By       string   // by what that is told
	Unknown  []string // flags of a role's turn that its help does not name
	Silent   []string // what it was asked without an answer, and why
}

// LoggedIn says whether somebody is logged in to an agent.
type LoggedIn string

// Whether somebody is.
const (
	LoginFound   LoggedIn = "yes"
	LoginMissing LoggedIn = "no"      // the agent says so
	LoginUnknown LoggedIn = "unknown" // nothing shows a login, but not everything can be seen
)

// mostPatience is how long an agent may think about a question of a [Check].
const mostPatience = 20 * time.Second

// Check asks an agent's program for its version, its flags and its login. It costs no
// request to a model. Each question is asked in a box, with a home that shows the
// agent's settings and nothing else, and is given up after 20 seconds; after the first
// such, nothing more is asked.
func Check(ctx context.Context, p presets.Preset, fence *Fence, environ []string) (Checkup, error) {
	var c Checkup
	program, err := exec.LookPath(p.Program)
	if err != nil {
		return c, nil //nolint:nilerr // that is the finding
	}
	c.Program = program
	dir, err := os.MkdirTemp("", "git-tdd-agent-")
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return c, fmt.Errorf("make a folder for the agent: %w", err)
	}
	a := asker{preset: p, bounds: bounds{fence: fence, environ: environ, place: dir, run: p.Run, program: program, asked: true}}
	a.bounds.dir = a.bounds.temporary()
	a.bounds.within(ctx)
	err = a.bounds.makeHome()
	if err == nil {
		a.version(ctx, &c)
		a.flags(ctx, &c)
		a.login(ctx, &c)
	}
	c.Silent = a.silent
	return c, errors.Join(err, testrun.RemoveAll(dir))
}

type asker struct {
	preset presets.Preset
	bounds bounds
	silent []string
	late   bool // it let us wait in vain once
}

func (a *asker) ask(ctx context.Context, args []string) (said string, ok bool) {
	if a.late {
		return "", false
	}
	ctx, cancel := context.WithTimeout(ctx, mostPatience)
	defer cancel()
	out := output.NewTail(mostOutput)
	end, err := a.bounds.start(ctx, sandbox.Command{
		Path: shell, Args: append([]string{"sh", "-c", `exec "$0" "$@" < /dev/null`, a.bounds.program}, args...),
		Dir: a.bounds.dir, Env: a.bounds.env(a.preset.Probe.Login.Env), Stdout: out, Stderr: out,
	})
	why := ""
	switch {
	case err != nil:
		why = err.Error()
	case end.Late:
		why, a.late = "no answer within "+mostPatience.String(), true
	case end.Refused != "":
		why = end.Refused
	case end.Code != 0:
		why = strings.TrimSuffix(fmt.Sprintf("exit code %d: %s", end.Code, clip(lastLines(out.String()))), ": ")
	}
	if why != "" && !slices.Equal(args, a.preset.Probe.Login.Ask) {
		a.silent = append(a.silent, fmt.Sprintf("%s %s: %s", a.preset.Program, strings.Join(args, " "), why))
	}
	return out.String(), why == ""
}

var versionPattern = lazyregexp.New(`\d+(?:\.\d+)+`)

func (a *asker) version(ctx context.Context, c *Checkup) {
	said, ok := a.ask(ctx, []string{"--version"})
	if !ok {
		return
	}
	c.Version = versionPattern.FindString(said)
}

// flags holds the flags of a role's turn against what the program's help names.
func (a *asker) flags(ctx context.Context, c *Checkup) {
	var named strings.Builder
	for _, args := range a.preset.Probe.Help {
		said, ok := a.ask(ctx, args)
		if !ok {
			return
		}
		named.WriteString(said + "\n")
	}
	words := strings.FieldsFunc(named.String(), func(r rune) bool {
		return r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
	for _, flag := range a.preset.Run.Flags() {
		if !slices.Contains(words, flag) && !slices.Contains(a.preset.Probe.Hidden, flag) {
			c.Unknown = append(c.Unknown, flag)
		}
	}
}

// login looks for a key, then for what logging in leaves, then asks.
func (a *asker) login(ctx context.Context, c *Checkup) {
	how := a.preset.Probe.Login
	c.LoggedIn = LoginFound
	for _, name := range how.Env {
		if testrun.LookupEnv(a.bounds.environ, name) != "" {
			c.By = name
			return
		}
	}
	if len(how.Ask) > 0 {
		if said, ok := a.ask(ctx, how.Ask); ok && !slices.ContainsFunc(a.preset.Run.Login, func(sign string) bool { return strings.Contains(said, sign) }) {
			c.By = a.preset.Program + " " + strings.Join(how.Ask, " ")
			return
		}
	}
	for _, name := range how.Files {
		if fi, err := os.Stat(filepath.Join(a.bounds.users(), name)); err == nil && fi.Size() > 0 {
			c.By = "~/" + name
			return
		}
	}
	c.LoggedIn = LoginUnknown
	if len(how.Ask) > 0 && !a.late {
		c.LoggedIn = LoginMissing
	}
}
