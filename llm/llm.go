package llm

import (
	"context"
	"fmt"
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

// Request is one question to one model. Its JSON is that of a [Cassette].
type Request struct {
	Label       string    `json:"-"`               // names the request; also part of a message
	Model       string    `json:"model,omitempty"` // the model's name at the endpoint
	Messages    []Message `json:"messages,omitempty"`
	Temperature *float64  `json:"temperature,omitempty"` // nil: the endpoint's own
	Schema      *Schema   `json:"-"`                     // nil: free text
}

// Usage is what a request cost, in tokens.
type Usage struct {
	Prompt     int  `json:"prompt"`
	Completion int  `json:"completion"`
	Cached     int  `json:"cached,omitempty"`    // part of Prompt, which the endpoint had kept from an earlier request
	Estimated  bool `json:"estimated,omitempty"` // the endpoint did not say; see Tokens
}

// String says it as trailers do: "5321 in, 811 out".
func (u Usage) String() string {
	text := fmt.Sprintf("%d in, %d out", u.Prompt, u.Completion)
	if u.Cached > 0 {
		text += fmt.Sprintf(", %d cached", u.Cached)
	}
	if u.Estimated {
		text += " (estimated)"
	}
	return text
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
	return Usage{Prompt: Length(messages), Completion: Tokens(answer), Estimated: true}
}

// Length estimates how many tokens some messages have.
func Length(messages []Message) (tokens int) {
	for _, m := range messages {
		tokens += Tokens(m.Content)
	}
	return tokens
}

// Tokens estimates how many tokens a text has: one for 3.5 bytes, rounded up, as the
// tokenizers o200k and cl100k count the prompts of recorded runs (3.5) and of five real projects (3.4 to 4).
func Tokens(text string) int { return (2*len(text) + 6) / 7 }

// Kind says what went wrong, for callers to decide by.
type Kind string

// The kinds of an [Error].
const (
	KindUnreachable Kind = "unreachable" // no HTTP answer, or none that was whole: refused, no such host, bad certificate, cut off
	KindRedirect    Kind = "redirect"    // the endpoint points elsewhere; a key does not follow
	KindAuth        Kind = "auth"        // the key is missing, wrong, or may not do this
	KindRateLimit   Kind = "rate-limit"  // too many requests, or the account's quota is used up
	KindServer      Kind = "server"      // the endpoint failed, and kept failing
	KindTimeout     Kind = "timeout"     // no whole answer before the deadline
	KindTruncated   Kind = "truncated"   // the answer ends early, at the model's limit for one
	KindTooLarge    Kind = "too-large"   // the answer exceeds the size cap
	KindRefused     Kind = "refused"     // the model or a content filter declined to answer
	KindBadAnswer   Kind = "bad-answer"  // an answer that is not what the API promises
	KindBadRequest  Kind = "bad-request" // the endpoint, or the recording, does not accept this request
	KindBudget      Kind = "budget"      // the caller's own limit was reached, and nothing was asked
)

// Error is why there is no answer: what was seen, where, and what to do next. It never contains a key.
type Error struct {
	Kind    Kind
	Status  int    // of HTTP; 0 if there was none
	Message string // what was seen, and where
	Hint    string // what to do next
}

// Error is the message and the hint.
func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + ": " + e.Hint
}
