package testrun

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-tdd/git-tdd/testrun/output"
)

// Toolchain is what a toolchain says of itself.
type Toolchain struct {
	// Text changes when the toolchain does: what its tools say of themselves and
	// the files that choose it.
	Text string
	// Failed says of each tool that gave no version what became of it.
	Failed []string
}

// Versions asks the tools of a language for their versions.
func Versions(ctx context.Context, req Request) (Toolchain, error) {
	s, err := newSession(req)
	if err != nil {
		return Toolchain{}, err
	}
	var out strings.Builder
	var failed []string
	for _, argv := range req.Language.Tools {
		end, err := s.Run(ctx, Job{Name: "version", Argv: argv})
		if err != nil {
			return Toolchain{}, err
		}
		fmt.Fprintf(&out, "%s: %d\n%s\n", strings.Join(argv, " "), end.Exit, end.Output)
		if end.Exit != 0 || end.TimedOut {
			failed = append(failed, fmt.Sprintf("%s: exit %d: %s", strings.Join(argv, " "), end.Exit, output.LastLine(end.Output)))
		}
	}
	for _, name := range req.Folder.Up(req.Language.VersionFiles) {
		if raw, err := os.ReadFile(filepath.Join(req.Dir, filepath.FromSlash(name))); err == nil {
			fmt.Fprintf(&out, "%s:\n%s\n", name, raw)
		}
	}
	return Toolchain{Text: out.String(), Failed: failed}, nil
}

// Programs describes the files that the commands of a request would run, without
// running or writing anything: for a language that names no tools they are the
// toolchain. Those in the project's own folder count by their names.
func Programs(req Request) string {
	var out strings.Builder
	env := environ(req, "")
	for _, argv := range [][]string{req.Commands.Fmt, req.Commands.Check, req.Commands.Test} {
		if len(argv) == 0 {
			continue
		}
		path := Locate(argv[0], req.Dir, env)
		fmt.Fprintf(&out, "%s: %s", argv[0], path)
		if info, err := os.Stat(path); err == nil && !strings.HasPrefix(path, req.Dir) {
			fmt.Fprintf(&out, " %d %d", info.Size(), info.ModTime().UnixNano())
		}
		out.WriteByte('\n')
	}
	return out.String()
}
