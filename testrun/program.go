package testrun

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/git-tdd/git-tdd/testrun/box"
)

// Launch finds the program of a command and runs it in a box: the [Starter] of a
// request that names none. A missing program is reported where its output would go.
func Launch(ctx context.Context, c box.Command) (box.Ending, error) {
	if c.Path = c.Inside(Locate(c.Args[0], c.Outside(c.Dir), c.Env)); c.Path == "" {
		missing := c.Args[0] + " is not installed, or not on PATH"
		_, err := io.WriteString(c.Stderr, missing)
		return box.Ending{Code: 127, Refused: missing}, err
	}
	return box.Run(ctx, c)
}

// Locate finds the program that a command names, the way a shell in dir with
// this environment would. It returns "" where there is none.
func Locate(program, dir string, env []string) string {
	if runtime.GOOS == "windows" {
		found, _ := exec.LookPath(program) // not found is the empty path
		return found
	}
	if strings.Contains(program, "/") {
		if !filepath.IsAbs(program) {
			program = filepath.Join(dir, program)
		}
		return runnable(program)
	}
	for _, place := range filepath.SplitList(LookupEnv(env, "PATH")) {
		if !filepath.IsAbs(place) {
			continue // a program of the project must be named with its path
		}
		if found := runnable(filepath.Join(place, program)); found != "" {
			return found
		}
	}
	return ""
}

// runnable returns the path where it is a file that may be executed, else "".
func runnable(path string) string {
	info, err := os.Stat(path)
	if err != nil || info.IsDir() || info.Mode()&0o111 == 0 {
		return ""
	}
	return path
}
