package loop_test

import (
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
	stream := loop.Stream{Top: l.Dir}
	next := func() []loop.Event {
		events, err := stream.Next()
		gittest.Check(t, err)
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

// Whatever stands where the stream belongs, steps go on, and readers neither hang
// nor follow links.
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
			stream := loop.Stream{Top: l.Dir}
			if got, err := stream.Next(); err != nil || got != nil {
				t.Errorf("read %+v, %v", got, err)
			}
			wantNotIn(t, gittest.Read(t, outside), "answer")
		})
	}
}

// A reader takes lines as they come, passes over what is none, and notices that
// the stream was begun anew.
func TestStream(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	file := filepath.Join(top, ".tdd", "events.jsonl")
	stream := loop.Stream{Top: top}
	for _, c := range []struct{ written, want string }{
		{`{"event":"answer"}` + "\n" + `{"event":"acc`, "answer"},
		{`{"event":"answer"}` + "\n" + `{"event":"accepted"}` + "\n" + "no JSON\n{}\n[1]\n\x00\n", "accepted"},
		{`{"event":"refused"}` + "\n", "refused"},
		{`{"event":"refused"}` + "\n", ""},
		{`{"event":"refused"}` + "\n" + strings.Repeat("x", 3<<20), ""},
	} {
		gittest.Write(t, file, c.written)
		var got []loop.Event
		for range 4 {
			more, err := stream.Next()
			gittest.Check(t, err)
			got = append(got, more...)
		}
		if kinds(got) != c.want {
			t.Errorf("after %.60q: %q, want %q", c.written, kinds(got), c.want)
		}
	}
}
