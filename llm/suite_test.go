package llm_test

import (
	"context"
	"errors"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/llm"
)

// The texts that every client must pass on unchanged.
var texts = map[string]string{ //nolint:gochecknoglobals // a table of test data, never changed
	"step 1 tester plan":            "one line",
	"step 1 tester edit attempt 1":  "```json\n{\"edits\":[]}\n```\n",
	"step 1 tester edit attempt 10": "ünïcödé «quotes» <html> & \x1b[31m \u202e",
	"step 2 implementor plan":       "  leading, trailing  \n\n\tEND OF ANSWER is only a part of this line",
}

var order = []string{ //nolint:gochecknoglobals // a table of test data, never changed
	"step 1 tester plan", "step 1 tester edit attempt 1", "step 1 tester edit attempt 10", "step 2 implementor plan",
}

func tape() *llm.Cassette {
	c := &llm.Cassette{Version: 1}
	for _, label := range order {
		c.Entries = append(c.Entries, llm.Entry{
			Label: label, Request: llm.Request{Model: "m"}, Response: llm.RecordedResponse{Text: texts[label]},
		})
	}
	return c
}

func asking(label string) llm.Request {
	return llm.Request{Label: label, Model: "m", Messages: []llm.Message{{Role: "user", Content: "This is " + label + "."}}}
}

// clients are all the ways to get the same answers.
func clients() map[string]func(*testing.T) llm.Client {
	return map[string]func(*testing.T) llm.Client{
		"live":   liveOverTape,
		"replay": func(*testing.T) llm.Client { return llm.NewReplayer(tape()) },
		"relay":  relayOverTape,
		"record": func(t *testing.T) llm.Client {
			t.Helper()
			path := filepath.Join(t.TempDir(), "tape.json")
			return &llm.Recorder{Client: llm.NewReplayer(tape()), Path: path, Redact: llm.Redactor(nil)}
		},
		"budgeted": func(*testing.T) llm.Client {
			limits := llm.Limits{Tokens: 1000, Time: time.Hour}
			return &llm.Budgeted{Client: llm.NewReplayer(tape()), Budget: llm.NewBudget(limits)}
		},
	}
}

func liveOverTape(t *testing.T) llm.Client {
	t.Helper()
	server := httptest.NewServer(llm.NewReplayHandler(tape()))
	t.Cleanup(server.Close)
	return llm.NewLive(llm.LiveOptions{Endpoint: llm.Endpoint{BaseURL: server.URL + "/v1"}})
}

// relayOverTape answers as another program would: under a temporary name.
func relayOverTape(t *testing.T) llm.Client {
	t.Helper()
	return &llm.Relay{
		Dir: filepath.Join(t.TempDir(), "relay"), Poll: time.Millisecond,
		Waiting: func(w llm.Waiting) { put(t, w.Response, texts[w.Label]) },
	}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path+".tmp", []byte(text), 0o600); err != nil {
		t.Error(err)
	}
	if err := os.Rename(path+".tmp", path); err != nil {
		t.Error(err)
	}
}

func TestClients(t *testing.T) {
	t.Parallel()
	for name, open := range clients() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			t.Run("answers in order", func(t *testing.T) {
				t.Parallel()
				answersInOrder(t, open(t))
			})
			t.Run("gives up when told", func(t *testing.T) {
				t.Parallel()
				givesUp(t, open(t))
			})
		})
	}
}

func answersInOrder(t *testing.T, client llm.Client) {
	t.Helper()
	for _, label := range order {
		res, err := client.Complete(t.Context(), asking(label))
		if err != nil {
			t.Fatal(err)
		}
		if res.Text != texts[label] {
			t.Errorf("%s: got %q, want %q", label, res.Text, texts[label])
		}
		if res.Model != "m" || res.FinishReason != "stop" {
			t.Errorf("%s: got model %q, finish reason %q", label, res.Model, res.FinishReason)
		}
		if !res.Usage.Estimated || res.Usage.Prompt == 0 || res.Usage.Completion == 0 {
			t.Errorf("%s: got usage %+v, want an estimate", label, res.Usage)
		}
	}
}

func givesUp(t *testing.T, client llm.Client) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := client.Complete(ctx, asking(order[0])); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's error", err)
	}
	// The request that was given up did not use up an answer.
	if _, err := client.Complete(t.Context(), asking(order[0])); err != nil {
		t.Error(err)
	}
}

// Both ways of replaying refuse what was not recorded, and do not advance.
func TestReplayRefusesAnotherRequest(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"live", "replay"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := clients()[name](t)
			_, err := client.Complete(t.Context(), asking("step 9 refactorer plan"))
			contains(t, refused(t, err, llm.KindBadRequest),
				"request 1 is", "the cassette has “step 1 tester plan”", "record anew")
			answersInOrder(t, client)
			_, err = client.Complete(t.Context(), asking("step 3 tester plan"))
			contains(t, refused(t, err, llm.KindBadRequest), "request 5 is", "only 4")
		})
	}
}

func TestReplayTellsAttempt1From10(t *testing.T) {
	t.Parallel()
	one := &llm.Cassette{Version: 1, Entries: []llm.Entry{{Label: "attempt 1", Response: llm.RecordedResponse{Text: "x"}}}}
	server := httptest.NewServer(llm.NewReplayHandler(one))
	defer server.Close()
	live := llm.NewLive(llm.LiveOptions{Endpoint: llm.Endpoint{BaseURL: server.URL}})
	_, err := live.Complete(t.Context(), asking("attempt 10"))
	refused(t, err, llm.KindBadRequest)
	if _, err := live.Complete(t.Context(), asking("attempt 10, after attempt 1")); err != nil {
		t.Error(err)
	}
}

func TestReplayHandlerSpeaksTheAPI(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(llm.NewReplayHandler(tape()))
	defer server.Close()
	if err := llm.Probe(t.Context(), server.URL+"/v1"); err != nil {
		t.Error(err)
	}
	for target, want := range map[string]string{"GET /v1/models": `"id":"m"`, "GET /": "only POST", "POST /v1/chat/completions": "not the JSON"} {
		method, path, _ := strings.Cut(target, " ")
		recorder := httptest.NewRecorder()
		llm.NewReplayHandler(tape()).ServeHTTP(recorder, httptest.NewRequest(method, path, strings.NewReader("oops")))
		contains(t, recorder.Body.String(), want)
	}
}

func TestReplayKeepsRecordedUsage(t *testing.T) {
	t.Parallel()
	usage := llm.Usage{Prompt: 100, Completion: 20}
	c := &llm.Cassette{Version: 1, Entries: []llm.Entry{{Label: "a", Response: llm.RecordedResponse{Text: "x", Model: "n", Usage: &usage}}}}
	server := httptest.NewServer(llm.NewReplayHandler(c))
	defer server.Close()
	for _, client := range []llm.Client{
		llm.NewReplayer(c), llm.NewLive(llm.LiveOptions{Endpoint: llm.Endpoint{BaseURL: server.URL}}),
	} {
		res, err := client.Complete(t.Context(), asking("a"))
		if err != nil || res.Usage != usage || res.Model != "n" {
			t.Errorf("%T: got %+v, %v", client, res, err)
		}
	}
}
