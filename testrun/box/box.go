// Package box runs one command so that nothing of it outlives the call: neither
// a daemon, nor what it left in the background, nor all of it when this program
// is killed.
//
// On Linux a box is a second start of this program, which the package inside takes
// over while it is initialised: any program that imports this one, a test as well,
// can run boxes and need do nothing for it. A box is started for every run of a
// project's tests, and can be started ahead of its command.
package box

import (
	"context"
	"io"
	"time"

	"github.com/git-tdd/git-tdd/testrun/box/inside"
)

// pipeGrace is how long output may still be read after everything was killed.
const pipeGrace = 5 * time.Second

// The tiers of containment, the strongest first.
const (
	tierNamespace = inside.Namespace // Linux: PID 1 of a new user, PID and mount namespace
	tierReaper    = inside.Reaper    // Linux without user namespaces: every descendant is hunted down
	tierGroup     = "process-group"  // other Unix: the process group is killed; a daemon can escape
	tierProcess   = "process"        // elsewhere: only the process itself is killed
)

// Command is what to run in a box. It has no input and no terminal.
type Command struct {
	Path           string   // of the program, absolute
	Args           []string // beginning with the program's name
	Dir            string
	Env            []string // all of it
	Stdout, Stderr io.Writer
}

// Ending is how a command ended.
type Ending struct {
	Code    int    // exit code; 128 + the signal's number where one killed it, 127 where it could not be started
	Signal  string // the signal that killed it, as "SIGKILL"; empty where none did
	Refused string // why it could not be started at all; empty where it was
	Late    bool   // it was killed because the context ended
}

// Run runs a command in a box that is started for it; see [Box.Run].
func Run(ctx context.Context, c Command) (Ending, error) { return Start().Run(ctx, c) }

// Tier names the tier of containment in force: "namespace", "subreaper",
// "process-group" or "process". It finds out by starting a box.
func Tier() string {
	for _, tier := range tiers() {
		if start(tier).Close() == nil {
			return tier
		}
	}
	return tierProcess
}
