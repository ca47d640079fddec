package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() { os.Exit(realMain()) }

// realMain runs the command line and returns its exit code.
func realMain() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	p := newProgram(dir, os.Environ(), os.Stdout, os.Stderr)
	defer p.close()
	return p.main(ctx, os.Args)
}
