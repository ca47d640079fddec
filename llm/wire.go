package llm

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sashabaranov/go-openai"
)

// The formats in which an answer can be requested, the strictest first.
const (
	formatSchema int32 = iota
	formatObject
	formatNone
)

func wireRequest(req Request, format int32) openai.ChatCompletionRequest {
	wire := openai.ChatCompletionRequest{Model: req.Model}
	for _, m := range req.Messages {
		wire.Messages = append(wire.Messages, openai.ChatCompletionMessage{Role: m.Role, Content: m.Content})
	}
	switch {
	case req.Schema == nil || format == formatNone:
	case format == formatObject:
		wire.ResponseFormat = &openai.ChatCompletionResponseFormat{Type: openai.ChatCompletionResponseFormatTypeJSONObject}
	default:
		wire.ResponseFormat = &openai.ChatCompletionResponseFormat{
			Type: openai.ChatCompletionResponseFormatTypeJSONSchema,
			JSONSchema: &openai.ChatCompletionResponseFormatJSONSchema{
				Name: req.Schema.Name, Schema: json.RawMessage(req.Schema.JSON), Strict: true,
			},
		}
	}
	if req.Temperature != nil && !reasons(req.Model) {
		// The library leaves out a zero, so the smallest number stands for it until
		// wireZero replaces that.
		wire.Temperature = max(float32(*req.Temperature), math.SmallestNonzeroFloat32)
	}
	return wire
}

// reasons reports whether the library takes the model for a reasoning one, without sampling settings.
func reasons(model string) bool {
	return openai.NewReasoningValidator().Validate(openai.ChatCompletionRequest{Model: model, TopP: 0.5}) != nil
}

// wireZero restores a temperature of zero, which servers clamp otherwise. Only the key matches.
func wireZero(body []byte) []byte {
	smallest, _ := json.Marshal(float32(math.SmallestNonzeroFloat32)) // a finite number always encodes
	return bytes.Replace(body, slices.Concat([]byte(`"temperature":`), smallest), []byte(`"temperature":0`), 1)
}

func (l *Live) read(req Request, answer openai.ChatCompletionResponse, x *exchange) (Response, error) {
	if len(answer.Choices) == 0 {
		return Response{}, l.fail(KindBadAnswer, "the answer from "+l.opts.Endpoint.place()+" is JSON without any choices: "+l.quote(x.body), wrongAPI)
	}
	choice := answer.Choices[0]
	usage := Usage{Prompt: answer.Usage.PromptTokens, Completion: answer.Usage.CompletionTokens}
	if kept := answer.Usage.PromptTokensDetails; kept != nil {
		usage.Cached = min(max(kept.CachedTokens, 0), usage.Prompt)
	}
	if usage.Prompt <= 0 || usage.Completion < 0 {
		usage = estimate(req.Messages, choice.Message.Content)
	}
	if flaw := l.flaw(req, choice); flaw != nil {
		return Response{Usage: usage}, flaw
	}
	return Response{
		Text:         choice.Message.Content,
		Model:        cmp.Or(answer.Model, req.Model),
		FinishReason: string(choice.FinishReason),
		Usage:        usage,
	}, nil
}

// flaw is why an answer cannot be used. A missing finish_reason is accepted: local servers send none.
func (l *Live) flaw(req Request, choice openai.ChatCompletionChoice) error {
	reason, text, refusal := string(choice.FinishReason), choice.Message.Content, choice.Message.Refusal
	who := fmt.Sprintf("%s at %s", req.Model, l.opts.Endpoint.place())
	switch {
	case slices.Contains([]string{"length", "max_tokens", "abort", "error"}, reason):
		return l.fail(KindTruncated, fmt.Sprintf("the answer of %s was cut off after %d bytes (finish_reason %q)", who, len(text), reason),
			"raise the model's output limit or context length, or ask for less at once")
	case reason == "content_filter" || (refusal != "" && text == ""):
		return l.fail(KindRefused, strings.TrimSpace(fmt.Sprintf("%s declined to answer (finish_reason %q) %s", who, reason, refusal)),
			"look for what the filter may object to in the kata and the code, or use another model")
	case strings.TrimSpace(text) == "":
		return l.fail(KindBadAnswer, fmt.Sprintf("the answer of %s is empty (finish_reason %q)", who, reason),
			"try again, or use another model; one that only reasons may need a larger output limit")
	}
	return nil
}
