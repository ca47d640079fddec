package loop_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/facts"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/llm"
	"github.com/git-tdd/git-tdd/llm/llmtest"
	"github.com/git-tdd/git-tdd/loop"
)

const (
	shellConfig = "language: generic\nci: {test_cmd: [\"sh\", \"tests/all.sh\"]}\n"
	allTests    = "for t in tests/*_test.sh; do [ ! -e \"$t\" ] || sh \"$t\" || exit 1; done\n"

	red1   = "test: number 1\n=== tests/a1_test.sh\ntest -f src/a1.sh\n"
	green1 = "feat: number 1\n=== src/a1.sh\n# number 1\n"
	tidy1  = "refactor: tidy\n=== src/a1.sh\n# number one\n"
)

// shell is a small project that needs no toolchain.
func shell(more ...string) map[string]string {
	files := map[string]string{".tdd.yaml": shellConfig, "tests/all.sh": allTests, "src/all.sh": "# all\n"}
	for i := 0; i < len(more); i += 2 {
		files[more[i]] = more[i+1]
	}
	return files
}

// lab is a user's repository, and a model that says what it is told to.
type lab struct {
	t     testing.TB
	dir   string
	env   []string
	repo  *gitx.Repo
	check *check.Checker
	dirs  facts.Dirs
	model *model

	redact  func(string) string
	onDoing func(loop.Doing)
	onPhase func(string)
	doing   []loop.Doing
	refused []loop.Attempt
	landed  []loop.Accepted
	notes   []string
}

// model answers by a script and remembers what it was asked.
type model struct {
	script   []string // answers to requests for edits, in order, as llmtest.EditPlan reads them
	plan     string
	before   func(req llm.Request) error // asked before each answer
	requests []llm.Request
	edits    []llm.Request
}

func (m *model) Complete(ctx context.Context, req llm.Request) (llm.Response, error) {
	m.requests = append(m.requests, req)
	if m.before != nil {
		if err := m.before(req); err != nil {
			return llm.Response{Usage: llm.Usage{Prompt: 1}}, err
		}
	}
	if err := ctx.Err(); err != nil {
		return llm.Response{}, err
	}
	res := llm.Response{Text: m.plan, Usage: llm.Usage{Prompt: 100, Completion: 10}}
	if strings.Contains(req.Label, "· plan ·") {
		return res, nil
	}
	m.edits = append(m.edits, req)
	if len(m.script) == 0 {
		return llm.Response{}, &llm.Error{Kind: llm.KindBadRequest, Message: "the script has no more answers"}
	}
	res.Text, m.script = llmtest.EditPlan(m.script[0]), m.script[1:]
	return res, nil
}

func newLab(tb testing.TB, files map[string]string, script ...string) *lab {
	tb.Helper()
	base := tb.TempDir()
	l := &lab{
		t: tb, dir: filepath.Join(base, "work"), dirs: facts.Dirs{Cache: filepath.Join(base, "cache"), State: filepath.Join(base, "state")},
		model: &model{script: script, plan: "- **What**: as the script says"},
	}
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "GIT_") {
			l.env = append(l.env, kv)
		}
	}
	l.env = append(l.env, "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GOFLAGS=-vet=off",
		"GIT_AUTHOR_NAME=U", "GIT_AUTHOR_EMAIL=u@example.org", "GIT_COMMITTER_NAME=U", "GIT_COMMITTER_EMAIL=u@example.org")
	for name, content := range files {
		l.write(name, content)
	}
	l.must(os.MkdirAll(l.dir, 0o755))
	l.git("init", "-q", "-b", "main")
	if len(files) > 0 {
		l.git("add", "-A")
		l.git("commit", "-qm", "chore: start")
	}
	l.open()
	return l
}

// open is a new process.
func (l *lab) open() {
	l.t.Helper()
	repo, err := gitx.Open(l.t.Context(), gitx.Options{Dir: l.dir, Environ: l.env})
	l.must(err)
	l.check = check.New(check.Options{Repo: repo, Dirs: l.dirs, Environ: l.env, Languages: lang.All(), Phase: func(name string) {
		if l.onPhase != nil {
			l.onPhase(name)
		}
	}})
	l.repo = repo
	c := l.check
	l.t.Cleanup(func() { _, _ = c.Close(), repo.Close() })
}

func (l *lab) loop() *loop.Loop {
	return loop.New(loop.Options{
		Repo: l.repo, Checker: l.check, Redact: l.redact,
		Answerer: func(_ config.Settings, role gates.Role) (loop.Answerer, error) {
			return loop.Answerer{Client: l.model, Model: "m", Name: "script:" + string(role)}, nil
		},
		Listener: loop.Listener{
			Doing: func(d loop.Doing) {
				l.doing = append(l.doing, d)
				if l.onDoing != nil {
					l.onDoing(d)
				}
			},
			Refused:  func(a loop.Attempt) { l.refused = append(l.refused, a) },
			Accepted: func(a loop.Accepted) { l.landed = append(l.landed, a) },
			Note:     func(s string) { l.notes = append(l.notes, s) },
		},
	})
}

func (l *lab) step() (loop.Accepted, error) {
	l.t.Helper()
	return l.loop().Step(l.t.Context())
}

// steps takes steps that must land.
func (l *lab) steps(n int) {
	l.t.Helper()
	done, err := l.loop().Run(l.t.Context(), n)
	if err != nil || len(done) != n {
		l.t.Fatalf("%d of %d steps: %v\n%v", len(done), n, err, l.refused)
	}
}

// stops takes a step that must stop for a reason, and leave all as it was.
func (l *lab) stops(reason loop.Reason) *loop.StopError {
	l.t.Helper()
	before := l.state()
	_, err := l.step()
	var stop *loop.StopError
	if !errors.As(err, &stop) || stop.Reason != reason {
		l.t.Fatalf("the step ends with %v, not with %s", err, reason)
	}
	l.same(before)
	return stop
}

// state is all that a step which did not land must leave alone.
func (l *lab) state() string {
	l.t.Helper()
	var all strings.Builder
	for _, args := range [][]string{
		{"rev-parse", "--verify", "-q", "HEAD"},
		{"for-each-ref", "refs/heads", "refs/tdd/next"},
		{"ls-files", "--stage"},
		{"status", "--porcelain"},
	} {
		fmt.Fprintln(&all, l.tryGit(args...))
	}
	err := filepath.WalkDir(l.dir, func(name string, e os.DirEntry, err error) error {
		if err != nil || e.Name() == ".git" || e.Name() == ".tdd" {
			return errors.Join(err, skip(e))
		}
		if e.Type().IsRegular() {
			text, err := os.ReadFile(name)
			fmt.Fprintf(&all, "%s %q\n", name, text)
			return err
		}
		return nil
	})
	if err != nil && !errors.Is(err, filepath.SkipDir) {
		l.t.Fatal(err)
	}
	return all.String()
}

func skip(e os.DirEntry) error {
	if e.IsDir() {
		return filepath.SkipDir
	}
	return nil
}

func (l *lab) same(before string) {
	l.t.Helper()
	if now := l.state(); now != before {
		l.t.Errorf("not as before:\n%s\nbut\n%s", before, now)
	}
}

func (l *lab) must(err error) {
	l.t.Helper()
	if err != nil {
		l.t.Fatal(err)
	}
}

func (l *lab) write(name, content string) {
	l.t.Helper()
	name = filepath.Join(l.dir, filepath.FromSlash(name))
	l.must(os.MkdirAll(filepath.Dir(name), 0o755))
	l.must(os.WriteFile(name, []byte(content), 0o644))
}

func (l *lab) read(name string) string {
	l.t.Helper()
	data, err := os.ReadFile(filepath.Join(l.dir, filepath.FromSlash(name)))
	l.must(err)
	return string(data)
}

func (l *lab) command(args ...string) *exec.Cmd {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = l.dir, l.env
	return cmd
}

func (l *lab) git(args ...string) string {
	l.t.Helper()
	out, err := l.command(args...).CombinedOutput()
	if err != nil {
		l.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (l *lab) tryGit(args ...string) string {
	out, _ := l.command(args...).CombinedOutput()
	return string(out)
}

func (l *lab) commit(message string, files ...string) {
	l.t.Helper()
	for i := 0; i < len(files); i += 2 {
		l.write(files[i], files[i+1])
	}
	l.git("add", "-A")
	l.git("commit", "-qm", message)
}

// user is the text of the user's message of a request.
func user(req llm.Request) string { return req.Messages[len(req.Messages)-1].Content }

func wantIn(tb testing.TB, text string, parts ...string) {
	tb.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			tb.Errorf("no %q in:\n%s", p, text)
		}
	}
}

func wantNotIn(tb testing.TB, text string, parts ...string) {
	tb.Helper()
	for _, p := range parts {
		if strings.Contains(text, p) {
			tb.Errorf("%q is in:\n%s", p, text)
		}
	}
}
