package llm

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// How often a request is made at most. A busy server recovers; a failing network mostly does not.
const (
	triesOnStatus  = 8
	triesOnNetwork = 3
)

// largestErrorBody limits how much is read of an answer that only says what failed.
const largestErrorBody = 64 << 10

// exchange is the transport for one request, below the API library, which does not retry.
type exchange struct {
	*Live
	body       string // of the last answer
	tries      int
	cuts       int           // of the tries, those that the network ended
	last       string        // what went wrong in the last failed try
	retryAfter time.Duration // what the endpoint last asked for
	gaveUp     string        // why there was no further try, if there could have been
}

// RoundTrip sends the request until there is an answer worth passing on, whole and limited.
func (x *exchange) RoundTrip(req *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(req.Body)
	if err = errors.Join(err, req.Body.Close()); err != nil {
		return nil, err
	}
	body = wireZero(body)
	for x.tries = 1; ; x.tries++ {
		res, err := x.try(req, body)
		if !x.again(req.Context(), res, err) {
			return res, x.named(req.Context(), err)
		}
		wait := x.wait(res)
		if x.gaveUp = x.tooLong(req.Context(), wait); x.gaveUp != "" {
			return res, x.named(req.Context(), err)
		}
		x.opts.OnRetry(Retry{Attempt: x.tries, Wait: wait, Why: x.last})
		if err := x.opts.Sleep(req.Context(), wait); err != nil {
			return nil, err
		}
	}
}

func (x *exchange) try(req *http.Request, body []byte) (*http.Response, error) {
	if err := x.opts.Pace.turn(req.Context(), x.opts); err != nil {
		return nil, err
	}
	once := req.Clone(req.Context())
	once.Body, once.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	once.GetBody = nil // only we retry
	res, err := x.transport.RoundTrip(once)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	text, err := x.readBody(res)
	if err != nil {
		return nil, err
	}
	x.body = string(text)
	res.Body = io.NopCloser(strings.NewReader(x.body))
	return res, nil
}

func (x *exchange) readBody(res *http.Response) ([]byte, error) {
	if res.StatusCode >= http.StatusMultipleChoices {
		return io.ReadAll(io.LimitReader(res.Body, largestErrorBody))
	}
	text, err := io.ReadAll(io.LimitReader(res.Body, maxAnswerBytes+1))
	if len(text) > maxAnswerBytes {
		return nil, x.fail(KindTooLarge, fmt.Sprintf("the answer from %s is larger than %d bytes, and was refused", x.opts.Endpoint.place(), maxAnswerBytes),
			"the model may be repeating itself: try again, or lower its output limit")
	}
	if err != nil {
		return nil, x.ended(err)
	}
	return text, nil
}

// ended says that the network ended an answer, or the wait for it.
func (x *exchange) ended(err error) *Error {
	return x.fail(KindUnreachable, fmt.Sprintf("the connection to %s ended before the answer did (%s)", x.opts.Endpoint.place(), quote(err.Error())), tryAgain)
}

// again reports whether another try could succeed, and records what went wrong.
func (x *exchange) again(ctx context.Context, res *http.Response, err error) bool {
	if err == nil {
		x.last = fmt.Sprintf("HTTP %d", res.StatusCode)
		x.retryAfter = retryAfter(res.Header, x.opts.Clock())
		return x.tries < triesOnStatus && x.passing(res.StatusCode)
	}
	own, ok := errors.AsType[*Error](err)
	_, certificate := errors.AsType[*tls.CertificateVerificationError](err)
	if ctx.Err() != nil || ok && own.Kind != KindUnreachable || certificate {
		return false
	}
	x.last, x.retryAfter = x.named(ctx, err).Error(), 0
	x.cuts++
	return x.cuts < triesOnNetwork && x.tries < triesOnStatus
}

// passing reports whether a status may be temporary. A conflict (409) is about this very request.
func (x *exchange) passing(status int) bool {
	if status == http.StatusTooManyRequests {
		return !noQuota(x.body)
	}
	return status > http.StatusNotImplemented || slices.Contains([]int{
		http.StatusRequestTimeout, http.StatusTooEarly, http.StatusInternalServerError,
	}, status)
}

func (x *exchange) named(ctx context.Context, err error) error {
	_, own := errors.AsType[*Error](err)
	switch {
	case err == nil, ctx.Err() != nil, own:
		return err
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return x.ended(err)
	}
	failure := x.opts.Endpoint.unreachable(err)
	return x.fail(failure.Kind, failure.Message, failure.Hint)
}

func (x *exchange) tooLong(ctx context.Context, wait time.Duration) string {
	deadline, ok := ctx.Deadline()
	left := deadline.Sub(x.opts.Clock())
	if !ok || wait < left {
		return ""
	}
	return fmt.Sprintf("the next try would be in %s, and only %s are left",
		wait.Round(time.Millisecond), left.Round(time.Second))
}

// The first and the longest wait between two tries, unless the endpoint asks for one.
const (
	firstWait   = 500 * time.Millisecond
	longestWait = 30 * time.Second
)

// Retry describes a failed try, before the wait for the next.
type Retry struct {
	Attempt int // the try that failed, from 1
	Wait    time.Duration
	Why     string // what went wrong
}

// wait is what the endpoint asked for, or a time that doubles with every try, with jitter.
func (x *exchange) wait(res *http.Response) time.Duration {
	if res != nil && x.retryAfter > 0 {
		return x.retryAfter
	}
	span := min(firstWait<<(x.tries-1), longestWait)
	return span/2 + rand.N(span/2) //nolint:gosec // G404: jitter is no secret
}

// retryAfter is what the header asks for; 0 if it is missing, in the past or malformed.
func retryAfter(header http.Header, now time.Time) time.Duration {
	const century = 100 * 365 * 24 * 3600 // keeps the product within a Duration
	value := header.Get("Retry-After")
	seconds, err := strconv.ParseFloat(value, 64) // infinite if out of range
	if (err == nil || errors.Is(err, strconv.ErrRange)) && !math.IsNaN(seconds) {
		return time.Duration(min(max(seconds, 0), century) * float64(time.Second))
	}
	if date, err := http.ParseTime(value); err == nil {
		return max(date.Sub(now), 0)
	}
	return 0
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Pace keeps the requests of all clients that share it a gap apart.
type Pace struct {
	gap  time.Duration
	mu   sync.Mutex
	next time.Time // when the next request may be made
}

// NewPace spaces so many requests a minute evenly; nil where there is no limit.
func NewPace(requestsPerMinute int) *Pace {
	if requestsPerMinute <= 0 {
		return nil
	}
	return &Pace{gap: time.Minute / time.Duration(requestsPerMinute)}
}

func (p *Pace) turn(ctx context.Context, opts LiveOptions) error {
	if p == nil {
		return nil
	}
	p.mu.Lock()
	now := opts.Clock()
	wait := max(p.next.Sub(now), 0)
	p.next = now.Add(wait + p.gap)
	p.mu.Unlock()
	if wait == 0 {
		return nil
	}
	return opts.Sleep(ctx, wait)
}
