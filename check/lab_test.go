package check

import (
	"context"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/facts"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/lang"
)

// lab is a repository with a user. Commits are made by plumbing: no working
// tree is needed.
type lab struct {
	t    *testing.T
	repo *gitx.Repo
	dirs facts.Dirs
	env  []string
	dir  string
}

func newLab(t *testing.T) *lab {
	t.Helper()
	dir := t.TempDir()
	return labAt(t, dir, "init", "--quiet", "--initial-branch=main", filepath.Join(dir, "work"))
}

// labAt makes the repository <dir>/work by a git command.
func labAt(t *testing.T, dir string, args ...string) *lab {
	t.Helper()
	l := &lab{
		t: t, dir: filepath.Join(dir, "work"), dirs: facts.Dirs{Cache: filepath.Join(dir, "cache"), State: filepath.Join(dir, "state")},
		env: append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GOFLAGS=-vet=off"),
	}
	cmd := exec.Command("git", args...)
	cmd.Env = l.env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	var err error
	l.repo, err = gitx.Open(context.Background(), gitx.Options{Dir: l.dir, Environ: l.env})
	l.check(err)
	t.Cleanup(func() { _ = l.repo.Close() })
	return l
}

func (l *lab) check(err error) {
	l.t.Helper()
	if err != nil {
		l.t.Fatal(err)
	}
}

func (l *lab) git(args ...string) string {
	l.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = l.dir, l.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		l.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// files maps paths to contents.
type files map[string]string

// with is a project with some files changed; "-" takes a file away.
func (f files) with(changes files) files {
	out := maps.Clone(f)
	for name, content := range changes {
		if out[name] = content; content == "-" {
			delete(out, name)
		}
	}
	return out
}

func (l *lab) tree(f files) gitx.ID {
	l.t.Helper()
	var edits []gitx.TreeEdit
	for _, name := range slices.Sorted(maps.Keys(f)) {
		edits = append(edits, gitx.TreeEdit{Path: name, Content: []byte(f[name])})
	}
	id, err := l.repo.WriteTree(context.Background(), "", edits)
	l.check(err)
	return id
}

func (l *lab) commit(message string, f files, parents ...gitx.ID) gitx.ID {
	l.t.Helper()
	return l.commitTree(message, l.tree(f), parents...)
}

func (l *lab) commitTree(message string, tree gitx.ID, parents ...gitx.ID) gitx.ID {
	l.t.Helper()
	id, err := l.repo.CommitTree(context.Background(), gitx.NewCommit{
		Tree: tree, Parents: parents, Message: message, Author: gitx.Ident{Name: "U", Mail: "u@example.com"},
	})
	l.check(err)
	return id
}

// checker is a new process.
func (l *lab) checker(opts ...func(*Options)) *Checker {
	l.t.Helper()
	o := Options{Repo: l.repo, Dirs: l.dirs, Environ: l.env, Languages: lang.All()}
	for _, change := range opts {
		change(&o)
	}
	c := New(o)
	l.t.Cleanup(func() { l.check(c.Close()) })
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
	l.t.Helper()
	tree := l.tree(f)
	j, err := c.Judge(context.Background(), Proposal{
		Parent: parent, Tree: tree, Message: message,
		Compose: func(s gates.Step, _ *gates.Case) string { return composed(message, s) },
	})
	l.check(err)
	s := step{accepted: j.Verdict.Accepted(), j: j}
	if s.accepted {
		s.commit = l.commitTree(j.Message, tree, parent)
	}
	return s
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
	l.t.Helper()
	s := l.propose(c, message, f, parent)
	if !s.accepted {
		l.t.Fatalf("%q is refused:\n%s", message, findings(s.j))
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
	l.t.Helper()
	if s.accepted || !slices.ContainsFunc(s.j.Verdict.Findings, func(f gates.Finding) bool { return f.Gate == gate }) {
		l.t.Errorf("not refused by %s:\n%s", gate, findings(s.j))
	}
}

// verifies demands that a commit is judged the same by another process.
func (l *lab) verifies(commit gitx.ID) Judgement {
	l.t.Helper()
	j, err := l.checker().Commit(context.Background(), string(commit))
	l.check(err)
	if !j.Verdict.Accepted() {
		l.t.Errorf("does not verify:\n%s", findings(j))
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

func needGo(t *testing.T) {
	t.Helper()
	need(t, "go")
}

func need(t *testing.T, tool string) {
	t.Helper()
	if _, err := exec.LookPath(tool); err == nil {
		return
	}
	if os.Getenv("CI") == "true" {
		t.Fatalf("%s is not installed", tool)
	}
	t.Skipf("%s is not installed", tool)
}
