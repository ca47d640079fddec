package llm

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"time"
)

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
