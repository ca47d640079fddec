package testrun

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// readPythonTest runs pytest, unittest, or any command that runs pytest, and
// reads the journal of our reporter. Where there is none the exit code decides.
func readPythonTest(ctx context.Context, b *bench, argv []string) (report, error) {
	if err := removeBytecode(b.req.Dir); err != nil {
		return report{}, err
	}
	dir, journals, err := b.installReporters("*.py")
	if err != nil {
		return report{}, err
	}
	argv, ours := pythonArgs(argv)
	end, err := b.run(ctx, job{name: "test", argv: argv, env: pythonEnv(b, dir, journals)})
	if err != nil {
		return report{}, err
	}
	j, heard, err := readJournals(journals)
	switch {
	case err != nil:
		return report{}, err
	case !heard && ours:
		return silent(end, "No module named pytest"), nil
	case !heard:
		return unheard(end, "= test session starts ="), nil
	}
	p := b.places()
	return journalRun{journal: j, end: end, places: p, explain: pythonRaised{p}.explain, nothing: 5}.report(), nil
}

// pythonArgs puts our driver in the place of unittest's. ours is true where the
// command itself is a runner that we report from.
func pythonArgs(argv []string) (out []string, ours bool) {
	base := strings.TrimSuffix(filepath.Base(argv[0]), ".exe")
	if base == "pytest" || base == "py.test" {
		return argv, true
	}
	at := slices.Index(argv, "-m")
	if at < 0 || at+1 == len(argv) || (!strings.HasPrefix(base, "python") && !strings.HasPrefix(base, "pypy")) {
		return argv, false
	}
	switch argv[at+1] {
	case "pytest":
		return argv, true
	case "unittest":
		out = slices.Clone(argv)
		out[at+1] = "git_tdd_unittest"
		return out, true
	}
	return argv, false
}

// pythonEnv makes any pytest load our plugin, and keeps Python from leaving
// compiled files behind. A virtual environment in the project is used as if it
// were activated.
func pythonEnv(b *bench, dir, journals string) []string {
	join := func(parts ...string) string {
		parts = slices.DeleteFunc(parts, func(p string) bool { return p == "" })
		return strings.Join(parts, string(os.PathListSeparator))
	}
	options := strings.TrimSpace("-p git_tdd_pytest --continue-on-collection-errors " + lookup(b.env, "PYTEST_ADDOPTS"))
	env := []string{
		journalVariable + "=" + journals, "PYTHONPATH=" + join(dir, lookup(b.env, "PYTHONPATH")),
		"PYTEST_ADDOPTS=" + options, "PYTHONDONTWRITEBYTECODE=1",
	}
	for _, name := range []string{".venv", "venv"} {
		venv := filepath.Join(b.req.Dir, name)
		if runnable(filepath.Join(venv, "bin", "python")) != "" {
			return append(env, "VIRTUAL_ENV="+venv, "PATH="+join(filepath.Join(venv, "bin"), lookup(b.env, "PATH")))
		}
	}
	return env
}

// removeBytecode removes the compiled files of earlier runs. Python takes one
// for fresh where size and second of the source agree, so that it would run the
// code of another tree.
func removeBytecode(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("remove compiled files: %w", err)
	}
	defer root.Close() //nolint:errcheck // nothing is written through it
	var found []string
	err = fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == "__pycache__" {
			found = append(found, path)
			return fs.SkipDir
		}
		return err
	})
	for _, path := range found {
		err = errors.Join(err, root.RemoveAll(path))
	}
	if err != nil {
		return fmt.Errorf("remove compiled files: %w", err)
	}
	return nil
}
