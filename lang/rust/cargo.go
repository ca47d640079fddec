package rust

import (
	"bytes"
	"context"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// cargoArgs adds the flags that a call of cargo with one of these subcommands
// does not have yet. Any other command is not ok.
func cargoArgs(argv, subcommands []string, flags ...string) (out []string, ok bool) {
	base, at := output.Program(argv[0]), subcommand(argv)
	if base != "cargo" || at < 0 || !slices.Contains(subcommands, argv[at]) {
		return argv, false
	}
	own := ownArgs(argv)
	for _, f := range flags {
		name, _, _ := strings.Cut(f, "=")
		given := slices.ContainsFunc(own, func(a string) bool { return a == name || strings.HasPrefix(a, name+"=") })
		switch {
		case !given:
			out = append(out, f)
		case name == "--message-format":
			return argv, false // the user wants another form, which we cannot read
		}
	}
	return slices.Insert(slices.Clone(argv), at+1, out...), true
}

// ownArgs are the arguments of a command before those of what it runs.
func ownArgs(argv []string) []string {
	if end := slices.Index(argv, "--"); end >= 0 {
		return argv[:end]
	}
	return argv
}

// subcommand is the place of cargo's subcommand, or of nextest's; -1 where there is
// none. A word further on belongs to a subcommand that may know no flag of ours.
func subcommand(argv []string) int {
	for i := 1; i < len(argv); i++ {
		switch arg := argv[i]; {
		case slices.Contains([]string{"-C", "-Z", "--color", "--config", "--manifest-path", "--lockfile-path"}, arg):
			i++
		case arg == "nextest":
		case !output.HasAnyPrefix(arg, "-", "+"):
			return i
		case arg == "--":
			return -1
		}
	}
	return -1
}

// cargoBuild collects what cargo says while it compiles.
type cargoBuild struct {
	places      *testrun.Places
	diagnostics []gates.Diagnostic
	finished    bool                    // cargo said that the build is over
	ok          bool                    // and that it succeeded
	targets     map[string]cargoMessage // of test binaries, by the path of the executable
	packages    map[string]string       // names of the project's packages, by their directory relative to its root
}

func newCargoBuild(p *testrun.Places) *cargoBuild {
	return &cargoBuild{places: p, targets: make(map[string]cargoMessage), packages: make(map[string]string)}
}

// read takes in a line of standard output and returns what to show of it. What
// comes after the end of the build is not cargo's any more.
func (c *cargoBuild) read(line []byte) (show string, mine bool) {
	var m cargoMessage
	if c.finished || !bytes.HasPrefix(line, []byte("{")) || json.Unmarshal(line, &m) != nil || m.Reason == "" {
		return "", false
	}
	if rel := c.places.Relative(m.ManifestPath); rel != "" {
		c.packages[strings.TrimSuffix(strings.TrimSuffix(rel, "Cargo.toml"), "/")] = packageName(m.PackageID)
	}
	switch m.Reason {
	case "compiler-message":
		// A library is compiled for itself and for its tests, and complains twice.
		c.diagnostics = gates.Union(c.diagnostics, diagnostics(c.places, m))
		return m.Message.Rendered, true
	case "compiler-artifact":
		if m.Profile.Test && m.Executable != "" {
			c.targets[m.Executable] = m
		}
	case "build-finished":
		c.finished, c.ok = true, m.Success
	}
	return "", true
}

// packageName is the name in a package id: "path+file:///home/me/calc#0.1.0",
// or "path+file:///home/me/dir#calc@0.1.0" where directory and name differ.
func packageName(id string) string {
	where, version, _ := strings.Cut(id, "#")
	if name, _, ok := strings.Cut(version, "@"); ok {
		return name
	}
	return path.Base(where)
}

// noSuchCommand is what cargo says of a subcommand that is not installed.
const noSuchCommand = "no such command"

// failure reports a build that did not succeed.
func (c *cargoBuild) failure(end testrun.Ended) (testrun.Verdict, bool) {
	switch {
	case c.ok || end.Exit == 0:
		return testrun.Verdict{}, false
	case len(c.diagnostics) > 0:
		return testrun.Broken(c.diagnostics), true
	}
	class, message := gates.ClassInfra, output.FirstError(end.Output)
	if strings.Contains(message, noSuchCommand) || strings.Contains(message, "is not installed") {
		class = gates.ClassRunnerMissing
	}
	return testrun.Crashed(class, message), true
}

// readCheck runs clippy or check and reads its messages.
func readCheck(ctx context.Context, s *testrun.Session, argv []string) (testrun.Verdict, error) {
	subcommands := []string{"clippy", "check", "c", "build", "b"}
	argv, ok := cargoArgs(argv, subcommands, "--message-format=json")
	if !ok {
		return s.ByExitCode(ctx, "check", argv)
	}
	build := newCargoBuild(s.Places())
	j := testrun.Job{Name: "check", Line: func(line []byte) string {
		if show, mine := build.read(line); mine {
			return show
		}
		return string(line) + "\n"
	}}
	j.Argv, _ = cargoArgs(argv, subcommands, keepGoing)
	end, err := s.Run(ctx, j)
	if err == nil && end.Exit != 0 && strings.Contains(end.Output, keepGoing) && !build.finished {
		j.Argv = argv // before Rust 1.74 nothing went on
		end, err = s.Run(ctx, j)
	}
	trouble, stopped := end.Trouble()
	failed, ok := build.failure(end)
	switch {
	case err != nil || stopped:
		return trouble, err
	case !ok && end.Exit == 0:
		return testrun.Verdict{Outcome: gates.Passed, Detail: gates.DetailTest}, nil
	case !ok:
		return end.Verdict(), nil
	case failed.Outcome == gates.Broken && !build.broken():
		failed.Outcome = gates.Failed // it compiles; a lint was denied
	}
	return failed, nil
}

// errorCodePattern tells the compiler's errors from lints, whose messages begin with their names.
var errorCodePattern = lazyregexp.New(`^E\d{4}: `)

// broken reports whether a finding means that the project does not compile.
func (c *cargoBuild) broken() bool {
	return slices.ContainsFunc(c.diagnostics, func(d gates.Diagnostic) bool {
		return d.Class != gates.ClassCompile || errorCodePattern.MatchString(d.Message)
	})
}

// What nextest's exit codes say, and the option by which it passes on cargo's messages.
const (
	nextestUsage    = 2
	nextestEmpty    = 4
	nextestMessages = "--cargo-message-format"
)

// nextestArgs makes a call of nextest run every test and pass on what cargo
// says. Any other command is not ok. Its test binaries go through our wrapper
// like those of cargo itself.
func nextestArgs(argv []string) (out []string, ok bool) {
	if !slices.Contains(argv, "nextest") {
		return argv, false
	}
	flags := []string{nextestMessages + "=json"}
	if !slices.ContainsFunc(argv, func(a string) bool {
		return output.HasAnyPrefix(a, "--fail-fast", "--ff", "--max-fail", "--no-capture")
	}) {
		flags = append(flags, "--no-fail-fast")
	}
	return cargoArgs(argv, []string{"run", "r"}, flags...)
}

// narrow is a call of cargo test for a few tests only.
func narrow(argv []string, tests []gates.Test) []string {
	if _, ours := cargoArgs(argv, []string{"test", "t"}); !ours || slices.Contains(argv, "--") || slices.Contains(argv, "nextest") {
		return nil
	}
	out := append(slices.Clone(argv), "--", "--exact")
	for _, t := range tests {
		_, name, found := strings.Cut(t.ID, "::")
		if !found || strings.HasPrefix(t.ID, "doc::") || strings.Contains(t.ID, "/doc::") {
			return nil
		}
		out = append(out, name)
	}
	return out
}
