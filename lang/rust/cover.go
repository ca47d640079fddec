package rust

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/coverage"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// rustCoverage is one run of cargo's tests with the compiler's instrumentation.
type rustCoverage struct {
	b               *testrun.Session
	folder          string // of the profiles
	target          string // build output: code that is instrumented is built apart
	profdata, tools string // the programs llvm-profdata and llvm-cov
}

// coverRust lets the compiler instrument what cargo builds, however it is
// started.
func coverRust(ctx context.Context, b *testrun.Session, argv []string) (testrun.Covering, error) {
	c := rustCoverage{b: b, folder: filepath.Join(b.Reports, "coverage"), target: filepath.Join(b.Request.Dir, "target", "git-tdd-coverage")}
	if err := c.findTools(ctx); err != nil {
		return testrun.Covering{}, err
	}
	if err := os.MkdirAll(c.folder, 0o700); err != nil {
		return testrun.Covering{}, fmt.Errorf("make the folder of the coverage: %w", err)
	}
	for _, name := range c.programs() { // of another tree; cargo puts back what is not
		if err := os.Remove(name); err != nil {
			return testrun.Covering{}, fmt.Errorf("remove an old program: %w", err)
		}
	}
	flag := strings.TrimSpace(testrun.LookupEnv(b.Env, "RUSTFLAGS") + " -Cinstrument-coverage")
	return testrun.Covering{
		Argv: argv, Read: c.read,
		Env: []string{
			"RUSTFLAGS=" + flag, "CARGO_TARGET_DIR=" + c.target,
			"LLVM_PROFILE_FILE=" + filepath.Join(c.folder, "%p-%m.profraw"),
		},
	}, nil
}

// findTools finds the programs that read what this compiler's code writes: those
// of the toolchain itself, or of the same LLVM.
func (c *rustCoverage) findTools(ctx context.Context) error {
	said, err := ask(c.b, ctx, "rustc", "-vV")
	if err != nil {
		return err
	}
	version := regexp.MustCompile(`(?m)^LLVM version: (\d+)`).FindStringSubmatch(said)
	host := regexp.MustCompile(`(?m)^host: (\S+)`).FindStringSubmatch(said)
	if version == nil || host == nil {
		return coverage.Unmeasured("rustc does not say which LLVM it uses")
	}
	root, err := ask(c.b, ctx, "rustc", "--print", "sysroot")
	if err != nil {
		return err
	}
	own := filepath.Join(strings.TrimSpace(root), "lib", "rustlib", host[1], "bin")
	find := func(tool string) string {
		for _, name := range []string{
			filepath.Join(own, tool), tool + "-" + version[1], "/usr/lib/llvm-" + version[1] + "/bin/" + tool,
		} {
			if found := testrun.Locate(name, c.b.Request.Dir, c.b.Env); found != "" {
				return found
			}
		}
		return ""
	}
	c.profdata, c.tools = find("llvm-profdata"), find("llvm-cov")
	if c.profdata == "" || c.tools == "" {
		return coverage.Unmeasuredf("for Rust install llvm-profdata and llvm-cov of LLVM %s (rustup component add llvm-tools, or the package llvm-%[1]s)", version[1])
	}
	return nil
}

// ask runs a tool and returns what it said.
func ask(b *testrun.Session, ctx context.Context, argv ...string) (string, error) {
	end, err := b.Run(ctx, testrun.Job{Name: "coverage", Argv: argv})
	if err == nil && end.Exit != 0 {
		err = coverage.Unmeasuredf("%s: exit code %d: %s", strings.Join(argv, " "), end.Exit, output.LastLine(end.Output))
	}
	return end.Output, err
}

// programs lists the project's own programs among the build output: tests may
// start them.
func (c *rustCoverage) programs() []string {
	var out []string
	for _, pattern := range []string{"*/*", "*/*/*"} { // for the host, for a target that was named
		names, _ := filepath.Glob(filepath.Join(c.target, pattern)) // the pattern is right
		for _, name := range names {
			if info, err := os.Lstat(name); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 && filepath.Ext(name) != ".so" {
				out = append(out, name)
			}
		}
	}
	return out
}

// read joins what the processes wrote, and asks which lines that means.
func (c *rustCoverage) read(ctx context.Context, p *testrun.Places) (coverage.Lines, error) {
	profiles, err := filepath.Glob(filepath.Join(c.folder, "*.profraw"))
	if err != nil {
		return nil, fmt.Errorf("find the coverage: %w", err)
	}
	runs, err := binaryRuns(c.b, "run")
	if err != nil {
		return nil, err
	}
	objects := c.programs()
	for _, r := range runs {
		objects = append(objects, r.exe)
	}
	slices.Sort(objects)
	objects = slices.Compact(objects) // nextest starts a binary once for each test
	if len(profiles) == 0 || len(objects) == 0 {
		return nil, coverage.Unmeasured("for Rust it is measured where cargo runs tests, and it ran none")
	}
	list, merged := filepath.Join(c.folder, "list"), filepath.Join(c.folder, "merged")
	if err := os.WriteFile(list, []byte(strings.Join(profiles, "\n")+"\n"), 0o600); err != nil {
		return nil, fmt.Errorf("list the profiles: %w", err)
	}
	if _, err := ask(c.b, ctx, c.profdata, "merge", "-sparse", "-f", list, "-o", merged); err != nil {
		return nil, err
	}
	argv := []string{c.tools, "export", "-format=lcov", "-instr-profile=" + merged, objects[0]}
	for _, object := range objects[1:] {
		argv = append(argv, "-object", object)
	}
	found := coverage.NewLcov(p.Own)
	end, err := c.b.Run(ctx, testrun.Job{Name: "coverage", Argv: argv, Line: found.Read})
	if err == nil && end.Exit != 0 {
		err = coverage.Unmeasuredf("llvm-cov: exit code %d: %s", end.Exit, output.LastLine(end.Output))
	}
	return found.Lines.Only(p.Dir, statements), err
}

// statements are the lines on which a statement of Rust begins, or the arm
// of a match.
func statements(text string) map[int]bool {
	masked := []byte(text)
	for _, t := range rustTokens(text) {
		if t.kind == comment || t.kind == doc {
			hide(masked[t.start:t.end], ' ')
		}
		if t.kind == rustText {
			hide(masked[t.start:t.end], '_')
		}
	}
	code := regexp.MustCompile(`(?m)^[ \t]*#!?\[.*\][ \t]*$`).ReplaceAllString(string(masked), "") // attributes of what follows
	return coverage.StatementLines(code, func(before byte, line string) bool {
		arm := strings.Contains(line, "=>")
		return strings.IndexByte(";{}", before) >= 0 || before == ',' && arm
	})
}

// hide puts a sign in the place of every byte but the ends of lines.
func hide(text []byte, sign byte) {
	for i := range text {
		if text[i] != '\n' {
			text[i] = sign
		}
	}
}
