package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/llm"
)

func TestRelayWritesWhatIsAsked(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a", "relay")
	warm := 0.4
	req := llm.Request{
		Label: "step 4 tester: edit\nattempt 1 ../../x", Model: "m", Temperature: &warm,
		Schema:   &llm.Schema{Name: "plan", JSON: []byte(`{"type":"object"}`)},
		Messages: []llm.Message{{Role: "system", Content: "be brief"}, {Role: "user", Content: "# go\n\n```rust\nfn main() {}\n```\n"}},
	}
	relay := &llm.Relay{Dir: dir, Poll: time.Millisecond, Waiting: func(w llm.Waiting) {
		if want := filepath.Join(dir, "001-step-4-tester-edit-attempt-1-x.request.md"); w.Request != want || w.Label != req.Label {
			t.Errorf("waiting for %+v", w)
		}
		text, err := os.ReadFile(w.Request)
		if err != nil {
			t.Error(err)
		}
		contains(t, string(text), "# step 4 tester: edit attempt 1 ../../x\n", "Model: m", "Temperature: 0.4",
			filepath.Base(w.Response), "END OF ANSWER", "be brief", req.Messages[1].Content, `{"type":"object"}`)
		data, err := os.ReadFile(strings.Replace(w.Request, ".md", ".json", 1))
		if err != nil {
			t.Error(err)
		}
		var parsed struct {
			Label, Model string
			Messages     []llm.Message
		}
		if err := json.Unmarshal(data, &parsed); err != nil || parsed.Messages[1] != req.Messages[1] || parsed.Label != req.Label {
			t.Errorf("%v in %s", err, data)
		}
		put(t, w.Response, "done")
	}}
	if res, err := relay.Complete(t.Context(), req); err != nil || res.Text != "done" {
		t.Errorf("got %+v, %v", res, err)
	}
}

// answering relays one request to a function that writes the answer file.
func answering(t *testing.T, write func(llm.Waiting)) (string, error) {
	t.Helper()
	relay := &llm.Relay{Dir: t.TempDir(), Poll: time.Millisecond, Waiting: write}
	res, err := relay.Complete(t.Context(), question())
	return res.Text, err
}

func TestRelayReadsAnswers(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ file, written, want string }{
		"ended by its line":      {"md", "hello\nEND OF ANSWER\n", "hello\n"},
		"ended, Windows":         {"md", "\uFEFFhello\r\nEND OF ANSWER\r\n\r\n", "hello\r\n"},
		"left alone":             {"md", "hello\n", "hello\n"},
		"text file":              {"txt", "hello", "hello"},
		"the line is mentioned":  {"md", "END OF ANSWER\nno: that was not all", "END OF ANSWER\nno: that was not all"},
		"the line has a brother": {"md", "THE END OF ANSWER", "THE END OF ANSWER"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := answering(t, func(w llm.Waiting) {
				gittest.Write(t, strings.TrimSuffix(w.Response, "md")+tc.file, tc.written)
			})
			if err != nil || got != tc.want {
				t.Errorf("got %q, %v, want %q", got, err, tc.want)
			}
		})
	}
}

func TestRelayRefusesAHugeAnswer(t *testing.T) {
	t.Parallel()
	_, err := answering(t, func(w llm.Waiting) { gittest.Write(t, w.Response, strings.Repeat("x", 8<<20+1)) })
	refused(t, err, llm.KindTooLarge)
}

// An answer that is empty, or not a file, does not count yet.
func TestRelayWaits(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(path string) error{
		"nothing":       func(string) error { return nil },
		"an empty file": func(path string) error { return os.WriteFile(path, nil, 0o600) },
		"blanks":        func(path string) error { return os.WriteFile(path, []byte(" \n"), 0o600) },
		"only the line": func(path string) error { return os.WriteFile(path, []byte("END OF ANSWER\n"), 0o600) },
		"a directory":   func(path string) error { return os.Mkdir(path, 0o700) },
		"a temporary":   func(path string) error { return os.WriteFile(path+".tmp", []byte("half"), 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
			defer cancel()
			relay := &llm.Relay{Dir: t.TempDir(), Poll: time.Millisecond, Waiting: func(w llm.Waiting) {
				if err := prepare(w.Response); err != nil {
					t.Error(err)
				}
			}}
			if res, err := relay.Complete(ctx, question()); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got %+v, %v, want to wait on", res, err)
			}
		})
	}
}

// An answer left over from an earlier run is never taken for a new one.
func TestRelayCountsOn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	gittest.Write(t, filepath.Join(dir, "041-step-1-tester-plan.response.md"), "old")
	gittest.Write(t, filepath.Join(dir, "notes.md"), "a stranger's")
	for _, want := range []string{"042-step-1-tester-plan.response.md", "043-step-1-tester-plan.response.md"} {
		relay := &llm.Relay{Dir: dir, Poll: time.Millisecond, Waiting: func(w llm.Waiting) {
			if filepath.Base(w.Response) != want {
				t.Errorf("asked for %s, want %s", w.Response, want)
			}
			put(t, w.Response, "new")
		}}
		if res, err := relay.Complete(t.Context(), question()); err != nil || res.Text != "new" {
			t.Errorf("got %+v, %v", res, err)
		}
	}
}

func TestRelayCannotWrite(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	gittest.Write(t, file, "in the way")
	_, err := (&llm.Relay{Dir: file}).Complete(t.Context(), question())
	if err == nil {
		t.Fatal("a file was taken for a directory")
	}
	contains(t, err.Error(), file, "step 1 tester plan")
}
