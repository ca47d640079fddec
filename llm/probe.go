package llm

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

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
