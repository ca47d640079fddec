package rust

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/internal/wholefile"
	"github.com/git-tdd/git-tdd/syntax"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/coverage"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// instrumentation is one run of the tests as code that the compiler instrumented.
type instrumentation struct {
	session         *testrun.Session
	target          string // build output: code that is instrumented is built apart
	profdata, tools string // the programs llvm-profdata and llvm-cov
}

// cover lets the compiler instrument what cargo builds, however it is started.
func cover(ctx context.Context, s *testrun.Session, argv []string) (testrun.Covering, error) {
	c := instrumentation{session: s, target: filepath.Join(s.Request.Dir, "target", "git-tdd-coverage")}
	err := c.findTools(ctx)
	for _, name := range c.programs() { // of another tree, perhaps; cargo puts back those that are not
		err = cmp.Or(err, os.Remove(name))
	}
	if err != nil {
		return testrun.Covering{}, fmt.Errorf("prepare the coverage: %w", err)
	}
	flag := strings.TrimSpace(testrun.LookupEnv(s.Env, "RUSTFLAGS") + " -Cinstrument-coverage")
	return testrun.Covering{
		Argv: argv, Read: c.read,
		Env: []string{
			"RUSTFLAGS=" + flag, "CARGO_TARGET_DIR=" + c.target,
			"LLVM_PROFILE_FILE=" + filepath.Join(c.session.Coverage, "%p-%m.profraw"),
		},
	}, nil
}

var rustcPattern = lazyregexp.New(`(?sm)^host: (\S+).*^LLVM version: (\d+)`)

// findTools finds the programs that read profiles: the toolchain's own, or its LLVM's.
func (c *instrumentation) findTools(ctx context.Context) error {
	said, err := ask(ctx, c.session, testrun.Job{Argv: []string{"rustc", "-vV"}})
	if err != nil {
		return err
	}
	hit := rustcPattern().FindStringSubmatch(said)
	if hit == nil {
		return coverage.UnmeasuredError("rustc does not say which LLVM it uses")
	}
	root, err := ask(ctx, c.session, testrun.Job{Argv: []string{"rustc", "--print", "sysroot"}})
	find := func(tool string) (found string) {
		own := filepath.Join(strings.TrimSpace(root), "lib", "rustlib", hit[1], "bin", tool)
		for _, name := range []string{own, tool + "-" + hit[2], "/usr/lib/llvm-" + hit[2] + "/bin/" + tool} {
			found = cmp.Or(found, testrun.Locate(name, c.session.Request.Dir, c.session.Env))
		}
		return found
	}
	c.profdata, c.tools = find("llvm-profdata"), find("llvm-cov")
	if err == nil && (c.profdata == "" || c.tools == "") {
		return coverage.Unmeasuredf("for Rust install llvm-profdata and llvm-cov of LLVM %s (rustup component add llvm-tools, or the package llvm-%[1]s)", hit[2])
	}
	return err
}

// ask runs a tool and returns what it said.
func ask(ctx context.Context, s *testrun.Session, j testrun.Job) (string, error) {
	j.Name = "coverage"
	end, err := s.Run(ctx, j)
	if err == nil && end.Exit != 0 {
		err = coverage.Unmeasuredf("%s: exit code %d: %s", filepath.Base(j.Argv[0]), end.Exit, output.LastLine(end.Output))
	}
	return end.Output, err
}

// programs lists the project's own programs that were built: tests may start them.
func (c *instrumentation) programs() []string {
	built := wholefile.Matching(c.target, "*/*", "*/*/*") // for the host, for a target that was named
	return slices.DeleteFunc(built, func(name string) bool {
		info, err := os.Lstat(name)
		return err != nil || !info.Mode().IsRegular() || info.Mode()&0o111 == 0 || filepath.Ext(name) == ".so"
	})
}

// read joins what the processes wrote, and asks which lines that means.
func (c *instrumentation) read(ctx context.Context, p *testrun.Places) (coverage.Lines, error) {
	profiles := wholefile.Matching(c.session.Coverage, "*.profraw")
	runs, err := records(c.session)
	if err != nil {
		return nil, err
	}
	objects := c.programs()
	for _, r := range runs {
		if !r.asked {
			objects = append(objects, r.exe)
		}
	}
	slices.Sort(objects)
	objects = slices.Compact(objects) // nextest starts a binary once for each test
	if len(profiles) == 0 || len(objects) == 0 {
		return nil, coverage.UnmeasuredError("for Rust it is measured where cargo runs tests, and it ran none")
	}
	list, merged := filepath.Join(c.session.Coverage, "list"), filepath.Join(c.session.Coverage, "merged")
	if err := os.WriteFile(list, []byte(strings.Join(profiles, "\n")+"\n"), 0o600); err != nil {
		return nil, fmt.Errorf("list the profiles: %w", err)
	}
	if _, err := ask(ctx, c.session, testrun.Job{Argv: []string{c.profdata, "merge", "-sparse", "-f", list, "-o", merged}}); err != nil {
		return nil, err
	}
	argv := []string{c.tools, "export", "-format=lcov", "-instr-profile=" + merged, objects[0]}
	for _, object := range objects[1:] {
		argv = append(argv, "-object", object)
	}
	found := coverage.Lines{}
	_, err = ask(ctx, c.session, testrun.Job{Argv: argv, Line: found.Lcov(p.Own)})
	return found.Only(p.Dir, statements), err
}

// statements are the lines on which a statement begins, or the arm of a match.
func statements(text string) map[int]bool {
	t := page().Parse(text)
	return t.StatementLines(func(i int) bool {
		if _, end := attributes(t, i); t.Is(i, "#") && (end == i || t.Broken(end)) {
			return false
		}
		last := i - 1 // before its attributes
		for open := t.Opening(last); t.Is(open, "[") && (t.Is(open-1, "#") || t.Is(open-2, "#")); open = t.Opening(last) {
			if last = open - 2; t.Is(last, "#") {
				last--
			}
		}
		arrow := (syntax.Expr{From: i + 1, To: t.Len()}).Where(func(k int) bool { return t.Broken(k) || t.Is(k, "=>") })
		arm := t.Is(last, ",") && t.Is(arrow, "=>") && !t.Broken(arrow)
		return arm || last < 0 || t.Is(last, ";", "{", "}")
	})
}
