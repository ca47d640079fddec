package loop_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/llm"
	"github.com/git-tdd/git-tdd/loop"
)

func TestNotReady(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files   map[string]string
		prepare func(l *lab)
		want    string
	}{
		"unborn":      {files: nil, want: "no commit yet"},
		"detached":    {files: shell(), prepare: func(l *lab) { l.Git("switch", "-q", "--detach") }, want: "HEAD is detached"},
		"no config":   {files: gittest.Files{"go.mod": "module x\n"}, want: "HEAD has no .tdd.yaml"},
		"nothing":     {files: gittest.Files{"README": "x\n"}, want: "HEAD has no .tdd.yaml"},
		"a long kata": {files: shell("kata.md", strings.Repeat("All shall be well.\n", 10_000)), want: "llm.max_context"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, c.files, red1)
			if name == "a long kata" {
				l.Write(".tdd.yaml", shellConfig+"kata_description: kata.md\n")
				l.Commit("chore: kata")
			}
			if c.prepare != nil {
				c.prepare(l)
			}
			before := l.state()
			_, err := l.step()
			if !errors.Is(err, loop.ErrNotReady) {
				t.Fatalf("%v is not ErrNotReady", err)
			}
			wantIn(t, err.Error(), c.want)
			l.same(before)
			if len(l.model.requests) > 0 {
				t.Errorf("%d requests", len(l.model.requests))
			}
		})
	}
}

func TestBrokenConfig(t *testing.T) {
	t.Parallel()
	l := newLab(t, gittest.Files{".tdd.yaml": "langage: go\n"}, red1)
	_, err := l.step()
	if _, ok := errors.AsType[*config.Error](err); !ok {
		t.Errorf("%v is no *config.Error", err)
	}
}

func TestHumanTurn(t *testing.T) {
	t.Parallel()
	l := newLab(t, shell(".tdd.yaml", shellConfig+"roles: {implementor: {model: human}}\n"), red1, green1)
	l.steps(1)
	stop := l.stops(loop.HumanTurn)
	wantIn(t, stop.Error(), "human-turn: ", "step 2 is yours", "roles.implementor.model")
	if len(l.model.requests) != 1 {
		t.Errorf("%d requests", len(l.model.requests))
	}
}

func TestContradicted(t *testing.T) {
	t.Parallel()
	l := newLab(t, shell(), red1, green1)
	l.steps(1)
	l.Write("tests/a1_test.sh", "true\n")
	l.Commit("chore: take the test away")
	stop := l.stops(loop.Contradicted)
	wantIn(t, stop.Text, "then try again")
	if len(l.model.requests) != 1 {
		t.Errorf("%d requests", len(l.model.requests))
	}
}

func TestUnjudgedHead(t *testing.T) {
	t.Parallel()
	l := newLab(t, shell(".tdd.yaml", "language: generic\nci: {test_cmd: [\"there-is-no-such-program\"]}\n"), red1)
	stop := l.stops(loop.Unjudged)
	wantIn(t, stop.Text, "git tdd doctor")
	if len(l.model.requests) > 0 {
		t.Errorf("%d requests", len(l.model.requests))
	}
}

func TestUnjudgedAttempts(t *testing.T) {
	t.Parallel()
	hang := func(n int) string { return fmt.Sprintf("test: hang\n=== tests/a%d_test.sh\nsleep 600\n", n) }
	l := newLab(t, shell(".tdd.yaml", "language: generic\nmax_attempts_per_agent: 2\nci: {timeout: 1s, test_cmd: [\"sh\", \"tests/all.sh\"]}\n"), hang(1), hang(2))
	stop := l.stops(loop.Unjudged)
	wantIn(t, stop.Text, "used up its 2 attempts")
}

func TestStuckAndNoProgress(t *testing.T) {
	t.Parallel()
	files := shell(".tdd.yaml", "max_attempts_per_agent: 4\n"+shellConfig)
	passes := func(n int) string { return fmt.Sprintf("test: passes\n=== tests/p%d_test.sh\ntrue\n", n) }

	l := newLab(t, files, passes(1), passes(2), passes(3), passes(4))
	wantIn(t, l.stops(loop.NoProgress).Text, "3 new tests in a row passed at once", "refs/tdd/attempts")
	if len(l.refused) != 3 || len(l.model.script) != 1 {
		t.Errorf("%d attempts", len(l.refused))
	}

	source := "test: breaks the scope\n=== src/b.sh\n# b\n"
	l = newLab(t, files, passes(1), source, passes(1), source)
	wantIn(t, l.stops(loop.Stuck).Text, "used up its 4 attempts", "refs/tdd/attempts")
	if len(l.refused) != 4 {
		t.Errorf("%d attempts", len(l.refused))
	}
}

// Attempts that differ only by what a formatter removes are the same, although
// the output of the tests would differ each time: the facts are on record.
func TestNoProgressAfterFormatting(t *testing.T) {
	t.Parallel()
	l := newLab(t, gittest.Files{
		".tdd.yaml":    "language: generic\nci: {test_cmd: [\"sh\", \"tests/all.sh\"], fmt_cmd: [\"sh\", \"tests/fmt.sh\"]}\n",
		"tests/all.sh": "date +%s%N; " + allTests,
		"tests/fmt.sh": "for f in tests/*_test.sh; do [ ! -e $f ] || { tr -d ' ' <$f >$f.new && mv $f.new $f; }; done\n",
	}, "test: a\n=== tests/a_test.sh\ntrue\n", "test: a\n=== tests/a_test.sh\n true\n", "test: a\n=== tests/a_test.sh\n  true\n")
	wantIn(t, l.stops(loop.NoProgress).Text, "3 new tests in a row")
}

func TestBudget(t *testing.T) {
	t.Parallel()
	for name, limits := range map[string]llm.Limits{
		"tokens": {Tokens: 1}, "time": {Time: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, shell(), red1)
			inner := l.model
			budget := llm.NewBudget(limits)
			options := l.options()
			options.Answerer = func(config.Settings, gates.Role) (loop.Answerer, error) {
				return loop.Answerer{Client: &llm.Budgeted{Client: inner, Budget: budget}, Name: "b"}, nil
			}
			_, err := loop.New(options).Run(t.Context(), 5)
			var stop *loop.StopError
			if !errors.As(err, &stop) || stop.Reason != loop.Budget {
				t.Fatal(err)
			}
			wantIn(t, stop.Text, "llm.budget."+name)
			if _, ok := errors.AsType[*llm.Error](err); !ok {
				t.Error("the cause is lost")
			}
		})
	}
}

func TestNoAnswer(t *testing.T) {
	t.Parallel()
	l := newLab(t, shell(), red1)
	l.model.before = func(llm.Request) error { return &llm.Error{Kind: llm.KindUnreachable, Message: "nobody there"} }
	wantIn(t, l.stops(loop.NoAnswer).Text, "nobody there")
	if out := l.Git("for-each-ref", "refs/tdd"); out != "" {
		t.Errorf("refs are left: %s", out)
	}
}

func TestComplete(t *testing.T) {
	t.Parallel()
	l := newLab(t, shell(), "done", red1, green1, "done", "done")
	done, err := l.loop().Run(t.Context(), 10)
	var stop *loop.StopError
	if !errors.As(err, &stop) || stop.Reason != loop.Done || len(done) != 3 {
		t.Fatalf("%d steps, %v", len(done), err)
	}
	wantIn(t, stop.Text, "lists no acceptance criteria")
	wantIn(t, strings.Join(l.refused[0].Findings, ""), "no step has been taken")
	message := l.Git("log", "-1", "--format=%B")
	wantIn(t, message, "chore: complete the kata", "Tdd-Outcome: complete")
	wantNotIn(t, message, "every acceptance criterion")
	l.verify(5)
	asked := len(l.model.requests)
	wantIn(t, l.stops(loop.Done).Text, "HEAD says that the kata is complete")
	if len(l.model.requests) != asked {
		t.Error("a model was asked")
	}
}

// A criterion gets no more cycles than it may; another one goes on.
func TestMaxCycles(t *testing.T) {
	t.Parallel()
	kata := "# K\n\n## Acceptance criteria\n\n1. One.\n2. Two.\n"
	red := func(n, criterion int) string {
		return fmt.Sprintf("test: number %d\ncriterion %d\n=== tests/a%d_test.sh\ntest -f src/a%d.sh\n", n, criterion, n, n)
	}
	green := func(n int) string { return fmt.Sprintf("feat: number %d\n=== src/a%d.sh\n# %d\n", n, n, n) }
	l := newLab(t, shell(".tdd.yaml", "max_attempts_per_agent: 1\n"+shellConfig, "kata.md", kata),
		red(1, 1), green(1), "done", red(2, 1), green(2), "done", red(3, 1), red(3, 2))
	l.steps(6)
	wantIn(t, l.stops(loop.MaxCycles).Text, "criterion 1 has had 2 cycles", "raise max_attempts_per_agent")
	l.steps(1)
}
