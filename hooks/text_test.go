package hooks

import (
	"testing"

	"github.com/git-tdd/git-tdd/gates"
)

const scissored = "; ------------------------ >8 ------------------------\n; Do not modify\ndiff --git a b\n+Tdd-Step: 9\n"

func TestTake(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		file, message, below string
		style                style
	}{
		"no editor: comments are text": {file: "fix: it\n\n#1 is gone\n", message: "fix: it\n\n#1 is gone\n", style: style{comment: "#"}},
		"editor":                       {file: "fix: it\n# no\nmore\n\n# Please\n#\n", message: "fix: it\nmore\n", below: "\n# Please\n#\n", style: style{comment: "#", edited: true}},
		"verbose, other character":     {file: "fix: it\n\n; Please\n" + scissored, message: "fix: it\n", below: "\n; Please\n" + scissored, style: style{comment: ";", edited: true}},
		"scissors mode":                {file: "fix: it\n; kept\n" + scissored, message: "fix: it\n; kept\n", below: scissored, style: style{comment: ";", edited: true, cleanup: "scissors"}},
		"windows":                      {file: "\ufefffix: it\r\n\r\nmore\r\n", message: "fix: it\n\nmore\n", style: style{comment: "#"}},
		"verbatim":                     {file: "fix: it\r\n# kept\n", message: "fix: it\r\n# kept\n", style: style{comment: "#", edited: true, cleanup: "verbatim"}},
		"nothing but comments":         {file: "\n# Please\n", message: "", below: "\n# Please\n", style: style{comment: "#", edited: true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := take(tc.file, tc.style)
			if got.message != tc.message || got.below != tc.below {
				t.Errorf("%q below %q", got.message, got.below)
			}
		})
	}
}

func TestTrailed(t *testing.T) {
	t.Parallel()
	step := gates.Step{Number: 2, Role: gates.Implementor, Cycle: 1, Phase: gates.PhaseGreen, Tests: "1 passed, 0 failed"}
	const trailers = "Tdd-Step: 2\nTdd-Role: implementor\nTdd-Cycle: 1\nTdd-Phase: green\nTdd-Tests: 1 passed, 0 failed\n"
	for name, tc := range map[string]struct {
		message, want string
		step          gates.Step
	}{
		"plain":          {"feat: it\n", "feat: it\n\n" + trailers, step},
		"joins":          {"feat: it\n\nbody\n\nSigned-off-by: A <a@b>\n", "feat: it\n\nbody\n\nSigned-off-by: A <a@b>\n" + trailers, step},
		"replaces":       {"feat: it\n\nTdd-Step: 1\nRefs: x\ntdd-red: a (assertion)\n  goes on\nTdd-Phase: red\n", "feat: it\n\nRefs: x\n" + trailers, step},
		"outside":        {"docs: it\n\nTdd-Step: 1\nTdd-Outcome: unguarded\n", "docs: it\n\nTdd-Outcome: unguarded\n", gates.Step{}},
		"above comments": {"feat: it\n\nTdd-Step: 1\n\n#1 is the issue\n", "feat: it\n\n" + trailers + "\n#1 is the issue\n", step},
		"nothing to say": {"docs: it\n", "docs: it\n", gates.Step{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := Trailed(tc.message, tc.step); got != tc.want {
				t.Errorf("%q", got)
			}
		})
	}
}

func TestReadArgs(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		args    []string
		amends  bool
		cleanup string
	}{
		{[]string{"git", "commit", "-m", "x"}, false, ""},
		{[]string{"/usr/bin/git", "-C", "commit", "-c", "a=b", "commit", "--amend"}, true, ""},
		{[]string{"git", "commit", "-am", "--amend"}, false, ""},
		{[]string{"git", "commit", "--", "--amend"}, false, ""},
		{[]string{"git-commit", "--ame", "--cleanup=verbatim"}, true, "verbatim"},
		{[]string{"git", "commit", "--cleanup", "strip", "--amend", "--no-amend"}, false, "strip"},
		{[]string{"git", "commit", "--allow-empty", "--message=x"}, false, ""},
	} {
		rest, ok := commitArgs(tc.args)
		if inv := readArgs(rest); !ok || !inv.known || inv.amends != tc.amends || inv.cleanup != tc.cleanup {
			t.Errorf("%q: %v %+v", tc.args, ok, inv)
		}
	}
	for _, args := range [][]string{{"git", "merge", "commit"}, {"sh", "commit"}, {"git"}} {
		if _, ok := commitArgs(args); ok {
			t.Errorf("%q is no git commit", args)
		}
	}
}
