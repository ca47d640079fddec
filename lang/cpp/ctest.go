package cpp

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/wholefile"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// ctestRun is one run of CTest: configure, build, list, test. CTest builds
// nothing by itself, and tests that stand on an older build prove nothing.
type ctestRun struct {
	session *testrun.Session
	places  *testrun.Places
	dir     string // of the build, relative to the project
	argv    []string
	listed  []ctestTest
	apart   []ctestTest                    // that are run here and not by CTest
	results map[string][]testrun.JUnitCase // what CTest says of each, by name
	gtest   gtestReports
	files   map[string]string    // the file of tests that a program is built from, by its path in the project
	known   map[string]framework // what programs are made with, once it was looked for
	tests   []gates.Test
	gaps    []gates.Diagnostic
}

// measure takes the steps. Each may end the run, with what it showed.
func (c *ctestRun) measure(ctx context.Context) (v testrun.Verdict, err error) {
	for _, step := range []func(context.Context) (testrun.Verdict, error){c.configure, c.build, c.list, c.splitOff, c.test} {
		if v, err = step(ctx); err != nil || v.Outcome != "" {
			break
		}
	}
	return v, err
}

// step runs the command of a step, which must come to its end.
func (c *ctestRun) step(ctx context.Context, j testrun.Job) (end testrun.Ended, over testrun.Verdict, err error) {
	if end, err = c.session.Run(ctx, j); err == nil {
		over, _ = end.Trouble()
	}
	return end, over, err
}

// ctestArgs is a call of CTest without arguments that would mix the output of tests
// with CTest's own, and without those that run tests side by side: processes of
// GoogleTest that run at once write over each other's reports. dir is the build directory,
// "build" where it names none. A call by a preset is not ok: only CMake knows its directory.
func ctestArgs(argv []string) (out []string, dir string, ok bool) {
	dir = "build"
	for i := 1; i < len(argv); i++ {
		next := argv[min(i+1, len(argv)-1)]
		switch arg := argv[i]; {
		case strings.HasPrefix(arg, "--preset"):
			return nil, "", false
		case strings.HasPrefix(arg, "--test-dir="):
			dir = strings.TrimPrefix(arg, "--test-dir=")
		case arg == "--test-dir":
			if i++; i < len(argv) {
				dir = next
			}
		case arg == "-j" || arg == "--parallel":
			if !strings.HasPrefix(next, "-") {
				i++
			}
		case output.HasAnyPrefix(arg, "-j", "--parallel="),
			slices.Contains([]string{"-V", "-VV", "--verbose", "--extra-verbose", "--output-on-failure", "-Q", "--quiet", "--progress"}, arg):
		default:
			out = append(out, arg)
		}
	}
	return slices.Concat([]string{argv[0], "--test-dir", dir}, out), dir, output.Program(argv[0]) == "ctest" && filepath.IsLocal(dir)
}

// configure makes the build directory, or brings it up to date. One that was made
// for another place is made anew, because its build would go on with the sources
// of that place. Makefiles are made without progress messages, as CMake advises
// for builds by a script: each message starts a process, which in a small build
// takes longer than all that git-tdd adds.
func (c *ctestRun) configure(ctx context.Context) (testrun.Verdict, error) {
	if home := c.cached("CMAKE_HOME_DIRECTORY"); home != "" && testrun.Resolved(home) != testrun.Resolved(c.session.Root()) {
		if err := os.RemoveAll(filepath.Join(c.session.Request.Dir, c.dir)); err != nil {
			return testrun.Verdict{}, fmt.Errorf("remove the build of another place: %w", err)
		}
	}
	// It is to say, too, which programs it builds.
	if err := os.MkdirAll(filepath.Join(c.session.Request.Dir, c.dir, cmakeAPI, "query", "codemodel-v2"), 0o700); err != nil {
		return testrun.Verdict{}, fmt.Errorf("ask CMake for its programs: %w", err)
	}
	end, over, err := c.step(ctx, testrun.Job{Name: "configure", Argv: append([]string{
		"cmake", "-S", ".", "-B", c.dir, "-DCMAKE_RULE_MESSAGES=OFF", "-DCMAKE_TARGET_MESSAGES=OFF",
		"--no-warn-unused-cli", // Ninja has no use for them
	}, testOptions(c.session.Request.Dir)...), Env: []string{plainLocale}})
	if over.Outcome == "" && end.Exit != 0 {
		over = testrun.Crashed(gates.ClassInfra, cmakeError(end.Output))
	}
	return over, err
}

// cached is a value of CMake's cache; empty where there is none.
func (c *ctestRun) cached(key string) string {
	raw, _ := wholefile.Read(filepath.Join(c.session.Request.Dir, c.dir, "CMakeCache.txt")) // none holds no value
	for line := range strings.Lines(string(raw)) {
		if name, value, ok := strings.Cut(strings.TrimRight(line, "\r\n"), "="); ok && strings.HasPrefix(name, key+":") {
			return value
		}
	}
	return ""
}

// plainLocale makes CMake and compilers speak English; tests run in the user's
// language.
const plainLocale = "LC_ALL=C.UTF-8"

// build compiles, going on after an error, so that all of them are seen.
func (c *ctestRun) build(ctx context.Context) (testrun.Verdict, error) {
	argv := []string{"cmake", "--build", c.dir, "--", "-k"}
	if strings.HasPrefix(c.cached("CMAKE_GENERATOR"), "Ninja") {
		argv = append(argv, "0")
	}
	log := &buildLog{places: c.places, dir: c.dir}
	end, over, err := c.step(ctx, testrun.Job{Name: "build", Argv: argv, OnLine: log.read, Env: []string{
		"CMAKE_BUILD_PARALLEL_LEVEL=" + strconv.Itoa(runtime.NumCPU()), plainLocale,
	}})
	found := log.findings()
	switch {
	case err != nil || over.Outcome != "" || end.Exit == 0:
		return over, err
	case len(found) > 0:
		return testrun.Broken(found), nil
	case strings.Contains(end.Output, "Error running test executable"):
		return testrun.Broken([]gates.Diagnostic{{Class: gates.ClassException, Message: "the tests cannot be listed: " + cmakeError(end.Output)}}), nil
	}
	return testrun.Crashed(gates.ClassInfra, cmakeError(end.Output)), nil
}

// cmakeError is the first complaint of CMake, or else of make, with the lines
// that explain it: what is wrong stands below the place, and is brought up to it.
func cmakeError(printed string) string {
	at := strings.Index(printed, "CMake Error")
	if at < 0 {
		return output.LastLine(printed)
	}
	lines := strings.SplitN(printed[at:], "\n", 9)
	first := strings.TrimRight(lines[0], "\r")
	if strings.HasSuffix(first, ":") && len(lines) > 1 {
		first += " " + strings.TrimSpace(lines[1])
		lines = lines[1:]
	}
	return strings.TrimSpace(strings.Join(append([]string{first}, lines[1:min(8, len(lines))]...), "\n"))
}

// ctestTest is a test as CTest lists it.
type ctestTest struct {
	Name       string          `json:"name"`
	Command    []string        `json:"command"`
	Properties []ctestProperty `json:"properties"`
}

// ctestProperty is what is said of a test.
type ctestProperty struct {
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value"`
}

// mostListed is how much is read of what CTest lists, in bytes.
const mostListed = 64 << 20

// list asks CTest which tests it would run.
func (c *ctestRun) list(ctx context.Context) (testrun.Verdict, error) {
	var text []byte
	end, over, err := c.step(ctx, testrun.Job{Name: "list", Argv: append(slices.Clone(c.argv), "--show-only=json-v1"), Line: func(line []byte) string {
		if len(text) < mostListed {
			text = append(append(text, line...), '\n')
		}
		return ""
	}})
	if err != nil || over.Outcome != "" {
		return over, err
	}
	var listed struct {
		Tests []ctestTest `json:"tests"`
	}
	if err := json.Unmarshal(text, &listed); err != nil {
		return testrun.Crashed(gates.ClassInfra, fmt.Sprintf("CTest does not list its tests: %v: %s", err, output.LastLine(end.Output))), nil
	}
	c.listed = listed.Tests
	c.session.Amend(fmt.Sprintf("%d tests\n", len(c.listed)))
	return over, nil
}

// test runs the tests, those of CTest last.
func (c *ctestRun) test(ctx context.Context) (testrun.Verdict, error) {
	var end testrun.Ended
	for i, t := range c.apart {
		var err error
		if end, err = c.runApart(ctx, i, t); err != nil {
			return testrun.Verdict{}, err
		}
		if _, stopped := end.Trouble(); stopped {
			return testrun.Reported(end, c.tests, c.gaps), nil
		}
	}
	if len(c.apart) > 0 && len(c.listed) == 0 {
		end.Exit = 0 // each was held against its own
		return testrun.Reported(end, c.tests, c.gaps), nil
	}
	return c.byCTest(ctx)
}

// byCTest runs the tests that are CTest's.
func (c *ctestRun) byCTest(ctx context.Context) (testrun.Verdict, error) {
	junit, dir := filepath.Join(c.session.Reports, "ctest.xml"), filepath.Join(c.session.Reports, "gtest")
	size := strconv.Itoa(testrun.XMLTextLimit / 8) // escaped, a character takes up to six
	argv := append(slices.Clone(c.argv), "--no-tests=error", "--output-junit", junit,
		"--test-output-size-passed", size, "--test-output-size-failed", size)
	if output.Atoi(c.cached("CMAKE_CACHE_MINOR_VERSION")) >= 24 || c.cached("CMAKE_CACHE_MAJOR_VERSION") > "3" {
		argv = append(argv, "--test-output-truncation", "middle")
	}
	said := ctestSummary{reasons: make(map[string]string)}
	end, err := c.session.Run(ctx, testrun.Job{Name: "test", Argv: argv, OnLine: said.read, Discard: true, Env: []string{
		"GTEST_OUTPUT=json:" + dir + string(filepath.Separator), "GTEST_COLOR=no", "CTEST_PARALLEL_LEVEL=1", "CTEST_OUTPUT_ON_FAILURE=0",
	}})
	if err != nil {
		return testrun.Verdict{}, err
	}
	if err := c.collect(junit, dir); err != nil {
		return testrun.Verdict{}, err
	}
	if said.none {
		end.Exit = 0
	}
	c.judge(end, said)
	return testrun.Reported(end, c.tests, c.gaps), nil
}

// collect reads what CTest and GoogleTest wrote.
func (c *ctestRun) collect(junit, dir string) (err error) {
	c.results = make(map[string][]testrun.JUnitCase)
	j := testrun.JUnit{Places: c.places, Refine: func(_ *gates.Test, found testrun.JUnitCase, _ string) {
		c.results[found.Name] = append(c.results[found.Name], found)
	}}
	err = output.WithFile(junit, func(f *os.File) error { j.Read(f); return nil }) // without it, no test has a verdict
	if err != nil {
		return fmt.Errorf("read CTest's report: %w", err)
	}
	c.gaps = append(c.gaps, j.Gaps...)
	if c.files, err = c.testFiles(); err != nil {
		return err
	}
	c.gtest, err = readGTestReports(dir)
	return err
}
