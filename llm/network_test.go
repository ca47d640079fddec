package llm_test

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/llm"
)

func TestLiveSlowServer(t *testing.T) {
	t.Parallel()
	_, opts := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, " ")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done() // until the client is gone
	})
	opts.Timeout = 50 * time.Millisecond
	_, err := llm.NewLive(opts).Complete(t.Context(), question())
	contains(t, refused(t, err, llm.KindTimeout), "50ms", "llm.timeout")
}

func TestLiveCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	_, opts := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	})
	_, err := llm.NewLive(opts).Complete(ctx, question())
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	contains(t, err.Error(), "step 1 tester plan")
}

func TestLiveCancelledWhileWaiting(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	_, opts := serve(t, say(503, `{}`))
	opts.Sleep, opts.Clock = nil, nil
	opts.OnRetry = func(llm.Retry) { cancel() }
	if _, err := llm.NewLive(opts).Complete(ctx, question()); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
}

// closedPort is the address of a port on which nothing listens.
func closedPort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	return "http://" + listener.Addr().String() + "/v1"
}

func TestLiveConnectionRefused(t *testing.T) {
	t.Parallel()
	clock := newFakeTime()
	place := closedPort(t)
	_, err := llm.NewLive(llm.LiveOptions{
		Endpoint: llm.Endpoint{BaseURL: place, APIKey: canary}, Sleep: clock.Sleep, Clock: clock.Clock,
	}).Complete(t.Context(), question())
	want := "connection refused at " + place + ": is the server running? `git tdd doctor` checks it"
	if got := refused(t, err, llm.KindUnreachable); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if len(clock.slept) != 2 {
		t.Errorf("waited %v, want two short waits", clock.slept)
	}
}

func TestLiveUntrustedCertificate(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(answer("hello"))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	clock := newFakeTime()
	_, err := llm.NewLive(llm.LiveOptions{
		Endpoint: llm.Endpoint{BaseURL: server.URL, APIKey: canary}, Sleep: clock.Sleep, Clock: clock.Clock,
	}).Complete(t.Context(), question())
	contains(t, refused(t, err, llm.KindUnreachable), "certificate")
	if len(clock.slept) != 0 {
		t.Error("a bad certificate does not get better by waiting")
	}
}

func TestLiveBadBaseURL(t *testing.T) {
	t.Parallel()
	for _, base := range []string{"", "localhost:11434/v1", "ftp://host/v1", "http://", "http://user:" + canary + "@%zz"} {
		_, err := llm.NewLive(llm.LiveOptions{Endpoint: llm.Endpoint{BaseURL: base}}).Complete(t.Context(), question())
		refused(t, err, llm.KindBadRequest)
	}
}

func TestLiveRefusesAHugeAnswer(t *testing.T) {
	t.Parallel()
	var sent atomic.Int64
	_, opts := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"choices":[{"message":{"content":"`)
		for chunk := strings.Repeat("x", 64<<10); sent.Load() < 50<<20; {
			n, err := io.WriteString(w, chunk)
			if sent.Add(int64(n)); err != nil {
				return
			}
		}
	})
	_, err := llm.NewLive(opts).Complete(t.Context(), question())
	contains(t, refused(t, err, llm.KindTooLarge), "8388608 bytes")
	if n := sent.Load(); n >= 50<<20 {
		t.Errorf("all of %d bytes were taken", n)
	}
}

func TestLiveRedirects(t *testing.T) {
	t.Parallel()
	elsewhere, _ := serve(t, answer("stolen"))
	other := httptest.NewServer(elsewhere)
	defer other.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		_, opts := serve(t, say(status, "", "Location: "+other.URL+"/v1/chat/completions?key="+canary))
		_, err := llm.NewLive(opts).Complete(t.Context(), question())
		contains(t, refused(t, err, llm.KindRedirect), other.URL, "base_url")
	}
	if asked := elsewhere.asked(); len(asked) != 0 {
		t.Errorf("the other host was asked: %q", asked)
	}
	_, opts := serve(t, say(303, "", "Location: /v1/chat/completions"), answer("what a GET gets"))
	_, err := llm.NewLive(opts).Complete(t.Context(), question())
	contains(t, refused(t, err, llm.KindRedirect), "base_url")
	s, opts := serve(t, say(307, "", "Location: /v2/chat/completions"), answer("hello"))
	if _, err := llm.NewLive(opts).Complete(t.Context(), question()); err != nil {
		t.Fatalf("a redirect at the same host: %v", err)
	}
	if asked := s.asked(); asked[0] != asked[1] {
		t.Error("the redirected request differs")
	}
}
