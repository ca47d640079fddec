package loop_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/facts"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/gittest"
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
func shell(more ...string) gittest.Files {
	files := gittest.Files{".tdd.yaml": shellConfig, "tests/all.sh": allTests, "src/all.sh": "# all\n"}
	for i := 0; i < len(more); i += 2 {
		files[more[i]] = more[i+1]
	}
	return files
}

// lab is a user's repository, and a model that says what it is told to.
type lab struct {
	*gittest.Repo
	repo  *gitx.Repo
	check *check.Checker
	dirs  facts.Dirs
	model *model
	asked llm.Client // in the model's place; nil: the model

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
	script   []string                    // answers to requests for edits, in order, as llmtest.EditPlan reads them
	plan     string                      // in each answer; empty: none
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
	res := llm.Response{Usage: llm.Usage{Prompt: 100, Completion: 10}}
	m.edits = append(m.edits, req)
	if len(m.script) == 0 {
		return llm.Response{}, &llm.Error{Kind: llm.KindBadRequest, Message: "the script has no more answers"}
	}
	res.Text, m.script = llmtest.EditPlan(m.script[0]), m.script[1:]
	if m.plan != "" {
		plan, err := json.Marshal(m.plan)
		if err != nil {
			return llm.Response{}, err
		}
		res.Text = strings.Replace(res.Text, `"plan":""`, `"plan":`+string(plan), 1)
	}
	return res, nil
}

func newLab(tb testing.TB, project gittest.Files, script ...string) *lab {
	tb.Helper()
	l := &lab{Repo: gittest.New(tb), redact: func(s string) string { return s }, model: &model{script: script}}
	l.Env = append(l.Env, "GOFLAGS=-vet=off")
	l.dirs = facts.Dirs{Cache: filepath.Join(l.Home, "cache"), State: filepath.Join(l.Home, "state")}
	if len(project) > 0 {
		project.Write(tb, l.Dir)
		l.Commit("chore: start")
	}
	l.open()
	return l
}

// open is a new process.
func (l *lab) open() {
	l.Helper()
	repo, err := gitx.Open(l.Context(), gitx.Options{Dir: l.Dir, Environ: l.Env})
	gittest.Check(l, err)
	l.check = check.New(check.Options{Repo: repo, Dirs: l.dirs, Environ: l.Env, Languages: lang.All(), Observer: facts.Observer{Phase: func(d facts.Doing) {
		if l.onPhase != nil {
			l.onPhase(d.Name)
		}
	}}})
	l.repo = repo
	c := l.check
	l.Cleanup(func() { _, _ = c.Close(), repo.Close() })
}

func (l *lab) loop() *loop.Loop { return loop.New(l.options()) }

func (l *lab) options() loop.Options {
	return loop.Options{
		Repo: l.repo, Checker: l.check, Redact: l.redact,
		Seal:          func(text []byte) (string, error) { return fmt.Sprintf("%x", sha256.Sum256(text)), nil },
		PermitPrompts: func(*check.Project) error { return nil },
		Answerer: func(_ config.Settings, role gates.Role) (loop.Answerer, error) {
			client := l.asked
			if client == nil {
				client = l.model
			}
			return loop.Answerer{Client: client, Model: "m", Name: "script:" + string(role)}, nil
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
	}
}

func (l *lab) step() (loop.Accepted, error) {
	l.Helper()
	return l.loop().Step(l.Context())
}

// steps takes steps that must land.
func (l *lab) steps(n int) {
	l.Helper()
	done, err := l.loop().Run(l.Context(), n)
	if err != nil || len(done) != n {
		l.Fatalf("%d of %d steps: %v\n%v", len(done), n, err, l.refused)
	}
}

// stops takes a step that must stop for a reason, and leave all as it was.
func (l *lab) stops(reason loop.Reason) *loop.StopError {
	l.Helper()
	before := l.state()
	_, err := l.step()
	var stop *loop.StopError
	if !errors.As(err, &stop) || stop.Reason != reason {
		l.Fatalf("the step ends with %v, not with %s", err, reason)
	}
	l.same(before)
	return stop
}

// state is all that a step which did not land must leave alone.
func (l *lab) state() string {
	l.Helper()
	var all strings.Builder
	for _, args := range [][]string{
		{"rev-parse", "--verify", "-q", "HEAD"},
		{"for-each-ref", "refs/heads", "refs/tdd/next"},
		{"ls-files", "--stage"},
		{"status", "--porcelain"},
	} {
		out, _ := l.Try(args...)
		fmt.Fprintln(&all, out)
	}
	fmt.Fprintf(&all, "%q", gittest.Snapshot(l, l.Dir, ".git", ".tdd"))
	return all.String()
}

func (l *lab) same(before string) {
	l.Helper()
	if now := l.state(); now != before {
		l.Errorf("not as before:\n%s\nbut\n%s", before, now)
	}
}

// user is the text of the user's last message of a request.
func user(req llm.Request) string { return req.Messages[len(req.Messages)-1].Content }

// conversation is all of a request but the system's message.
func conversation(req llm.Request) string {
	var text strings.Builder
	for _, m := range req.Messages[1:] {
		text.WriteString(m.Content + "\n")
	}
	return text.String()
}

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
