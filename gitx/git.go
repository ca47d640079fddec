package gitx

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Error says that a git command failed.
type Error struct {
	Args   []string // without the options that every call has
	Exit   int      // -1 if git did not exit by itself
	Stderr string   // its last lines
	Err    error
}

// Error names the command, its exit code and what it said.
func (e *Error) Error() string {
	how := fmt.Sprint("exit ", e.Exit)
	if e.Exit < 0 {
		how = e.Err.Error()
	}
	text := "git " + strings.Join(e.Args, " ") + ": " + how
	if e.Stderr != "" {
		text += ": " + e.Stderr
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// safeConfig switches off what could run a foreign program or let a bad path through, hooks in a
// folder too (see hooksOff for the others), and asks for durable writes and messages in UTF-8.
func safeConfig() []string {
	return []string{
		"-c", "core.fsmonitor=false",
		"-c", "core.hooksPath=/dev/null",
		"-c", "i18n.commitEncoding=UTF-8",
		"-c", "core.protectHFS=true",
		"-c", "core.protectNTFS=true",
		"-c", "core.fsync=all",
		"-c", "gc.auto=0",
		"-c", "core.quotePath=false",
	}
}

// childEnv is the environment of every git child: the user's without GIT_*, with messages in
// English. Replacements and grafts are off, so that an id means the same everywhere; nothing is
// fetched.
func childEnv(environ []string) []string {
	// The user's own choice of configuration and identity stays in force.
	kept := []string{"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"}
	env := make([]string, 0, len(environ)+9)
	for _, kv := range environ {
		name, _, _ := strings.Cut(kv, "=")
		foreign := strings.HasPrefix(name, "GIT_") || name == "LC_ALL" || name == "LANGUAGE"
		if !foreign || slices.Contains(kept, name) {
			env = append(env, kv)
		}
	}
	return append(env,
		"LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0",
		"GIT_NO_REPLACE_OBJECTS=1", "GIT_GRAFT_FILE="+os.DevNull+"/none",
		"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "GIT_PAGER=cat")
}

// call is one git command.
type call struct {
	args  []string
	stdin []byte
	env   []string // added to the repository's
	asks  bool     // it may ask the user for a passphrase
	// writes says that a ref or an index is written, after which git calls hooks.
	writes bool
	// hooked leaves the user's core.hooksPath in force, to ask where hooks are.
	hooked bool
}

// command prepares a git child. A process group of its own keeps an interrupt at the terminal
// from stopping git in the middle of a write, but only a child in the foreground group can ask
// the user anything. A cancelled context ends it gently, so that it leaves no lock behind.
func (r *Repo) command(ctx context.Context, c call) *exec.Cmd {
	args := []string{"-C", r.dir}
	if !c.hooked {
		args = append(args, safeConfig()...)
	}
	if r.explicit {
		args = append(args, "--git-dir="+r.GitDir)
	}
	if r.explicit && r.Top != "" {
		args = append(args, "--work-tree="+r.dir)
	}
	cmd := exec.CommandContext(ctx, r.git, append(args, c.args...)...)
	cmd.Env = slices.Concat(r.env, c.env)
	cmd.Stdin = bytes.NewReader(c.stdin)
	cmd.WaitDelay = 5 * time.Second
	askToEnd(cmd)
	if !c.asks {
		ownGroup(cmd)
	}
	return cmd
}

// ask runs a command that changes nothing and returns what it printed.
func (r *Repo) ask(ctx context.Context, args ...string) ([]byte, error) {
	return r.run(ctx, call{args: args})
}

// find is ask for a command that exits with 1 if there is nothing to be found.
func (r *Repo) find(ctx context.Context, args ...string) ([]byte, error) {
	out, err := r.ask(ctx, args...)
	if exited(err) == 1 {
		return nil, nil
	}
	return out, err
}

// oneID reads the id that a command has printed, after the command itself.
func oneID(out []byte, err error) (ID, error) { return ID(strings.TrimSpace(string(out))), err }

// allIDs reads the ids that a command has printed, one a line.
func allIDs(out []byte, err error) (found []ID, _ error) {
	for id := range strings.FieldsSeq(string(out)) {
		found = append(found, ID(id))
	}
	return found, err
}

// patience is how long to wait for a lock that another git holds.
const patience = 2 * time.Second

// act runs a command that writes. It waits a little for another git's lock, as git does for refs.
func (r *Repo) act(ctx context.Context, c call) ([]byte, error) {
	end := time.Now().Add(patience)
	for wait := 10 * time.Millisecond; ; wait = min(2*wait, 200*time.Millisecond) {
		out, err := r.run(ctx, c)
		if err == nil || !locked(err) || time.Now().After(end) {
			return out, err
		}
		select {
		case <-ctx.Done():
			return out, errors.Join(ctx.Err(), err)
		case <-time.After(wait):
		}
	}
}

// locked reports whether git failed because another process holds a lock.
func locked(err error) bool {
	ge, ok := errors.AsType[*Error](err)
	return ok && strings.Contains(ge.Stderr, "lock") && strings.Contains(ge.Stderr, ": File exists")
}

func (r *Repo) run(ctx context.Context, c call) ([]byte, error) {
	if c.writes {
		off, err := r.hooksOff(ctx)
		if err != nil {
			return nil, err
		}
		c.env = slices.Concat(c.env, off)
	}
	for repeats := 0; ; repeats++ {
		var stdout, stderr bytes.Buffer
		cmd := r.command(ctx, c)
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		err := cmd.Run()
		if err == nil {
			return stdout.Bytes(), nil
		}
		if c.asks || ctx.Err() != nil || repeats == maxRepeats || !signalled(err) {
			return stdout.Bytes(), &Error{Args: c.args, Exit: exited(err), Stderr: lastLines(stderr.String(), 10), Err: cmp.Or(ctx.Err(), err)}
		}
	}
}

// maxRepeats is how often a command is repeated after a signal. Nobody presses
// Ctrl-C that often between a fork and the call after it.
const maxRepeats = 5

// signalled reports whether a child was ended as terminals and service managers do it. Such a
// signal was for git-tdd, and reached a child that had no group of its own yet; everything here
// can be repeated.
func signalled(err error) bool {
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		return false
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && slices.Contains([]syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}, status.Signal())
}

// exited is the exit code of a child, or -1 if it did not exit by itself or the error is another.
func exited(err error) int {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode()
	}
	return -1
}

func lastLines(s string, n int) string {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

// hooksOff is the addition to the environment of a command that writes: it switches off the hooks
// that the configuration names. From 2.54 on, git calls some of them whenever it writes a ref or an
// index, and only later versions can switch off all hooks of an event at once.
func (r *Repo) hooksOff(ctx context.Context) ([]string, error) {
	r.hookless.Lock()
	defer r.hookless.Unlock()
	if r.hookless.env != nil {
		return r.hookless.env, nil
	}
	named, err := r.Config(ctx, nil, `^hook\..*\.event$`)
	if err != nil {
		return nil, err
	}
	env := []string{}
	for key := range named {
		n := len(env) / 2
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s.enabled", n, strings.TrimSuffix(key, ".event")), fmt.Sprintf("GIT_CONFIG_VALUE_%d=false", n))
	}
	r.hookless.env = append(env, fmt.Sprintf("GIT_CONFIG_COUNT=%d", len(env)/2))
	return r.hookless.env, nil
}
