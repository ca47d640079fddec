package cpp

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/internal/wholefile"
	"github.com/git-tdd/git-tdd/testrun"
)

// readTest runs CTest. Of what any other command prints, only compile errors are
// read; for the rest, its exit code decides.
func readTest(ctx context.Context, s *testrun.Session, argv []string) (testrun.Verdict, error) {
	if name := strings.TrimSuffix(filepath.Base(argv[0]), ".exe"); name == "ctest" {
		if dir, ok := testDir(argv); ok {
			return (&ctestRun{session: s, places: s.Places(), dir: dir}).measure(ctx, argv)
		}
	}
	build := &buildLog{places: s.Places()}
	end, err := s.Run(ctx, testrun.Job{Name: "test", Argv: argv, OnLine: build.read, Env: []string{plainLocale}})
	if err != nil {
		return testrun.Verdict{}, err
	}
	r := end.Verdict()
	if found := build.findings(); r.Outcome == gates.Failed && len(found) > 0 {
		return testrun.Broken(found), nil
	}
	return r, nil
}

// testDir is the build directory of a call of CTest, "build" where it names none. A
// call by a preset is not ok: only CMake knows its directory.
func testDir(argv []string) (dir string, ok bool) {
	dir = "build"
	for i, arg := range argv {
		value, joined := strings.CutPrefix(arg, "--test-dir=")
		switch {
		case strings.HasPrefix(arg, "--preset"):
			return "", false
		case joined:
			dir = value
		case arg == "--test-dir" && i+1 < len(argv):
			dir = argv[i+1]
		}
	}
	return dir, filepath.IsLocal(dir)
}

// optionPattern matches an option of CMake, off by default, that builds the tests of
// the project itself.
var optionPattern = lazyregexp.New(`(?im)^[ \t]*option[ \t]*\([ \t]*` +
	`("?)(\w*_(?:(?:BUILD|ENABLE|WITH|MAKE)_(?:UNIT_?)?TESTS?|(?:BUILD|ENABLE)_TESTING|TESTS?)|(?:BUILD|ENABLE|WITH)_(?:UNIT_?)?TESTS?)"?\s+"[^"]*"\s+(?:OFF|FALSE|NO|0)[ \t]*\)`)

// testOptions are the arguments that switch a project's tests on. A library leaves
// them off so that those who build it within theirs need not build its tests.
func testOptions(dir string) []string {
	raw, _ := wholefile.Read(filepath.Join(dir, "CMakeLists.txt")) // none has no options
	var out []string
	for _, hit := range optionPattern.FindAllStringSubmatch(string(raw), -1) {
		out = append(out, "-D"+hit[2]+"=ON")
	}
	return out
}
