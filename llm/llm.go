package llm

import (
	"context"
	"net/url"
	"strings"
)

// Endpoint is an OpenAI-compatible API.
type Endpoint struct {
	Name    string // its name in the configuration, for messages
	BaseURL string // everything before "/chat/completions", as "http://localhost:11434/v1"
	APIKey  string `json:"-"` // "" sends no Authorization header
}

// String names the endpoint without the key.
func (e Endpoint) String() string { return strings.TrimSpace(e.Name + " " + e.place()) }

// GoString is [Endpoint.String], for %#v.
func (e Endpoint) GoString() string { return e.String() }

// place is the base URL without any secrets.
func (e Endpoint) place() string {
	u, err := url.Parse(e.BaseURL)
	if err != nil {
		return "a base_url that is no URL"
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}

// Message is one turn of the conversation that a model continues.
type Message struct {
	Role    string `json:"role"` // "system", "user" or "assistant"
	Content string `json:"content"`
}

// Schema asks for JSON of a structure. An endpoint may ignore it, so answers are checked anyway.
type Schema struct {
	Name string // letters, digits, "_" and "-"
	JSON []byte // a JSON schema
}

// Request is one question to one model.
type Request struct {
	Label       string // names the request; also part of a message
	Model       string // the model's name at the endpoint
	Messages    []Message
	Temperature *float64 // nil: the endpoint's own
	Schema      *Schema  // nil: free text
}

// Usage is what a request cost, in tokens.
type Usage struct {
	Prompt     int  `json:"prompt"`
	Completion int  `json:"completion"`
	Cached     int  `json:"cached,omitempty"`    // part of Prompt, which the endpoint had kept from an earlier request
	Estimated  bool `json:"estimated,omitempty"` // the endpoint did not say; see Tokens
}

// Total is the sum of both directions.
func (u Usage) Total() int { return u.Prompt + u.Completion }

// Plus is the sum of two usages.
func (u Usage) Plus(v Usage) Usage {
	return Usage{
		Prompt: u.Prompt + v.Prompt, Completion: u.Completion + v.Completion, Cached: u.Cached + v.Cached,
		Estimated: u.Estimated || v.Estimated,
	}
}

// Response is a model's whole answer.
type Response struct {
	Text         string
	Model        string // as the endpoint names it
	FinishReason string // why the answer ends, in the endpoint's words, mostly "stop"; may be empty
	Usage        Usage
}

// Client completes requests. Implementations may be used by several goroutines
// at once. The error is an [*Error], or wraps the context's error if the caller
// gave up. With an error, the response has at most the usage: what a rejected
// answer cost.
type Client interface {
	Complete(ctx context.Context, req Request) (Response, error)
}

func estimate(messages []Message, answer string) Usage {
	prompt := 0
	for _, m := range messages {
		prompt += Tokens(m.Content)
	}
	return Usage{Prompt: prompt, Completion: Tokens(answer), Estimated: true}
}

// Tokens estimates how many tokens a text has: one for 3.5 bytes, rounded up, as the
// tokenizers o200k and cl100k count the prompts of recorded runs (3.5) and of five real projects (3.4 to 4).
func Tokens(text string) int { return (2*len(text) + 6) / 7 }
