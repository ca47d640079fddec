package python

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/journal"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// readTest runs pytest, unittest, or any command that runs pytest, and reads the
// journal of our reporter. Where there is none, the exit code decides.
func readTest(ctx context.Context, s *testrun.Session, argv []string) (testrun.Verdict, error) {
	if err := removeBytecode(s.Request.Dir); err != nil {
		return testrun.Verdict{}, err
	}
	argv, ours := runnerArgs(argv)
	run, reported, err := journal.Keep(ctx, s, files, func(dir string) testrun.Job { return testrun.Job{Argv: argv, Env: environ(s, dir)} })
	if err == nil && !reported && strings.Contains(run.End.Output, unloaded) {
		run.End, err = s.Run(ctx, testrun.Job{Name: "test", Argv: argv, Env: []string{"PYTHONDONTWRITEBYTECODE=1"}})
	}
	switch {
	case err != nil:
		return testrun.Verdict{}, err
	case !reported && ours:
		return journal.NoReport(run.End, "No module named pytest"), nil
	case !reported:
		return journal.ByExitCode(run.End, "= test session starts ="), nil
	}
	run.Explain, run.NoTestsExit = explainer{run.Places}.explain, 5
	return run.Verdict(), nil
}

// unloaded is what pytest says if whatever runs it looks for modules elsewhere, and not where our
// plugin is (PYTHONPATH=src pytest, in a Makefile). Then its exit code has to do.
const unloaded = "No module named 'git_tdd_pytest'"

// runnerArgs puts our driver in the place of unittest's. ours is true where the
// command itself is a runner that we report from.
func runnerArgs(argv []string) (out []string, ours bool) {
	base, at := output.Program(argv[0]), slices.Index(argv, "-m")+1
	switch {
	case base == "pytest" || base == "py.test":
		return argv, true
	case at == 0 || at == len(argv) || !output.HasAnyPrefix(base, "python", "pypy"):
	case argv[at] == "pytest":
		return argv, true
	case argv[at] == "unittest":
		out = slices.Clone(argv)
		out[at] = "git_tdd_unittest"
		return out, true
	}
	return argv, false
}

// environ makes any pytest load our plugin, keeps Python from leaving compiled files
// behind, and fixes its seed for hashes, where the project does not: the ids of tests may
// depend on the order of a set. A virtual environment in the project is used as if it
// were activated.
func environ(s *testrun.Session, dir string) []string {
	options := strings.TrimSpace("-p git_tdd_pytest --continue-on-collection-errors " + testrun.LookupEnv(s.Env, "PYTEST_ADDOPTS"))
	env := []string{
		testrun.Prepended(s.Env, "PYTHONPATH", dir),
		"PYTEST_ADDOPTS=" + options, "PYTHONDONTWRITEBYTECODE=1",
		"PYTHONHASHSEED=" + cmp.Or(testrun.LookupEnv(s.Env, "PYTHONHASHSEED"), "0"),
	}
	for _, venv := range s.Up(".venv", "venv") {
		if testrun.Locate(s.Outside(filepath.Join(venv, "bin", "python")), "", nil) != "" {
			return append(env, "VIRTUAL_ENV="+venv, testrun.Prepended(s.Env, "PATH", filepath.Join(venv, "bin")))
		}
	}
	return env
}

// removeBytecode removes the compiled files of earlier runs. Python believes that
// one is up to date where size and second of its source agree, and would run the
// code of another tree.
func removeBytecode(dir string) error {
	root, err := os.OpenRoot(dir)
	if err == nil {
		defer root.Close() //nolint:errcheck // nothing is written through it
		err = fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() || d.Name() != "__pycache__" {
				return err
			}
			return cmp.Or(root.RemoveAll(path), fs.SkipDir)
		})
	}
	if err != nil {
		return fmt.Errorf("remove compiled files: %w", err)
	}
	return nil
}
