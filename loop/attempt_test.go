package loop_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/llm"
)

func TestFeedback(t *testing.T) {
	t.Parallel()
	noisy := "for i in $(seq 100); do echo line $i; done\n" + allTests
	l := newLab(t, shell("tests/all.sh", noisy),
		"test: passes\n=== tests/p_test.sh\ntrue # first\n",
		"test: breaks the scope\n=== src/b.sh\n# b\n", red1)
	l.steps(1)
	first, second, third := user(l.model.edits[0]), user(l.model.edits[1]), user(l.model.edits[2])
	wantNotIn(t, first, "Your last attempt was refused")
	wantIn(t, second, "Your last attempt was refused", "line 71", "line 100", "attempt 2 of 5")
	wantIn(t, second, strings.SplitN(l.refused[0].Findings[0], ":", 2)[0])
	wantNotIn(t, second, "line 70\n")
	// The next attempt starts from HEAD's tree, and says nothing twice.
	wantNotIn(t, third, "true # first", "line 100")
	wantIn(t, conversation(l.model.edits[2]), "true # first", "# b")
	for i, req := range l.model.requests[1:] {
		before := l.model.requests[i].Messages
		if len(req.Messages) != len(before)+2 || !slices.Equal(req.Messages[:len(before)], before) {
			t.Errorf("%s does not begin with the request before it", req.Label)
		}
	}
	wantNotIn(t, l.Git("ls-tree", "-r", "--name-only", "HEAD"), "p_test.sh", "src/b.sh")
}

func TestAttemptsAreKept(t *testing.T) {
	t.Parallel()
	l := newLab(t, shell(), "test: passes\n=== tests/p_test.sh\ntrue\n", "raw\nno", red1)
	l.steps(1)
	refs := strings.Fields(l.Git("for-each-ref", "--format=%(refname)", "refs/tdd/attempts"))
	if len(refs) != 3 || !strings.HasPrefix(refs[0], "refs/tdd/attempts/1-tester/1-") || refs[2] != "refs/tdd/attempts/1-tester/last" {
		t.Fatalf("%q", refs)
	}
	if refs[0] != l.refused[0].Ref || refs[1] != l.refused[1].Ref {
		t.Errorf("%v were told", l.refused)
	}
	wantIn(t, l.Git("ls-tree", "-r", "--name-only", refs[0]), "tests/p_test.sh")
	if l.Git("rev-parse", refs[1]+"^{tree}") != l.Git("rev-parse", "HEAD~1^{tree}") || l.Git("rev-parse", refs[1]+"^") != l.Git("rev-parse", "HEAD~1") {
		t.Error("an attempt that came to no tree is not HEAD's")
	}
	wantIn(t, l.Git("log", "-1", "--format=%B", refs[0]), "attempt 1 of step 1 (tester), refused", l.refused[0].Findings[0])
}

// A plan is kept for people, who read no more of it than a page.
func TestHugePlan(t *testing.T) {
	t.Parallel()
	l := newLab(t, shell(), "test: passes\n=== tests/p_test.sh\ntrue\n", red1)
	l.model.plan = strings.Repeat("plan ", 1<<12)
	l.steps(1)
	if n := len(l.Read(".tdd/plan/step-1-tester.md")); n > 10_000 {
		t.Errorf("a plan of %d bytes was kept", n)
	}
}

// No prompt is longer than the configuration allows, however much there is to
// show.
func TestMaxContext(t *testing.T) {
	t.Parallel()
	const room = 6000
	files := shell(".tdd.yaml", shellConfig+fmt.Sprintf("llm: {max_context: %d}\nkata_description: kata.md\ngates: {size: {tester: {files: 9, lines: 5000}}}\n", room),
		"kata.md", strings.Repeat("A number is a number.\n", 50))
	for i := range 300 {
		files[fmt.Sprintf("src/some/where/deep/f%d.sh", i)] = strings.Repeat("# x\n", i)
	}
	long := strings.Repeat("# a line of it\n", 3000)
	l := newLab(t, files, "test: passes\n=== tests/p_test.sh\n"+long, "test: number 1\n=== tests/a1_test.sh\ntest -f src/a1.sh\n"+long, green1)
	l.model.plan = strings.Repeat("plan ", 2000)
	l.steps(2)
	for _, req := range l.model.requests {
		n := 0
		for _, m := range req.Messages {
			n += llm.Tokens(m.Content)
		}
		if n > room {
			t.Errorf("%s has about %d tokens", req.Label, n)
		}
	}
	wantIn(t, conversation(l.model.edits[0]), "# File \"tests/all.sh\"", "A number is a number.")
}

// A role may not overwrite a file that it was not shown: it would have to
// guess.
func TestUnseen(t *testing.T) {
	t.Parallel()
	l := newLab(t, shell("src/big.sh", strings.Repeat("# big\n", 40_000), "NOTES.md", "mine\n"), red1,
		"feat: a1\n=== src/a1.sh\n# 1\n=== src/big.sh\n# small\n", "feat: a1\n=== src/a1.sh\n# 1\n=== NOTES.md\nyours\n", green1)
	l.steps(2)
	for i, name := range []string{"src/big.sh", "NOTES.md"} {
		wantIn(t, strings.Join(l.refused[i].Findings, "\n"), name, "was not shown")
	}
}

// A Rust tester writes in the sources, where the tests are.
func TestInlineTests(t *testing.T) {
	t.Parallel()
	l := newLab(t, gittest.Files{
		".tdd.yaml":  "language: rust\nci: {test_cmd: [\"sh\", \"-c\", \"exit 0\"], check_cmd: [], fmt_cmd: []}\n",
		"Cargo.toml": "[package]\nname = \"x\"\nversion = \"0.1.0\"\n", "src/lib.rs": "// lib\n",
	})
	l.model.before = func(llm.Request) error { return &llm.Error{Kind: llm.KindServer} }
	if _, err := l.step(); err == nil || len(l.model.requests) != 1 {
		t.Fatal(err)
	}
	wantIn(t, conversation(l.model.requests[0]), `you may change only "src/lib.rs"`)
}

func TestPlanIsKept(t *testing.T) {
	t.Parallel()
	l := newLab(t, shell(), red1)
	l.model.plan = "a test of 1"
	l.steps(1)
	if kept := l.Read(".tdd/plan/step-1-tester.md"); strings.TrimSpace(kept) != "a test of 1" || len(l.model.requests) != 1 {
		t.Errorf("the plan is %q, after %d requests", kept, len(l.model.requests))
	}
}

// What a role notes reaches the roles after it, itself at its next turn among them.
func TestNotes(t *testing.T) {
	t.Parallel()
	note := func(kind, path, notes string) string {
		return fmt.Sprintf("raw\n{\"edits\":[{\"path\":%q,\"action\":\"upsert\",\"content\":%q}],\"commit\":{\"type\":%q,\"summary\":\"x\"},\"notes\":%q}",
			path, "test -f src/a1.sh\n", kind, notes)
	}
	l := newLab(t, shell(), note("test", "tests/a1_test.sh", "mind\nthe gap"), note("feat", "src/a1.sh", "the test is odd"), "done", "test: number 2\n=== tests/a2_test.sh\ntest -f src/a2.sh\n")
	l.steps(4)
	heard := func(i int) string { return conversation(l.model.edits[i]) }
	wantNotIn(t, heard(0), "# Notes")
	wantIn(t, heard(1), "- tester of step 1: mind the gap")
	wantIn(t, heard(2), "- tester of step 1: mind the gap\n- implementor of step 2: the test is odd")
	wantIn(t, heard(3), "- tester of step 1: mind the gap\n- implementor of step 2: the test is odd")
	wantIn(t, l.Git("log", "-1", "--format=%(trailers:key=Tdd-Note,valueonly)", "HEAD~2"), "the test is odd")
}

// With strict isolation a role is shown, and may overwrite, only its own side.
func TestStrict(t *testing.T) {
	t.Parallel()
	l := newLab(t, shell(".tdd.yaml", shellConfig+"isolation: strict\nkata_description: kata.md\n",
		"kata.md", "The secret wish of the customer is a number.\n", "src/all.sh", "# how it is done, for nobody else to see\n"),
		"test: both\n=== tests/a1_test.sh\ntest -f src/a1.sh\n=== src/all.sh\n# blind\n", red1, green1)
	l.steps(2)
	tester, implementor := conversation(l.model.edits[1]), conversation(l.model.edits[2])
	wantIn(t, tester, "secret wish", "tests/all.sh")
	wantNotIn(t, tester, "how it is done")
	wantIn(t, implementor, "how it is done", "test -f src/a1.sh")
	wantNotIn(t, implementor, "secret wish")
	wantIn(t, strings.Join(l.refused[0].Findings, ""), "src/all.sh", "was not shown")
}

// What a step costs does not grow with files that it has nothing to do with.
func TestPromptOfALargeProject(t *testing.T) {
	t.Parallel()
	cost := func(n int) int {
		files := shell()
		for i := range n {
			files[fmt.Sprintf("src/part%02d/file%04d.sh", i%17, i)] = "# a line\n# and another\n"
		}
		l := newLab(t, files, red1, green1)
		l.steps(2)
		sum := 0
		for _, req := range l.model.requests {
			sum += llm.Tokens(conversation(req))
		}
		wantIn(t, conversation(l.model.edits[1]), `# File "tests/a1_test.sh"`)
		return sum
	}
	if small, large := cost(50), cost(2000); float64(large) > 1.05*float64(small) {
		t.Errorf("%d tokens with 50 files, %d with 2000", small, large)
	}
}

// A role after the tester is told which criterion the cycle serves, and what
// passed before a red that keeps tests from running.
func TestCriterionOfTheCycle(t *testing.T) {
	t.Parallel()
	l := newLab(t, shell("kata.md", "# K\n\n## Acceptance criteria\n\n1. Ada is greeted.\n2. Bob is greeted.\n"),
		"test: number 1\ncriterion 2\n=== tests/a1_test.sh\ntest -f src/a1.sh\n", green1)
	l.steps(2)
	wantIn(t, conversation(l.model.edits[1]), "- Acceptance criterion that is being worked on: 2\n")
	wantNotIn(t, conversation(l.model.edits[0]), "being worked on")
}
