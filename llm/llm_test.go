package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/llm"
)

// canary is a key that must never appear outside the Authorization header.
const canary = "canary-7f3a-do-not-leak"

// fakeTime is a clock that moves only when somebody sleeps.
type fakeTime struct {
	mu    sync.Mutex
	now   time.Time
	slept []time.Duration
}

func newFakeTime() *fakeTime { return &fakeTime{now: time.Now()} }

func (f *fakeTime) Clock() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now
}

func (f *fakeTime) Sleep(ctx context.Context, d time.Duration) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.slept = append(f.slept, d)
	f.now = f.now.Add(d)
	return ctx.Err()
}

// script answers the n-th request with the n-th handler, and later ones with
// the last; it records the requests.
type script struct {
	mu       sync.Mutex
	handlers []http.HandlerFunc
	bodies   []string
	headers  []http.Header
}

func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	n := min(len(s.bodies), len(s.handlers)-1)
	s.bodies = append(s.bodies, string(body))
	s.headers = append(s.headers, r.Header.Clone())
	s.mu.Unlock()
	s.handlers[n](w, r)
}

func (s *script) asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.bodies...)
}

// serve starts a scripted endpoint and gives options for a client of it.
func serve(t *testing.T, handlers ...http.HandlerFunc) (*script, llm.LiveOptions) {
	t.Helper()
	s := &script{handlers: handlers}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	clock := newFakeTime()
	return s, llm.LiveOptions{
		Endpoint: llm.Endpoint{Name: "test", BaseURL: server.URL + "/v1", APIKey: canary},
		Sleep:    clock.Sleep, Clock: clock.Clock,
	}
}

// say answers with a status and headers "K: V".
func say(status int, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for _, h := range headers {
			key, value, _ := strings.Cut(h, ": ")
			w.Header().Set(key, value)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// answer is a model's whole answer.
func answer(text string) http.HandlerFunc { return finished(text, "stop") }

func finished(text, reason string) http.HandlerFunc {
	quoted, _ := json.Marshal(text)
	return say(http.StatusOK, fmt.Sprintf(
		`{"model":"m-2","choices":[{"message":{"role":"assistant","content":%s,"reasoning_content":"hm"},"finish_reason":%q}],`+
			`"usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10}}`, quoted, reason))
}

func question() llm.Request {
	return llm.Request{
		Label: "step 1 tester plan", Model: "m",
		Messages: []llm.Message{{Role: "system", Content: "be brief"}, {Role: "user", Content: "step 1 tester plan: go"}},
	}
}

// refused checks that an error is ours and of one kind, and returns its text.
func refused(t *testing.T, err error, kind llm.Kind) string {
	t.Helper()
	return failed(t, err, kind).Error()
}

// failed checks that an error is ours, of one kind, and shows no key in any
// form.
func failed(t *testing.T, err error, kind llm.Kind) *llm.Error {
	t.Helper()
	var failure *llm.Error
	if !errors.As(err, &failure) {
		t.Fatalf("got %v (%T), want an *llm.Error of kind %s", err, err, kind)
	}
	if failure.Kind != kind {
		t.Fatalf("got kind %s (%v), want %s", failure.Kind, failure, kind)
	}
	if failure.Message == "" || failure.Hint == "" {
		t.Errorf("%#v: what was seen, or what to do, is missing", failure)
	}
	noKey(t, fmt.Sprintf("%v %+v %#v", err, failure, failure))
	return failure
}

func noKey(t *testing.T, text string) {
	t.Helper()
	if strings.Contains(text, canary) {
		t.Errorf("the key leaked: %s", text)
	}
}

func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q does not contain %q", text, part)
		}
	}
}
