package check

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/facts"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/lang"
)

// lab is a repository with a user. Commits are made by plumbing: no working
// tree is needed.
type lab struct {
	*gittest.Repo
	repo *gitx.Repo
	dirs facts.Dirs
}

func newLab(t *testing.T) *lab {
	t.Helper()
	return labOf(gittest.New(t))
}

func labOf(r *gittest.Repo) *lab {
	r.Helper()
	r.Env = append(r.Env, "GOFLAGS=-vet=off")
	repo, err := gitx.Open(r.Context(), gitx.Options{Dir: r.Dir, Environ: r.Env})
	gittest.Check(r, err)
	r.Cleanup(func() { _ = repo.Close() })
	return &lab{Repo: r, repo: repo, dirs: facts.Dirs{Cache: filepath.Join(r.Home, "cache"), State: filepath.Join(r.Home, "state")}}
}

type files = gittest.Files

func (l *lab) tree(f files) gitx.ID {
	l.Helper()
	return gitx.ID(l.Tree(f))
}

func (l *lab) commit(message string, f files, parents ...gitx.ID) gitx.ID {
	l.Helper()
	return l.commitTree(message, l.tree(f), parents...)
}

func (l *lab) commitTree(message string, tree gitx.ID, parents ...gitx.ID) gitx.ID {
	l.Helper()
	return gittest.CommitTree(l.Repo, message, tree, parents...)
}

// checker is a new process.
func (l *lab) checker(opts ...func(*Options)) *Checker {
	l.Helper()
	o := Options{Repo: l.repo, Dirs: l.dirs, Environ: l.Env, Languages: lang.All()}
	for _, change := range opts {
		change(&o)
	}
	c := New(o)
	l.Cleanup(func() { gittest.Check(l, c.Close()) })
	return c
}

func fresh(o *Options) { o.Fresh = Anew }

// step is a commit that exists, or one that was refused.
type step struct {
	commit   gitx.ID
	accepted bool
	j        Judgement
}

// propose judges a commit as the hook does: a person's words, to which the
// step's trailers are added. If it is accepted the commit is made.
func (l *lab) propose(c *Checker, message string, f files, parent gitx.ID) step {
	l.Helper()
	return l.offer(c, commitLine{message: message}, f, parent)
}

func composed(message string, s gates.Step) string {
	if s.Number == 0 {
		return message
	}
	have := commitmsg.Parse(message)
	var add []commitmsg.Trailer
	for _, t := range s.Trailers() {
		if _, there := have.Get(t.Key); !there {
			add = append(add, t)
		}
	}
	return commitmsg.AppendTrailers(message, add)
}

// must accepts or fails.
func (l *lab) must(c *Checker, message string, f files, parent gitx.ID) step {
	l.Helper()
	s := l.propose(c, message, f, parent)
	if !s.accepted {
		l.Fatalf("%q is refused:\n%s", message, findings(s.j))
	}
	return s
}

func findings(j Judgement) string {
	var out strings.Builder
	for _, f := range j.Verdict.Findings {
		out.WriteString(f.String() + "\n")
	}
	return out.String()
}

// refused demands that a gate refuses.
func (l *lab) refused(s step, gate string) {
	l.Helper()
	if s.accepted || !slices.ContainsFunc(s.j.Verdict.Findings, func(f gates.Finding) bool { return f.Gate == gate }) {
		l.Errorf("not refused by %s:\n%s", gate, findings(s.j))
	}
}

// verifies demands that a commit is judged the same by another process.
func (l *lab) verifies(commit gitx.ID) Judgement {
	l.Helper()
	j, err := l.checker().Commit(context.Background(), string(commit))
	gittest.Check(l, err)
	if !j.Verdict.Accepted() {
		l.Errorf("does not verify:\n%s", findings(j))
	}
	return j
}

// quick leaves out what these stories are not about.
const quick = "ci: {check_cmd: [], fmt_cmd: []}\n"

// calc is a project of Go, with its sources and tests.
func calc(source, tests string) files {
	return files{
		".tdd.yaml": quick, "go.mod": "module example.com/calc\n\ngo 1.21\n",
		"calc.go":      "package calc\n\n" + source,
		"calc_test.go": "package calc\n\nimport \"testing\"\n\n" + tests,
	}
}

const (
	sum      = "func Sum(a, b int) int { return a + b }\n"
	sumZero  = "func Sum(a, b int) int { return 0 }\n"
	both     = sum + "\nfunc Double(a int) int { return Sum(a, a) }\n"
	testZero = "func TestZero(t *testing.T) {\n\tif got := Sum(0, 0); got != 0 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n"
	testSum  = "\nfunc TestSum(t *testing.T) {\n\tif got := Sum(1, 2); got != 3 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n"
	testTwo  = "\nfunc TestDouble(t *testing.T) {\n\tif got := Double(2); got != 4 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n"
)
