package llm_test

import (
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/llm"
)

func TestLiveRetries(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		first http.HandlerFunc
		waits func(time.Duration) bool
	}{
		"429, seconds": {say(429, `{}`, "Retry-After: 7"), exactly(7 * time.Second)},
		"429, date":    {later(40 * time.Second), between(39*time.Second, time.Hour)},
		"429, past":    {later(-time.Hour), between(0, time.Second)},
		"429, zero":    {say(429, `{}`, "Retry-After: 0"), between(time.Millisecond, time.Second)},
		"429, words":   {say(429, `{}`, "Retry-After: soon"), between(time.Millisecond, time.Second)},
		"429, NaN":     {say(429, `{}`, "Retry-After: NaN"), between(time.Millisecond, time.Second)},
		"408":          {say(408, `{}`), between(time.Millisecond, time.Second)},
		"425":          {say(425, `{}`), between(time.Millisecond, time.Second)},
		"500":          {say(500, `{"error":{"message":"oops"}}`), between(time.Millisecond, time.Second)},
		"502, no JSON": {say(502, `<html>bad gateway</html>`), between(time.Millisecond, time.Second)},
		"529":          {say(529, `{}`), between(time.Millisecond, time.Second)},
		"reset":        {hangUp, between(time.Millisecond, time.Second)},
		"cut":          {cut, between(time.Millisecond, time.Second)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, opts := serve(t, tc.first, answer("hello"))
			var told []llm.Retry
			opts.OnRetry = func(r llm.Retry) { told = append(told, r) }
			res, err := llm.NewLive(opts).Complete(t.Context(), question())
			if err != nil || res.Text != "hello" {
				t.Fatalf("got %+v, %v", res, err)
			}
			if asked := s.asked(); len(asked) != 2 || asked[0] != asked[1] {
				t.Errorf("asked %q, want the same request twice", asked)
			}
			if len(told) != 1 || told[0].Attempt != 1 || told[0].Why == "" {
				t.Fatalf("told %+v", told)
			}
			if !tc.waits(told[0].Wait) {
				t.Errorf("waited %s", told[0].Wait)
			}
			noKey(t, told[0].Why)
		})
	}
}

// TestLiveCountsFailuresOfTheNetworkAlone shows that a busy server's answers
// take no tries from a connection that breaks.
func TestLiveCountsFailuresOfTheNetworkAlone(t *testing.T) {
	t.Parallel()
	s, opts := serve(t, say(429, `{}`), say(500, `{}`), cut, hangUp, answer("hello"))
	res, err := llm.NewLive(opts).Complete(t.Context(), question())
	if err != nil || res.Text != "hello" {
		t.Fatalf("got %+v, %v", res, err)
	}
	if asked := s.asked(); len(asked) != 5 {
		t.Errorf("asked %d times, want 5", len(asked))
	}
}

func exactly(d time.Duration) func(time.Duration) bool { return between(d, d) }

func between(low, high time.Duration) func(time.Duration) bool {
	return func(d time.Duration) bool { return low <= d && d <= high }
}

// later answers that the client should come back at a date; dates have whole
// seconds.
func later(d time.Duration) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		say(429, `{}`, "Retry-After: "+time.Now().Add(d).UTC().Format(http.TimeFormat))(w, r)
	}
}

// hangUp ends the connection without an answer.
func hangUp(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// cut ends the connection in the middle of an answer.
func cut(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "1000")
	_, _ = io.WriteString(w, `{"choices":[{"message":{"content":"half of`)
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

func TestLiveDoesNotWaitLongerThanIsLeft(t *testing.T) {
	t.Parallel()
	for _, header := range []string{"3600", "99999999999999999999999", "1e400", inTwoDays()} {
		s, opts := serve(t, say(429, `{"error":{"message":"slow down"}}`, "Retry-After: "+header))
		opts.Timeout = time.Minute
		_, err := llm.NewLive(opts).Complete(t.Context(), question())
		failure := failed(t, err, llm.KindRateLimit)
		if failure.Status != 429 {
			t.Errorf("%s: got %#v", header, failure)
		}
		contains(t, failure.Error(), "slow down", "are left")
		if n := len(s.asked()); n != 1 {
			t.Errorf("%s: asked %d times, want once", header, n)
		}
	}
}

func inTwoDays() string { return time.Now().Add(48 * time.Hour).UTC().Format(http.TimeFormat) }

func TestLiveGivesUpOnAFailingServer(t *testing.T) {
	t.Parallel()
	s, opts := serve(t, say(503, `{"error":{"message":"overloaded"}}`))
	opts.Timeout = time.Hour
	var waits []time.Duration
	opts.OnRetry = func(r llm.Retry) { waits = append(waits, r.Wait) }
	_, err := llm.NewLive(opts).Complete(t.Context(), question())
	failure := failed(t, err, llm.KindServer)
	contains(t, failure.Error(), "HTTP 503", "overloaded", fmt.Sprintf("asked %d times", len(s.asked())))
	for i, wait := range waits {
		if ceiling := min(500*time.Millisecond<<i, 30*time.Second); wait < ceiling/2 || wait > ceiling {
			t.Errorf("wait %d is %s, want %s to %s", i+1, wait, ceiling/2, ceiling)
		}
	}
}

func TestLiveStopsRetryingAtTheDeadline(t *testing.T) {
	t.Parallel()
	s, opts := serve(t, say(503, `{}`))
	opts.Timeout = 10 * time.Second
	_, err := llm.NewLive(opts).Complete(t.Context(), question())
	contains(t, refused(t, err, llm.KindServer), "s are left")
	if n := len(s.asked()); n < 3 || n > 7 {
		t.Errorf("asked %d times in ten seconds", n)
	}
}
