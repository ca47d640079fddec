package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall"

	"github.com/sashabaranov/go-openai"
)

// longestQuote limits how much of an endpoint's own text goes into an error.
const longestQuote = 400

// The hints for an answer that does not follow the API, and for one that was cut off.
const (
	wrongAPI = "is it an OpenAI-compatible API, and does base_url end where /chat/completions begins?"
	tryAgain = "try again; if it stays, look at the server's log or at a proxy between"
)

// fail makes an error without the key, which may stand in others' words.
func (l *Live) fail(kind Kind, message, hint string) *Error {
	return &Error{Kind: kind, Message: l.redact(message), Hint: hint}
}

// explain turns what ended an exchange into an [*Error], without the original: it may hold a key.
func (l *Live) explain(ctx context.Context, err error, x *exchange) error {
	var own *Error
	var api *openai.APIError
	var plain *openai.RequestError
	switch {
	case ctx.Err() != nil:
		return l.timeout(x)
	case errors.As(err, &own):
		return own
	case errors.As(err, &api):
		said := api.Message
		if api.Code != nil {
			said = fmt.Sprintf("%v: %s", api.Code, said)
		}
		return l.status(api.HTTPStatusCode, said, x)
	case errors.As(err, &plain):
		return l.status(plain.HTTPStatusCode, string(plain.Body), x)
	}
	return l.undecodable(err, x)
}

func (l *Live) timeout(x *exchange) error {
	message := fmt.Sprintf("no answer from %s within %s", l.opts.Endpoint.place(), l.opts.Timeout)
	if x.last != "" {
		message += " (before that: " + x.last + ")"
	}
	return l.fail(KindTimeout, message, "a slow model needs a larger llm.timeout in .tdd.yaml")
}

// undecodable is the error for an answer with status 200 that the library could not read.
func (l *Live) undecodable(err error, x *exchange) error {
	place := l.opts.Endpoint.place()
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return l.fail(KindTruncated, "the answer from "+place+" ends in the middle of its JSON", tryAgain)
	}
	var syntax *json.SyntaxError
	var mismatch *json.UnmarshalTypeError
	if errors.As(err, &syntax) || errors.As(err, &mismatch) || errors.Is(err, io.EOF) {
		return l.fail(KindBadAnswer, fmt.Sprintf("the answer from %s is not the JSON that was expected (%v): %s", place, err, l.quote(x.body)), wrongAPI)
	}
	return l.fail(KindBadRequest, fmt.Sprintf("the request for %s could not be made (%s)", place, quote(err.Error())), "check the model's name and settings in .tdd.yaml")
}

func (l *Live) status(code int, said string, x *exchange) error {
	message := fmt.Sprintf("HTTP %d from %s", code, l.opts.Endpoint.place())
	if said != "" {
		message += ": " + l.quote(said)
	}
	if x.tries > 1 {
		message += fmt.Sprintf(" (asked %d times)", x.tries)
	}
	if x.gaveUp != "" {
		message += "; " + x.gaveUp
	}
	kind, hint := meaning(code, said)
	failure := l.fail(kind, message, hint)
	failure.Status = code
	return failure
}

func meaning(code int, said string) (Kind, string) {
	switch {
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		return KindAuth, "check the key in the variable that api_key_env names; `git tdd doctor` shows which one"
	case code == http.StatusPaymentRequired || noQuota(said):
		return KindRateLimit, "the account's quota is used up: check its plan and billing, or use another model"
	case code == http.StatusTooManyRequests:
		return KindRateLimit, "wait, lower the requests a minute, or use another model"
	case code == http.StatusRequestTimeout:
		return KindTimeout, "try again, or use a faster model"
	case code >= http.StatusInternalServerError:
		return KindServer, "the endpoint is failing or overloaded: try again later, or use another model"
	case strings.Contains(said, "content_filter"):
		return KindRefused, "look for what the filter may object to in the kata and the code"
	case strings.Contains(said, "context_length"):
		return KindBadRequest, "the prompt is too long for this model: use one with a larger context"
	case code == http.StatusNotFound:
		return KindBadRequest, "check the model's name, and that base_url ends where /chat/completions begins (often /v1)"
	}
	return KindBadRequest, "the endpoint does not accept this request: check the model's name and settings in .tdd.yaml"
}

// noQuota recognises the only rate limit that waiting does not lift.
func noQuota(said string) bool { return strings.Contains(said, "insufficient_quota") }

func (e Endpoint) unreachable(err error) *Error {
	failure := &Error{
		Kind:    KindUnreachable,
		Message: fmt.Sprintf("no connection to %s (%s)", e.place(), quote(err.Error())),
		Hint:    "check base_url, the network and a proxy; `git tdd doctor` checks the endpoint",
	}
	if errors.Is(err, syscall.ECONNREFUSED) {
		failure.Message = "connection refused at " + e.place()
		failure.Hint = "is the server running? `git tdd doctor` checks it"
	}
	return failure
}

func gaveUp(ctx context.Context, req Request) error {
	return fmt.Errorf("gave up waiting for the answer to “%s”: %w", req.Label, ctx.Err())
}

// quote makes one short line of what the endpoint said. It removes the key
// before it cuts the line: a cut key would no longer be recognised.
func (l *Live) quote(said string) string {
	if strings.TrimSpace(said) == "" {
		return "an empty body"
	}
	return quote(l.redact(said[:min(len(said), largestErrorBody)]))
}

// quote makes one short line of what somebody else said.
func quote(said string) string {
	line := strings.Join(strings.Fields(strings.ToValidUTF8(said, "�")), " ")
	if runes := []rune(line); len(runes) > longestQuote {
		line = string(runes[:longestQuote]) + "…"
	}
	return line
}
