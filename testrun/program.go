package testrun

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/git-tdd/git-tdd/sandbox"
)

// Launch finds the program of a command and runs it in a box: the [Starter] of a
// request that names none. A missing program is reported where its output would go.
func Launch(ctx context.Context, c sandbox.Command) (sandbox.Ending, error) {
	found := func(path string) bool { return runnable(c.Outside(path)) }
	if c.Path = locate(c.Args[0], c.Dir, c.Env, found); c.Path == "" {
		missing := c.Args[0] + " is not installed, or not on PATH"
		_, err := io.WriteString(c.Stderr, missing)
		return sandbox.Ending{Code: 127, Refused: missing}, err
	}
	return sandbox.Run(ctx, c)
}

// Locate finds the program that a command names, the way a shell in dir with
// this environment would. It returns "" where there is none.
func Locate(program, dir string, env []string) string {
	return locate(program, dir, env, runnable)
}

// locate is [Locate] for whoever decides otherwise what a path leads to.
func locate(program, dir string, env []string, runnable func(path string) bool) string {
	if runtime.GOOS == "windows" {
		found, _ := exec.LookPath(program) // not found is the empty path
		return found
	}
	if strings.Contains(program, "/") {
		if !filepath.IsAbs(program) {
			program = filepath.Join(dir, program)
		}
		if runnable(program) {
			return program
		}
		return ""
	}
	for _, place := range filepath.SplitList(LookupEnv(env, "PATH")) {
		if !filepath.IsAbs(place) {
			continue // a program of the project must be named with its path
		}
		if path := filepath.Join(place, program); runnable(path) {
			return path
		}
	}
	return ""
}

// runnable reports whether a path is that of a file that may be executed.
func runnable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir() && info.Mode()&0o111 != 0
}
