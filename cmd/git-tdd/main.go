package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/git-tdd/git-tdd/adopt"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/nearest"
	"github.com/git-tdd/git-tdd/katas"
	"github.com/git-tdd/git-tdd/llm"
	"github.com/git-tdd/git-tdd/loop"
	"github.com/git-tdd/git-tdd/prove"
	"github.com/git-tdd/git-tdd/verify"
)

func main() { os.Exit(realMain(patience)) }

// realMain runs the command line and returns its exit code. patience is how long an
// agent's hook may take.
func realMain(patience time.Duration) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	p := newProgram(dir, os.Environ(), os.Stdout, os.Stderr)
	p.patience = patience
	defer p.close()
	return p.main(ctx, os.Args)
}

// The exit codes, the same for every command.
const (
	exitOK          = 0   // accepted, or done
	exitRefused     = 1   // refused by a gate
	exitUsage       = 2   // the command line, the configuration or the state of the repository
	exitUnjudged    = 3   // could not judge: a tool is missing, a timeout, infrastructure
	exitStuck       = 4   // out of attempts or budget
	exitInterrupted = 130 // interrupted
)

// exitError ends the program with an exit code. Without a text it has been reported.
type exitError struct {
	code int
	text string
}

func (e *exitError) Error() string { return e.text }

func usage(text string) error    { return &exitError{exitUsage, text} }
func refused(text string) error  { return &exitError{exitRefused, text} }
func unjudged(text string) error { return &exitError{exitUnjudged, text} }

// exitCode maps an error to its exit code.
func exitCode(ctx context.Context, err error) int {
	if err == nil {
		return exitOK
	}
	if ctx.Err() != nil {
		return exitInterrupted
	}
	if stop, ok := errors.AsType[*loop.StopError](err); ok {
		return stopCode(stop.Reason)
	}
	if setup, ok := errors.AsType[*adopt.Error](err); ok {
		return map[adopt.Reason]int{adopt.Unfit: exitUsage, adopt.Red: exitRefused, adopt.Unmeasured: exitUnjudged}[setup.Reason]
	}
	if end, ok := errors.AsType[*exitError](err); ok {
		return end.code
	}
	if isUsage(err) {
		return exitUsage
	}
	return exitUnjudged
}

func isUsage(err error) bool {
	_, settings := errors.AsType[*config.Error](err)
	_, collision := errors.AsType[*gitx.CollisionError](err)
	_, untrusted := errors.AsType[*untrustedError](err)
	model, asked := errors.AsType[*llm.Error](err)
	return settings || collision || untrusted || asked && model.Kind == llm.KindAuth ||
		errors.Is(err, loop.ErrNotReady) || errors.Is(err, gitx.ErrInterrupted) || errors.Is(err, gitx.ErrNotRepository) || errors.Is(err, gitx.ErrBare) ||
		errors.Is(err, config.ErrNoLanguage) || errors.Is(err, config.ErrNoModel) || errors.Is(err, katas.ErrUnknown) || errors.Is(err, prove.ErrChange) || errors.Is(err, verify.ErrRange)
}

// stopCode maps the reason of a stop to its exit code.
func stopCode(r loop.Reason) int {
	switch r {
	case loop.Done, loop.HumanTurn:
		return exitOK
	case loop.Contradicted:
		return exitRefused
	case loop.Stuck, loop.NoProgress, loop.MaxCycles, loop.Unmet, loop.Disputed, loop.Isolation, loop.Budget:
		return exitStuck
	case loop.Unjudged, loop.NoAnswer:
		return exitUnjudged
	}
	return exitUnjudged
}

func quote(s string) string { return "“" + s + "”" }

// meant suggests the known word that is closest to a mistyped one.
func meant(word string, known []string) string {
	if k := nearest.Of(word, known); k != "" {
		return "; did you mean " + quote(k) + "?"
	}
	return ""
}

// noSuch is the error for a word that is none of those that are known.
func noSuch(what, word string, known []string) error {
	return usage("there is no " + what + " " + quote(word) + meant(word, known) + "; there are " + strings.Join(known, ", "))
}
