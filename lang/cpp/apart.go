package cpp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/wholefile"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// A program of Catch2 or doctest can hold many tests where CTest knows of one, and in
// a project that registers nothing with CTest, of none. Neither takes a reporter from
// the environment, so such a program is started here in CTest's place, where CTest
// would start it.

// splitOff takes the tests that are such programs away from CTest.
func (c *ctestRun) splitOff(context.Context) (none testrun.Verdict, err error) {
	if c.filtered() {
		return none, nil
	}
	if len(c.listed) == 0 {
		return none, c.unlisted()
	}
	var names []string
	c.listed = slices.DeleteFunc(c.listed, func(t ctestTest) bool {
		kind := c.frameworkOf(t)
		apart := len(t.Command) == 1 && (kind == catchTest || kind == doctestTest) && t.plain()
		if apart {
			c.apart = append(c.apart, t)
			names = append(names, t.Name)
		}
		return apart
	})
	if len(names) > 0 {
		c.argv = append(c.argv, "-E", "^"+output.AnyOf(names)+"$")
	}
	return none, nil
}

// filtered reports whether the command says which tests CTest is to take.
func (c *ctestRun) filtered() bool {
	return slices.ContainsFunc(c.argv[1:], func(arg string) bool {
		return output.HasAnyPrefix(arg, "-R", "-E", "-L", "-I", "--tests-regex", "--exclude-regex", "--label", "--tests-information",
			"--rerun-failed", "-FA", "-FS", "-FC", "--fixture-exclude")
	})
}

// plain reports whether nothing is said of a test but where it runs and how long.
func (t ctestTest) plain() bool {
	said := []string{"WORKING_DIRECTORY", "ENVIRONMENT", "TIMEOUT", "LABELS", "COST", "PROCESSORS", "RUN_SERIAL"}
	return !slices.ContainsFunc(t.Properties, func(p ctestProperty) bool { return !slices.Contains(said, p.Name) })
}

// property is what is said of a test, as far as it can be read as out.
func (t ctestTest) property(name string, out any) {
	for _, p := range t.Properties {
		if p.Name == name {
			_ = json.Unmarshal(p.Value, out) // anything else says nothing
		}
	}
}

// cmakeAPI is where CMake is asked, and answers, below the build.
const cmakeAPI = ".cmake/api/v1"

// builds are the programs of the project.
func (c *ctestRun) builds() ([]built, error) {
	build := filepath.Join(c.session.Request.Dir, c.dir)
	var out []built
	for _, name := range wholefile.Matching(build, cmakeAPI+"/reply/target-*.json") {
		b, err := c.builtBy(name, build)
		if err != nil {
			return nil, err
		}
		if b.program != "" {
			out = append(out, b)
		}
	}
	return out, nil
}

// unlisted finds the test programs of a project that registers none with CTest.
func (c *ctestRun) unlisted() error {
	all, err := c.builds()
	if err != nil {
		return err
	}
	for _, b := range all {
		if kind := programFramework(b.program); kind == catchTest || kind == doctestTest {
			c.apart = append(c.apart, ctestTest{Name: filepath.Base(b.program), Command: []string{b.program}})
		}
	}
	slices.SortFunc(c.apart, func(a, b ctestTest) int { return strings.Compare(a.Command[0], b.Command[0]) })
	if len(c.apart) > 0 {
		c.session.Amend(fmt.Sprintf("no test is registered with CTest; %d test programs\n", len(c.apart)))
	}
	return nil
}

// built is an executable that CMake says it builds.
type built struct {
	program string   // its path; empty where it was not built, or is no program
	sources []string // relative to the project
}

// builtBy reads what CMake replied of a target.
func (c *ctestRun) builtBy(reply, build string) (b built, err error) {
	raw, err := wholefile.Read(reply)
	if err != nil {
		return b, fmt.Errorf("read CMake's programs: %w", err)
	}
	type path struct {
		Path string `json:"path"`
	}
	var target struct {
		Type      string `json:"type"`
		Artifacts []path `json:"artifacts"`
		Sources   []path `json:"sources"`
	}
	if err := json.Unmarshal(raw, &target); err != nil {
		return b, fmt.Errorf("read CMake's programs: %s: %w", reply, err)
	}
	if target.Type != "EXECUTABLE" {
		return b, nil
	}
	for _, s := range target.Sources {
		if file := c.places.Relative(s.Path); file != "" {
			b.sources = append(b.sources, file)
		}
	}
	for _, a := range target.Artifacts {
		program := c.session.Local(a.Path)
		if !filepath.IsAbs(program) {
			program = filepath.Join(build, program)
		}
		if info, err := os.Stat(program); err == nil && info.Mode().IsRegular() {
			b.program = program
			return b, nil
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return b, fmt.Errorf("look at a program of CMake's: %w", err)
		}
	}
	return b, nil
}

// testFiles maps each program that CMake builds to the file of tests that it is built
// from: the only one, or the one that has its name.
func (c *ctestRun) testFiles() (map[string]string, error) {
	all, err := c.builds()
	out := map[string]string{}
	for _, b := range all {
		tests := slices.DeleteFunc(b.sources, func(file string) bool { return c.places.Language.Kind(file) != gates.KindTest })
		for _, file := range tests {
			stem, _, _ := strings.Cut(filepath.Base(file), ".")
			if len(tests) == 1 || stem == output.Program(b.program) {
				out[c.places.Relative(b.program)] = file
			}
		}
	}
	return out, err
}

// runApart runs a test program with a report of its cases.
func (c *ctestRun) runApart(ctx context.Context, number int, t ctestTest) (testrun.Ended, error) {
	report := filepath.Join(c.session.Reports, fmt.Sprintf("cases-%d.xml", number))
	dir := filepath.Dir(t.Command[0])
	t.property("WORKING_DIRECTORY", &dir)
	var env []string
	t.property("ENVIRONMENT", &env)
	flags := []string{"-r", "xml", "-o", report}
	if programFramework(t.Command[0]) == doctestTest {
		flags = []string{"--reporters=xml", "--out=" + report}
	}
	end, err := c.session.Run(ctx, testrun.Job{Name: "test", Argv: append(slices.Clone(t.Command), flags...), Dir: dir, Env: env, Discard: true})
	if err != nil {
		return end, err
	}
	cases := caseReport{places: c.places, bases: []string{dir, c.dir}, program: output.Program(t.Command[0])}
	if err := output.WithFile(report, func(f *os.File) error { cases.read(f); return nil }); err != nil { // without it, none has a verdict
		return end, fmt.Errorf("read the report of %s: %w", t.Name, err)
	}
	c.tests = append(c.tests, cases.tests...)
	switch {
	case !cases.whole:
		c.gap(end, "%s: the process ended before it had reported (exit code %d): while this ran: %s", t.Name, end.Exit, cmp.Or(cases.began, "nothing that is known"))
	case (end.Exit == 0) != (cases.failed == 0):
		c.gap(end, "%s: %d tests failed, but the exit code is %d", t.Name, cases.failed, end.Exit)
	}
	return end, nil
}
