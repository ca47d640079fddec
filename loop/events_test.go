package loop_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/loop"
)

func kinds(events []loop.Event) string {
	var out []string
	for _, e := range events {
		if e.Kind != loop.EventDoing {
			out = append(out, string(e.Kind))
		}
	}
	return strings.Join(out, " ")
}

// The stream tells each step as it happens, in runs, and a preview not at all.
func TestEvents(t *testing.T) {
	t.Parallel()
	l := newLab(t, shell(), "test: passes\n=== tests/p_test.sh\ntrue\n", red1, green1)
	l.redact = func(s string) string { return strings.ReplaceAll(s, "hunter2", "***") }
	told := 0
	next := func() (events []loop.Event) {
		text, _ := os.ReadFile(filepath.Join(l.Dir, ".tdd", "events.jsonl")) // there is none before the first step
		lines := strings.SplitAfter(string(text), "\n")
		for _, line := range lines[told : len(lines)-1] {
			var e loop.Event
			gittest.Check(t, json.Unmarshal([]byte(line), &e))
			events = append(events, e)
		}
		told = len(lines) - 1
		return events
	}
	if got := next(); got != nil {
		t.Errorf("%+v", got)
	}
	l.steps(1)
	events := next()
	if got := kinds(events); got != "answer refused answer accepted stopped" {
		t.Errorf("got %s", got)
	}
	a := events[len(events)-2]
	if a.Version != 1 || a.Step != 1 || a.Role != "tester" || a.Branch != "main" || a.Attempt != 2 || a.In != 200 || a.Commit != string(l.landed[0].Commit) || a.Subject != l.landed[0].Subject {
		t.Errorf("%+v", a)
	}
	_, err := l.loop().Preview(l.Context(), "")
	gittest.Check(t, err)
	if got := next(); len(got) > 0 {
		t.Errorf("a preview tells %+v", got)
	}
	l.steps(1)
	l.model.script = []string{"raw\nhunter2"}
	_ = l.stops(loop.NoAnswer)
	second := next()
	if got := kinds(second); got != "answer accepted stopped answer refused answer stopped" {
		t.Errorf("got %s", got)
	}
	if end := second[len(second)-1]; end.Reason != loop.NoAnswer || end.Run == a.Run || end.Run == "" {
		t.Errorf("%+v", end)
	}
	wantNotIn(t, l.Read(".tdd/events.jsonl"), "hunter2")
	if out := l.Git("status", "--porcelain"); out != "" {
		t.Errorf("git sees %s", out)
	}
}

// Whatever stands where the stream belongs, steps go on, and nothing follows links.
func TestEventsInAHostilePlace(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(t.TempDir(), "outside.jsonl")
	gittest.Write(t, outside, `{"v":1,"event":"stopped","text":"forged"}`+"\n")
	for name, prepare := range map[string]func(l *lab, file string) error{
		"a link":   func(_ *lab, file string) error { return os.Symlink(outside, file) },
		"a folder": func(_ *lab, file string) error { return os.Mkdir(file, 0o750) },
		"a link in its folder's place": func(l *lab, _ string) error {
			gittest.Check(l, os.RemoveAll(filepath.Join(l.Dir, ".tdd")))
			return os.Symlink(filepath.Dir(outside), filepath.Join(l.Dir, ".tdd"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, shell(), red1)
			gittest.Check(t, os.MkdirAll(filepath.Join(l.Dir, ".tdd"), 0o750))
			gittest.Check(t, prepare(l, filepath.Join(l.Dir, ".tdd", "events.jsonl")))
			l.steps(1)
			if got := strings.Join(l.notes, "\n"); !strings.Contains(got, "not kept") {
				t.Errorf("told: %s", got)
			}
			wantNotIn(t, gittest.Read(t, outside), "answer")
		})
	}
}
