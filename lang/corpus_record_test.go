package lang_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/git-tdd/git-tdd/sandbox"
	"github.com/git-tdd/git-tdd/testrun"
)

// record runs a case with its real runner and writes down what that does. It
// works at a place that is always the same, because compilers name files by it.
func (c corpusCase) record(t *testing.T) {
	t.Helper()
	root := filepath.Join(os.TempDir(), "git-tdd-corpus", filepath.Base(filepath.Dir(c.path)), c.name())
	if err := os.RemoveAll(root); err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(root) //nolint:errcheck // the next recording removes it, too
	req := c.live(t, root)
	clean := newCleaner(t, req)
	archive := txtar.Archive{Comment: c.comment, Files: c.written}
	count := 0
	req.Start = func(ctx context.Context, cmd sandbox.Command) (sandbox.Ending, error) {
		run, err := c.watch(ctx, req, cmd)
		count++
		prefix := fmt.Sprintf("recorded/%d/", count)
		archive.Files = append(archive.Files, clean.files(t, prefix, run)...)
		return run.end, err
	}
	c.judge(t, req)
	if err := os.WriteFile(c.path, txtar.Format(&archive), 0o600); err != nil {
		t.Fatal(err)
	}
}

// watch runs a command and notes all that it did.
func (c corpusCase) watch(ctx context.Context, req testrun.Request, cmd sandbox.Command) (run recordedRun, err error) {
	before := c.left(req)
	var output, stdout, stderr bytes.Buffer
	if cmd.Stdout == cmd.Stderr {
		cmd.Stdout = io.MultiWriter(cmd.Stdout, &output)
		cmd.Stderr = cmd.Stdout
	} else {
		cmd.Stdout, cmd.Stderr = io.MultiWriter(cmd.Stdout, &stdout), io.MultiWriter(cmd.Stderr, &stderr)
	}
	run.argv = strings.Join(cmd.Args, " ")
	run.end, err = testrun.Launch(ctx, cmd)
	run.output, run.stdout, run.stderr = output.Bytes(), stdout.Bytes(), stderr.Bytes()
	run.files = c.left(req)
	maps.DeleteFunc(run.files, func(name string, data []byte) bool {
		old, was := before[name]
		return was && bytes.Equal(old, data)
	})
	return run, err
}

// left are the files that a reader may look at after a command.
func (c corpusCase) left(req testrun.Request) map[string][]byte {
	keep := slices.Clone(c.settings["keep"])
	if req.Commands.Report.Path != "" {
		keep = append(keep, req.Commands.Report.Path)
	}
	out := make(map[string][]byte)
	visit := func(root, prefix string, wanted func(name string) bool) {
		_ = fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error { // what cannot be read is not kept
			if err == nil && d.Type().IsRegular() && wanted(name) {
				raw, _ := os.ReadFile(filepath.Join(root, name))
				out[path.Join(prefix, name)] = raw
			}
			return nil
		})
	}
	visit(filepath.Join(req.Scratch, "reports"), "scratch/reports", func(string) bool { return true })
	visit(req.Dir, "work", func(name string) bool {
		return slices.ContainsFunc(keep, func(pattern string) bool { return doublestar.MatchUnvalidated(pattern, name) })
	})
	return out
}
