package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
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
