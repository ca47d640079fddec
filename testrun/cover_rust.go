package testrun

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// rustCoverage is one run of cargo's tests with the compiler's instrumentation.
type rustCoverage struct {
	b               *bench
	folder          string // of the profiles
	target          string // build output: code that is instrumented is built apart
	profdata, tools string // the programs llvm-profdata and llvm-cov
}

// coverRust lets the compiler instrument what cargo builds, however it is
// started.
func coverRust(ctx context.Context, b *bench, argv []string) (covering, error) {
	c := rustCoverage{b: b, folder: filepath.Join(b.reports, "coverage"), target: filepath.Join(b.req.Dir, "target", "git-tdd-coverage")}
	if err := c.findTools(ctx); err != nil {
		return covering{}, err
	}
	if err := os.MkdirAll(c.folder, 0o700); err != nil {
		return covering{}, fmt.Errorf("make the folder of the coverage: %w", err)
	}
	for _, name := range c.programs() { // of another tree; cargo puts back what is not
		if err := os.Remove(name); err != nil {
			return covering{}, fmt.Errorf("remove an old program: %w", err)
		}
	}
	flag := strings.TrimSpace(lookup(b.env, "RUSTFLAGS") + " -Cinstrument-coverage")
	return covering{
		argv: argv, read: c.read,
		env: []string{
			"RUSTFLAGS=" + flag, "CARGO_TARGET_DIR=" + c.target,
			"LLVM_PROFILE_FILE=" + filepath.Join(c.folder, "%p-%m.profraw"),
		},
	}, nil
}

// findTools finds the programs that read what this compiler's code writes: those
// of the toolchain itself, or of the same LLVM.
func (c *rustCoverage) findTools(ctx context.Context) error {
	said, err := c.b.ask(ctx, "rustc", "-vV")
	if err != nil {
		return err
	}
	version := regexp.MustCompile(`(?m)^LLVM version: (\d+)`).FindStringSubmatch(said)
	host := regexp.MustCompile(`(?m)^host: (\S+)`).FindStringSubmatch(said)
	if version == nil || host == nil {
		return unmeasured("rustc does not say which LLVM it uses")
	}
	root, err := c.b.ask(ctx, "rustc", "--print", "sysroot")
	if err != nil {
		return err
	}
	own := filepath.Join(strings.TrimSpace(root), "lib", "rustlib", host[1], "bin")
	find := func(tool string) string {
		for _, name := range []string{
			filepath.Join(own, tool), tool + "-" + version[1], "/usr/lib/llvm-" + version[1] + "/bin/" + tool,
		} {
			if found := locate(name, c.b.req.Dir, c.b.env); found != "" {
				return found
			}
		}
		return ""
	}
	c.profdata, c.tools = find("llvm-profdata"), find("llvm-cov")
	if c.profdata == "" || c.tools == "" {
		return unmeasuredf("for Rust install llvm-profdata and llvm-cov of LLVM %s (rustup component add llvm-tools, or the package llvm-%[1]s)", version[1])
	}
	return nil
}

// ask runs a tool and returns what it said.
func (b *bench) ask(ctx context.Context, argv ...string) (string, error) {
	end, err := b.run(ctx, job{name: "coverage", argv: argv})
	if err == nil && end.Exit != 0 {
		err = unmeasuredf("%s: exit code %d: %s", strings.Join(argv, " "), end.Exit, lastLine(end.Output))
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
func (c *rustCoverage) read(ctx context.Context, p *places) (reach, error) {
	profiles, err := filepath.Glob(filepath.Join(c.folder, "*.profraw"))
	if err != nil {
		return nil, fmt.Errorf("find the coverage: %w", err)
	}
	runs, err := c.b.binaryRuns("run")
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
		return nil, unmeasured("for Rust it is measured where cargo runs tests, and it ran none")
	}
	list, merged := filepath.Join(c.folder, "list"), filepath.Join(c.folder, "merged")
	if err := os.WriteFile(list, []byte(strings.Join(profiles, "\n")+"\n"), 0o600); err != nil {
		return nil, fmt.Errorf("list the profiles: %w", err)
	}
	if _, err := c.b.ask(ctx, c.profdata, "merge", "-sparse", "-f", list, "-o", merged); err != nil {
		return nil, err
	}
	argv := []string{c.tools, "export", "-format=lcov", "-instr-profile=" + merged, objects[0]}
	for _, object := range objects[1:] {
		argv = append(argv, "-object", object)
	}
	found := newLcov(p.own)
	end, err := c.b.run(ctx, job{name: "coverage", argv: argv, line: found.read})
	if err == nil && end.Exit != 0 {
		err = unmeasuredf("llvm-cov: exit code %d: %s", end.Exit, lastLine(end.Output))
	}
	return found.reach.only(p.dir, rustStatements), err
}

// rustStatements are the lines on which a statement of Rust begins, or the arm
// of a match.
func rustStatements(text string) map[int]bool {
	masked := []byte(text)
	for _, t := range rustTokens(text) {
		if t.kind == rustComment || t.kind == rustDoc {
			hide(masked[t.start:t.end], ' ')
		}
		if t.kind == rustText {
			hide(masked[t.start:t.end], '_')
		}
	}
	code := regexp.MustCompile(`(?m)^[ \t]*#!?\[.*\][ \t]*$`).ReplaceAllString(string(masked), "") // attributes of what follows
	return statementLines(code, func(before byte, line string) bool {
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
