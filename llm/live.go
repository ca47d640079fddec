package llm

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/sashabaranov/go-openai"
)

const defaultTimeout = 2 * time.Minute

// maxAnswerBytes limits one answer, decompressed.
const maxAnswerBytes = 8 << 20

// LiveOptions say which endpoint to ask and how patiently. Only Endpoint is required.
type LiveOptions struct {
	Endpoint Endpoint
	Timeout  time.Duration // of one Complete, retries and waits included; 0: two minutes
	Pace     *Pace         // of this client and of those that share it, retries included; nil: no limit
	OnRetry  func(Retry)   // called before each wait for another try; may be nil

	Sleep func(context.Context, time.Duration) error // waits, or returns the context's error early; nil: time passes
	Clock func() time.Time                           // nil: time.Now
}

// Live asks an endpoint, with retries, and does not stream: an answer arrives whole or not at all.
type Live struct {
	opts      LiveOptions
	transport *http.Transport // a connection pool of its own
	redact    func(string) string
	format    atomic.Int32 // the strictest format that the endpoint has not refused yet
}

// NewLive makes a client for one endpoint and all its models.
func NewLive(opts LiveOptions) *Live {
	opts.Endpoint.APIKey = strings.TrimSpace(opts.Endpoint.APIKey)
	if opts.Timeout <= 0 {
		opts.Timeout = defaultTimeout
	}
	if opts.OnRetry == nil {
		opts.OnRetry = func(Retry) {}
	}
	if opts.Sleep == nil {
		opts.Sleep = sleep
	}
	if opts.Clock == nil {
		opts.Clock = time.Now
	}
	return &Live{opts: opts, transport: newTransport(), redact: Redactor([]string{opts.Endpoint.APIKey})}
}

// Complete asks for one answer, and waits no longer than the timeout.
func (l *Live) Complete(ctx context.Context, req Request) (Response, error) {
	if err := l.opts.Endpoint.check(); err != nil {
		return Response{}, err
	}
	ask, cancel := context.WithTimeout(ctx, l.opts.Timeout)
	defer cancel()
	strictest := l.format.Load()
	res, refusal := l.inFormat(ask, req, strictest)
	err := refusal
	// Many servers refuse schemas, or any format. The format that works is remembered.
	for format := strictest + 1; req.Schema != nil && format <= formatNone && formatRefused(err); format++ {
		if res, err = l.inFormat(ask, req, format); err == nil {
			l.format.CompareAndSwap(strictest, format)
		}
	}
	if formatRefused(err) {
		err = refusal
	}
	if err != nil && ctx.Err() != nil {
		err = gaveUp(ctx, req)
	}
	return res, err
}

// inFormat makes one request, with its retries.
func (l *Live) inFormat(ctx context.Context, req Request, format int32) (Response, error) {
	x := &exchange{Live: l}
	config := openai.DefaultConfig(l.opts.Endpoint.APIKey)
	config.BaseURL = l.opts.Endpoint.BaseURL
	config.HTTPClient = &http.Client{Transport: x, CheckRedirect: l.checkRedirect}
	answer, err := openai.NewClientWithConfig(config).CreateChatCompletion(ctx, wireRequest(req, format))
	if err != nil {
		return Response{}, l.explain(ctx, err, x)
	}
	return l.read(req, answer, x)
}

// checkRedirect keeps the key and the prompt from leaving the configured host.
func (l *Live) checkRedirect(next *http.Request, via []*http.Request) error {
	first := via[0]
	if next.URL.Scheme == first.URL.Scheme && next.URL.Host == first.URL.Host && next.Method == first.Method && len(via) < 5 {
		return nil
	}
	target := Endpoint{BaseURL: next.URL.String()}.place()
	return l.fail(KindRedirect, l.opts.Endpoint.place()+" redirects to "+target+", and neither key nor prompt goes there unasked",
		"if that is where requests belong, set base_url in .tdd.yaml to it (without /chat/completions)")
}

// formatRefused reports whether the response format may have been the problem.
func formatRefused(err error) bool {
	failure, ok := errors.AsType[*Error](err)
	return ok && (failure.Status == http.StatusBadRequest || failure.Status == http.StatusUnprocessableEntity)
}

// probeTimeout limits a probe: somebody is waiting at the terminal.
const probeTimeout = 10 * time.Second

// Probe asks an endpoint for its models, without key or redirects. Any HTTP answer means reachable.
func Probe(ctx context.Context, baseURL string) error {
	endpoint := Endpoint{BaseURL: baseURL}
	if err := endpoint.check(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(baseURL, "/")+"/models", nil)
	if err != nil {
		return fmt.Errorf("probe %s: %w", endpoint.place(), err)
	}
	transport := newTransport()
	defer transport.CloseIdleConnections()
	res, err := transport.RoundTrip(req)
	if err != nil {
		return endpoint.unreachable(err)
	}
	_ = res.Body.Close()
	return nil
}

// newTransport is a connection pool of its own.
func newTransport() *http.Transport {
	usual, _ := http.DefaultTransport.(*http.Transport) // unless somebody has replaced it
	return usual.Clone()
}

// check refuses a base URL to which nothing can be sent.
func (e Endpoint) check() error {
	u, err := url.Parse(e.BaseURL)
	if err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" {
		return nil
	}
	return &Error{
		Kind:    KindBadRequest,
		Message: fmt.Sprintf("the base_url %q is no http or https URL", e.place()),
		Hint:    "set llm.base_url in .tdd.yaml to something like http://localhost:11434/v1",
	}
}
