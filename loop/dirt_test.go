package loop_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/llm"
)

// If everything that a role could write is the user's uncommitted work, no
// model is asked.
func TestCollision(t *testing.T) {
	t.Parallel()
	l := newLab(t, shell(), red1, green1)
	l.steps(1)
	l.Write("src/all.sh", "# mine\n")
	before, asked := l.state(), len(l.model.requests)
	_, err := l.step()
	if c, ok := errors.AsType[*gitx.CollisionError](err); !ok || c.State["src/all.sh"] != gitx.Modified {
		t.Errorf("%v", err)
	}
	if len(l.model.requests) != asked {
		t.Error("a model was asked")
	}
	l.same(before)
}

func TestDirtyIsOffLimits(t *testing.T) {
	t.Parallel()
	l := newLab(t, shell("src/b.sh", "# b\n"), red1, "feat: a1\n=== src/a1.sh\n# 1\n=== src/b.sh\n# changed\n", green1)
	l.steps(1)
	l.Write("src/b.sh", "# mine\n")
	l.Write("new.txt", "mine too\n")
	l.steps(1)
	wantIn(t, strings.Join(l.notes, ""), "src/b.sh")
	wantIn(t, conversation(l.model.edits[1]), "Off limits in this step", "uncommitted work there (modified)", `you may change only "src/all.sh".`)
	wantIn(t, strings.Join(l.refused[0].Findings, ""), "src/b.sh", "uncommitted work")
	if l.Read("src/b.sh") != "# mine\n" || l.Read("new.txt") != "mine too\n" || l.Read("src/a1.sh") == "" {
		t.Error("the user's files changed")
	}
}

// Something in the way of a new file, even if it appears while the model
// thinks, is a finding before any test is run.
func TestInTheWay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		path    string // what the second answer avoids
		prepare func(l *lab)
		want    string
	}{
		"untracked":       {"src/a1.sh", func(l *lab) { l.Write("src/a1.sh", "# mine\n") }, "untracked"},
		"a link":          {"src/a1.sh", func(l *lab) { gittest.Check(l, os.Symlink("nowhere", l.Path("src/a1.sh"))) }, "untracked"},
		"a file above":    {"lib/a1.sh", func(l *lab) { l.Write("lib", "mine\n") }, "untracked"},
		"a link above":    {"lib/a1.sh", func(l *lab) { gittest.Check(l, os.Symlink("src", l.Path("lib"))) }, "behind a symlink"},
		"a folder":        {"src/a1.sh", func(l *lab) { l.Write("src/a1.sh/mine", "x\n") }, "untracked"},
		"edited just now": {"src/b.sh", func(l *lab) { l.Write("src/b.sh", "# mine\n") }, "modified"},
		"deleted":         {"src/b.sh", func(l *lab) { gittest.Check(l, os.Remove(l.Path("src/b.sh"))) }, "deleted"},
		"staged":          {"src/b.sh", func(l *lab) { l.Write("src/b.sh", "# mine\n"); l.Git("add", "src") }, "index"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test := "test: one of them\n=== tests/a1_test.sh\ntest -f src/good.sh\n"
			l := newLab(t, shell("src/b.sh", "# b\n"), test,
				fmt.Sprintf("feat: a\n=== src/good.sh\n# good\n=== %s\n# theirs\n", c.path), "feat: a\n=== src/good.sh\n# good\n")
			l.steps(1)
			prepared := false
			l.model.before = func(llm.Request) error {
				if !prepared {
					prepared = true
					c.prepare(l)
				}
				return nil
			}
			measured := l.check.Count()
			l.steps(1)
			if len(l.refused) != 1 {
				t.Fatalf("%v", l.refused)
			}
			finding := strings.Join(l.refused[0].Findings, "\n")
			wantIn(t, finding, c.path)
			if c.want != "index" {
				wantIn(t, finding, c.want)
			}
			if n := l.check.Count() - measured; n != 1 {
				t.Errorf("%d measurements", n)
			}
			wantIn(t, user(l.model.edits[2]), "Your last attempt was refused", c.path)
		})
	}
}

// A commit that cannot land because of what the user did while its tests ran is
// kept.
func TestLateCollision(t *testing.T) {
	t.Parallel()
	l := newLab(t, shell("src/b.sh", "# b\n"), red1, "feat: a1\n=== src/a1.sh\n# 1\n=== src/b.sh\n# theirs\n")
	l.steps(1)
	l.onPhase = func(string) { l.Write("src/b.sh", "# mine\n") }
	head := l.Git("rev-parse", "HEAD")
	_, err := l.step()
	if _, ok := errors.AsType[*gitx.CollisionError](err); !ok {
		t.Fatal(err)
	}
	l.kept(err, head)
	if l.Read("src/b.sh") != "# mine\n" {
		t.Error("the user's work is gone")
	}
}

// kept checks that an error names a ref with the step on top of a commit.
func (l *lab) kept(err error, parent string) {
	l.Helper()
	ref := l.Git("for-each-ref", "--format=%(refname)", "refs/tdd/attempts/2-implementor")
	if strings.Count(ref, "\n") != 0 || ref == "" {
		l.Fatalf("refs: %q", ref)
	}
	wantIn(l, err.Error(), ref)
	wantIn(l, l.Git("log", "-1", "--format=%B", ref), "Tdd-Step: 2")
	if l.Git("rev-parse", ref+"^") != parent {
		l.Error("it has another parent")
	}
	if next := l.Git("for-each-ref", "refs/tdd/next"); next != "" {
		l.Error(next)
	}
}

func TestMoved(t *testing.T) {
	t.Parallel()
	l := newLab(t, shell(), red1, green1)
	l.steps(1)
	head := l.Git("rev-parse", "HEAD")
	l.Write("README", "unsaved\n")
	l.model.before = func(llm.Request) error {
		l.model.before = nil
		l.Git("commit", "-q", "--allow-empty", "-m", "docs: somebody was faster")
		return nil
	}
	_, err := l.step()
	if !errors.Is(err, gitx.ErrMoved) {
		t.Fatal(err)
	}
	l.kept(err, head)
	wantIn(t, l.Git("log", "-1", "--format=%s"), "somebody was faster")
	if l.Read("README") != "unsaved\n" || l.Git("status", "--porcelain") != "?? README" {
		t.Error(l.Git("status", "--porcelain"))
	}
}

// A step lands on the branch for which it was made. The next one does not
// continue on another.
func TestSwitched(t *testing.T) {
	t.Parallel()
	l := newLab(t, shell(), red1, green1)
	l.Git("branch", "other")
	l.model.before = func(llm.Request) error {
		l.model.before = nil
		l.Git("switch", "-q", "other")
		return nil
	}
	other := l.Git("rev-parse", "other")
	done, err := l.loop().Run(t.Context(), 2)
	if len(done) != 1 || err == nil {
		t.Fatalf("%d steps, %v", len(done), err)
	}
	wantIn(t, err.Error(), "refs/heads/other", "refs/heads/main")
	if l.Git("rev-parse", "other") != other || l.Git("rev-parse", "main~1") != other {
		t.Error("the branches are elsewhere")
	}
	if got := l.Git("status", "--porcelain"); got != "" {
		t.Error(got)
	}
}
