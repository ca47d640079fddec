package gates_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
)

// TestStepIsReadAsWritten writes a step into a message and reads it again.
func TestStepIsReadAsWritten(t *testing.T) {
	t.Parallel()
	for name, step := range map[string]gates.Step{
		"least": {Number: 1},
		"all": {
			Number: 4, Role: gates.Tester, Cycle: 2, Phase: gates.PhaseRed, Tests: "3 passed, 1 failed",
			Red:      []gates.Red{{ID: "calculator::sums_two_numbers", Class: gates.ClassAssertion}},
			Attempts: 2, Model: "openai:gpt-4.1-mini", Tokens: "5321 in, 811 out", Outcome: gates.Unguarded, Criteria: []int{3, 5},
		},
		"red by file": {Number: 4, Red: []gates.Red{{ID: "tests/calculator.rs", Class: gates.ClassMissingSymbol, Symbol: "add"}}},
		"odd names":   {Number: 4, Red: []gates.Red{{ID: "adds (slowly): twice", Class: gates.ClassException}, {ID: "x.TestSum/a_(b)", Class: gates.ClassMissingSymbol}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := commitmsg.Parse(commitmsg.Message{Subject: "test: x", Trailers: step.Trailers()}.String())
			got, ok := gates.ParseStep(m)
			if !ok || !reflect.DeepEqual(got, step) {
				t.Errorf("got  %+v\nwant %+v", got, step)
			}
		})
	}
}

func TestStepThatIsNone(t *testing.T) {
	t.Parallel()
	for _, number := range []string{"", "0", "-1", "four", "1e3", "1000000001", "9223372036854775808"} {
		m := commitmsg.Message{Trailers: []commitmsg.Trailer{{Key: gates.KeyStep, Value: number}}}
		if s, ok := gates.ParseStep(m); ok {
			t.Errorf("%s: %q was read as %+v", gates.KeyStep, number, s)
		}
	}
	m := commitmsg.Message{Trailers: []commitmsg.Trailer{
		{Key: gates.KeyStep, Value: "3"}, {Key: gates.KeyCycle, Value: "-2"}, {Key: gates.KeyAttempts, Value: "99999999999"}, {Key: gates.KeyCriterion, Value: "two"},
	}}
	if s, ok := gates.ParseStep(m); !ok || s.Cycle != 0 || s.Attempts != 0 || s.Criteria != nil {
		t.Errorf("numbers beyond belief were believed: %+v", s)
	}
}

func TestRedByFile(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		red  gates.Red
		want bool
	}{
		{gates.Red{ID: "calc::sums", Class: gates.ClassAssertion}, false},
		{gates.Red{ID: "sum.test.js > sums", Class: gates.ClassMissingSymbol}, false},
		{gates.Red{ID: "tests/calc.rs", Class: gates.ClassMissingSymbol, Symbol: "sum"}, true},
		{gates.Red{ID: "tests/calc.sh", Class: gates.ClassExitCode}, true},
	} {
		if got := test.red.ByFile(); got != test.want {
			t.Errorf("%s: ByFile is %v", test.red, got)
		}
	}
}

func TestFollowing(t *testing.T) {
	t.Parallel()
	at := func(number, cycle int) gates.Position {
		return gates.Position{Commit: "c", Step: gates.Step{Number: number, Cycle: cycle}}
	}
	for _, test := range []struct {
		pos         gates.Position
		role, plays gates.Role
		want        gates.Step
	}{
		{gates.Position{}, gates.Tester, gates.Tester, gates.Step{Number: 1, Role: gates.Tester, Cycle: 1, Phase: gates.PhaseRed}},
		{gates.Position{}, gates.Refactorer, gates.Refactorer, gates.Step{Number: 1, Role: gates.Refactorer, Cycle: 1, Phase: gates.PhaseRefactor}},
		{at(4, 2), gates.Implementor, gates.Implementor, gates.Step{Number: 5, Role: gates.Implementor, Cycle: 2, Phase: gates.PhaseGreen}},
		{at(6, 2), "attacker", gates.Tester, gates.Step{Number: 7, Role: "attacker", Cycle: 3, Phase: gates.PhaseRed}},
	} {
		if got := test.pos.Following(test.role, test.plays); !reflect.DeepEqual(got, test.want) {
			t.Errorf("got %+v, want %+v", got, test.want)
		}
	}
}

func TestRoleOf(t *testing.T) {
	t.Parallel()
	for conventional, want := range map[string]gates.Role{
		"test": gates.Tester, "feat": gates.Implementor, "fix": gates.Implementor,
		"refactor": gates.Refactorer, "perf": gates.Refactorer, "chore": "", "revert": "", "": "",
	} {
		got := gates.RoleOf(conventional)
		if got != want {
			t.Errorf("RoleOf(%q) = %q, want %q", conventional, got, want)
		}
		if (got == "") != (got.Phase() == "") {
			t.Errorf("role %q has the phase %q", got, got.Phase())
		}
	}
}

func TestTestsText(t *testing.T) {
	t.Parallel()
	for facts, want := range map[string]string{
		"passed\nok a\nok b":                       "2 passed, 0 failed",
		"failed\nok a\nfail b (assertion)\nskip c": "1 passed, 1 failed, 1 skipped",
		"broken\nok a\nwhy missing-symbol x : no":  "1 passed, 0 failed, the rest not run (missing-symbol)",
		"failed\nexit-code":                        "failed (exit code only)",
		"empty":                                    "0 passed, 0 failed",
	} {
		if got := gates.TestsText(parseFacts(t, facts)); got != want {
			t.Errorf("%q: got %q, want %q", facts, got, want)
		}
	}
}

func TestFindingInOneLine(t *testing.T) {
	t.Parallel()
	for want, f := range map[string]gates.Finding{
		"red: s → r":            {Gate: "red", Seen: "s", Remedy: "r"},
		"red: a.rs: s → r":      {Gate: "red", Path: "a.rs", Seen: "s", Remedy: "r"},
		"red: a.rs:3, t: s → r": {Gate: "red", Path: "a.rs", Line: 3, Test: "t", Seen: "s", Remedy: "r"},
		"green: t: s → r":       {Gate: "green", Line: 3, Test: "t", Seen: "s", Remedy: "r"},
	} {
		if got := f.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestAlwaysProtected(t *testing.T) {
	t.Parallel()
	for _, path := range []string{
		".circleci/config.yml", "azure-pipelines.yml", "Jenkinsfile", "jenkinsfile", "deep/Jenkinsfile", ".devcontainer/devcontainer.json",
		".claude/settings.json", "pkg/.cursor/rules/x.mdc", "AGENTS.md", "pkg/agents.MD", "CLAUDE.md", "CLAUDE.local.md", ".mcp.json",
		".env", ".env.local", "web/.env", ".envrc", "Cargo.lock", "web/package-lock.json", "go.sum", "gradlew", "mvnw.cmd",
		"gradle/wrapper/gradle-wrapper.properties", ".mvn/extensions.xml", ".npmrc", ".cargo/config.toml", ".github/workflows/x.yml",
	} {
		if !gates.Protected(nil, path) {
			t.Errorf("%s is not protected", path)
		}
	}
	for _, path := range []string{"src/agents.go", "env.go", "src/lock.rs", "docs/claude/notes.md", "environment/.gitkeep", "tests/lockfile_test.py", "README.md", "src/ci.py"} {
		if gates.Protected(nil, path) {
			t.Errorf("%s is protected", path)
		}
	}
}

func TestProtected(t *testing.T) {
	t.Parallel()
	patterns := []string{"kata.md", ".github/**", "secrets/", "", "a[.txt"}
	for path, want := range map[string]bool{
		".tdd.yaml": true, "TDD.yaml": true, ".tdd/plan/x.md": true, "kata.md": true, "KATA.md": true,
		".git/config": true, "sub/.git": true, "sub/.git/hooks/pre-commit": true, "sub/.gitattributes": true, ".gitmodules": true,
		".husky/pre-push": true, "lefthook.yml": true, ".lefthook.yaml": true, ".vscode/tasks.json": true, ".envrc": true,
		".github/workflows/ci.yml": true, ".GITHUB/x": true, "secrets": true, "secrets/a/b": true, "a[.txt": true,
		"src/lib.rs": false, "katas/kata.md": false, "docs/.github.md": false, ".gitignore": false, "src/git/mod.rs": false, "": false,
	} {
		if got := gates.Protected(patterns, path); got != want {
			t.Errorf("Protected(%q) = %v", path, got)
		}
	}
}

func TestWorse(t *testing.T) {
	t.Parallel()
	order := []gates.Class{
		gates.ClassNone, gates.ClassExitCode, gates.ClassAssertion, gates.ClassUnimplemented, gates.ClassException, gates.ClassMissingSymbol,
		gates.ClassCompile, gates.ClassSyntax, gates.ClassNoTests, gates.ClassTimeout, gates.ClassCrash, gates.ClassRunnerMissing, gates.ClassInfra,
	}
	for i, a := range order {
		for j, b := range order {
			if got, want := gates.Worse(a, b), order[max(i, j)]; got != want {
				t.Errorf("Worse(%q, %q) = %q, want %q", a, b, got, want)
			}
		}
	}
}

// TestContradiction compares what trailers claim with what facts show.
func TestContradiction(t *testing.T) {
	t.Parallel()
	const green, red = "passed\nok a\nok b", "failed\nok a\nfail b (assertion)"
	for _, test := range []struct {
		name, phase, tests, facts, base, want string
	}{
		{"nothing claimed", "", "", red, "", ""},
		{"red as claimed", "red", "1 passed, 1 failed", red, "passed\nok a", ""},
		{"green as claimed", "green", "2 passed, 0 failed", green, "", ""},
		{"red claimed, all passes", "red", "1 passed, 1 failed", green, "passed\nok a", "step 4 left a red test, but nothing fails now (2 passed, 0 failed)"},
		{"green claimed, one fails", "green", "2 passed, 0 failed", red, "", "step 4 left the tests green, but now: 1 passed, 1 failed: b"},
		{"an old failure counted", "green", "1 passed, 1 failed", red, "", ""},
		{"an old failure in the base", "refactor", "2 passed, 0 failed", red, red, ""},
		{"only the old failure is left", "red", "0 passed, 2 failed", red, red, "step 4 left a red test, but nothing fails now (1 passed, 1 failed)"},
		{"does not build", "green", "2 passed, 0 failed", "broken\nwhy syntax : x", "", "step 4 left the tests green, but now: not run (syntax)"},
		{"exit code", "green", "passed (exit code only)", "failed\nexit-code", "", "step 4 left the tests green, but now: failed (exit code only)"},
		{"many", "green", "5 passed, 0 failed", "failed\nfail a\nfail b\nfail c\nfail d\nfail e", "", "step 4 left the tests green, but now: 0 passed, 5 failed: a, b, c and 2 more"},
	} {
		t.Run(strings.ReplaceAll(test.name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			var pos gates.Position
			if test.phase != "" {
				pos = gates.Position{Commit: "c", Step: gates.Step{Number: 4, Phase: gates.Phase(test.phase), Tests: test.tests}}
			}
			var base *gates.Facts
			if test.base != "" {
				f := parseFacts(t, test.base)
				base = &f
			}
			if got := gates.Contradiction(pos, parseFacts(t, test.facts), base); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
