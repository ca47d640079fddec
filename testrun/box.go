package testrun

import (
	"context"
	"errors"
	"io"
	"os/exec"
	"time"
)

// boxFlag marks a start of our own program as a box. It has the form of a flag
// so that a program whose main does not call BoxMain refuses it and stops,
// instead of doing its own work a second time.
const boxFlag = "-testrun.box"

// pipeGrace is how long output may still be read after everything was killed.
const pipeGrace = 5 * time.Second

// The tiers of containment, the strongest first.
const (
	tierNamespace = "namespace"     // Linux: PID 1 of a new user, PID and mount namespace
	tierReaper    = "subreaper"     // Linux without user namespaces: every descendant is hunted down
	tierGroup     = "process-group" // other Unix: the process group is killed; a daemon can escape
	tierProcess   = "process"       // elsewhere: only the process itself is killed
)

// errRefused says that the system does not offer a tier.
var errRefused = errors.New("the system refuses this kind of box")

// errNoAnswer says that the box ended without reporting on its command.
var errNoAnswer = errors.New("the box ended without an answer: main must call testrun.BoxMain before anything else")

// boxed is a command to be run in a box.
type boxed struct {
	path           string // of the program, absolute; launch finds it
	argv           []string
	dir            string
	env            []string
	stdout, stderr io.Writer
}

// ending is how a boxed command ended.
type ending struct {
	code    int    // exit code; 128 + the signal's number where one killed it
	signal  string // the signal that killed it, as "SIGKILL"; empty where none did
	refused string // why it could not be started at all; empty where it was
	late    bool   // it was killed at its time limit
}

// BoxMain must be called by main before anything else, with os.Args. Where this
// process was started to be a box it runs the command it was given and returns
// the code to exit with and true. Otherwise it returns false at once.
func BoxMain(args []string) (code int, boxed bool) {
	if len(args) < 3 || args[1] != boxFlag {
		return 0, false
	}
	return boxMain(args[2:]), true
}

// launch finds the program of a command and runs it in a box. That it is
// missing is said where its output goes.
func launch(ctx context.Context, c boxed) (ending, error) {
	if c.path = locate(c.argv[0], c.dir, c.env); c.path == "" {
		missing := c.argv[0] + " is not installed, or not on PATH"
		_, err := io.WriteString(c.stderr, missing)
		return ending{code: 127, refused: missing}, err
	}
	end, err := runBox(ctx, c)
	end.late = ctx.Err() != nil
	return end, err
}

// runBox runs a command until it ends or ctx does. When it returns, nothing
// that the command started is alive, as far as the tier can tell. The error
// is about the box; how the command fared is in the ending.
func runBox(ctx context.Context, b boxed) (ending, error) {
	for _, tier := range tiers() {
		end, err := runTier(ctx, tier, b)
		if !errors.Is(err, errRefused) {
			return end, err
		}
	}
	return ending{}, errRefused
}

// BoxTier names the tier of containment in force: "namespace", "subreaper",
// "process-group" or "process". It finds out by starting a box.
func BoxTier() string {
	for _, tier := range tiers() {
		if probe(tier) == nil {
			return tier
		}
	}
	return tierProcess
}

// waited sorts the error of exec.Cmd.Wait: that a process failed, was killed
// or left a pipe open is no failure of the box.
func waited(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) || errors.Is(err, exec.ErrWaitDelay) ||
		errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}
