// Package sandbox runs one command so that nothing of it outlives the call: neither a daemon, nor
// what it left in the background, nor all of it when this program is killed.
//
// On Linux a box is a second start of this program, which takes over in this package's init: any
// program that imports the package, a test as well, can run boxes and need do nothing for it. The
// box gets its command over a pipe, and ends when that pipe closes.
package sandbox

import (
	"cmp"
	"context"
	"errors"
	"io"
	"time"
)

// pipeGrace is how long output may still be read after everything was killed.
const pipeGrace = 5 * time.Second

// The tiers of containment, the strongest first.
const (
	tierNamespace = "namespace"     // Linux: PID 1 of a new user, PID and mount namespace
	tierReaper    = "subreaper"     // Linux without user namespaces: every descendant is hunted down
	tierGroup     = "process-group" // other Unix: the process group is killed; a daemon can escape
	tierProcess   = "process"       // elsewhere: only the process itself is killed
)

// flag marks a start of our own program as a box. It has the form of a flag so
// that a program that would not know it refuses it.
const flag = "-testrun.box"

// errRefused says that the system does not let a box of a tier start.
var errRefused = errors.New("start a box")

// Command is what to run in a box. It has no terminal.
type Command struct {
	Path           string   // of the program, absolute
	Args           []string // beginning with the program's name
	Dir            string
	Env            []string  // all of it
	Stdin          io.Reader // nil: no input
	Stdout, Stderr io.Writer
	// Mounts are what the command sees elsewhere than we do, each on top of those
	// before it. They need a box of the strongest tier; see [Mounts].
	Mounts []Mount
	// Walls keep the command from the rest of the machine; nil: it is free. It runs
	// within walls of the means that they name, or not at all; see [Offered].
	Walls *Walls
}

// Ending is how a command ended.
type Ending struct {
	Code    int    // exit code; 128 + the signal's number where one killed it, 127 where it could not be started
	Signal  string // the signal that killed it, as "SIGKILL"; empty where none did
	Refused string // why it could not be started at all; empty where it was
	Late    bool   // it was killed because the context ended
}

// Run runs the command until it ends or ctx does, in a box of the strongest tier that the
// system offers. When it returns, nothing that the command started is alive, as far as the tier
// can tell. The error is about the box, the ending about the command.
func Run(ctx context.Context, c Command) (Ending, error) {
	var end Ending
	var err error
	for _, tier := range tiers() {
		if !c.fits(tier) {
			continue
		}
		if end, err = run(ctx, tier, c); !errors.Is(err, errRefused) {
			return end, err
		}
	}
	return end, cmp.Or(err, errRefused)
}

// Mounts reports whether a command can be shown a folder elsewhere. It finds out by starting a box.
func Mounts(ctx context.Context, folder string) bool {
	_, err := Run(ctx, Command{Mounts: []Mount{{From: folder, At: folder}}})
	return err == nil
}

// Tier names the tier of containment in force: "namespace", "subreaper",
// "process-group" or "process". It finds out by starting a box.
func Tier(ctx context.Context) string {
	for _, tier := range tiers() {
		if offers(ctx, tier) {
			return tier
		}
	}
	return tierProcess
}

// offers reports whether the system lets a box of a tier start.
func offers(ctx context.Context, tier string) bool {
	_, err := run(ctx, tier, Command{})
	return err == nil
}
