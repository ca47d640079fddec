package llm

import (
	"context"
	"net/url"
	"strings"
)

// Endpoint is an OpenAI-compatible API.
type Endpoint struct {
	Name    string // what the configuration calls it, for messages
	BaseURL string // everything before "/chat/completions", as "http://localhost:11434/v1"
	APIKey  string `json:"-"` // "" sends no Authorization header
}

// String names the endpoint and leaves the key out, so that printing one, or a
// struct that holds one, gives nothing away.
func (e Endpoint) String() string { return strings.TrimSpace(e.Name + " " + e.place()) }

// GoString is [Endpoint.String], for %#v.
func (e Endpoint) GoString() string { return e.String() }

// place is the base URL without what may be secret in it.
func (e Endpoint) place() string {
	u, err := url.Parse(e.BaseURL)
	if err != nil {
		return "a base_url that is no URL"
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}

// Message is one turn of the conversation that a model is to continue.
type Message struct {
	Role    string `json:"role"` // "system", "user" or "assistant"
	Content string `json:"content"`
}

// Schema asks for an answer that is JSON of a given shape. An endpoint may
// ignore it, so the answer must be checked all the same.
type Schema struct {
	Name string // letters, digits, "_" and "-"
	JSON []byte // a JSON schema
}

// Request is one question to one model.
type Request struct {
	Label       string // names the request; also stands in the text of a message
	Model       string // the model's name at the endpoint
	Messages    []Message
	Temperature *float64 // nil: the endpoint's own
	Schema      *Schema  // nil: free text
	MaxTokens   int      // of the answer; 0: the endpoint's own limit
}

// Usage is what a request cost, in tokens.
type Usage struct {
	Prompt     int  `json:"prompt"`
	Completion int  `json:"completion"`
	Estimated  bool `json:"estimated,omitempty"` // the endpoint named none: 2.5 bytes were taken for a token
}

// Total is the sum of both directions.
func (u Usage) Total() int { return u.Prompt + u.Completion }

// Response is a model's whole answer.
type Response struct {
	Text         string
	Model        string // as the endpoint names it
	FinishReason string // the endpoint's word for why the answer ends, mostly "stop"; may be empty
	Usage        Usage
}

// Client completes requests. Implementations may be used by several goroutines
// at once. The error is an [*Error], or wraps the context's error where the
// caller gave up. With an error, the response carries at most the usage: what
// a rejected answer has cost.
type Client interface {
	Complete(ctx context.Context, req Request) (Response, error)
}

// estimate guesses the usage of an exchange from its bytes.
func estimate(messages []Message, answer string) Usage {
	prompt := 0
	for _, m := range messages {
		prompt += len(m.Content)
	}
	return Usage{Prompt: tokens(prompt), Completion: tokens(len(answer)), Estimated: true}
}

// tokens takes 2.5 bytes for a token, rounded up: source code has shorter
// tokens than prose, and a budget should rather end early than late.
func tokens(bytes int) int { return (bytes*2 + 4) / 5 }
