package llm

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sashabaranov/go-openai"
)

// largestRequest limits how much of a request the replaying server reads.
const largestRequest = 32 << 20

// NewReplayHandler serves a cassette as an OpenAI-compatible API, for demos and
// tests that use HTTP from end to end. Its base URL is any path before
// /chat/completions and /models. Entries are played in order; a message of the
// request must contain the entry's label. Otherwise, and after the last entry,
// it answers 409 with a JSON error that explains why.
func NewReplayHandler(c *Cassette) http.Handler {
	return &replayHandler{tape: Replayer{entries: c.Entries}}
}

type replayHandler struct {
	tape Replayer
}

// ServeHTTP answers one call of the API.
func (h *replayHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/chat/completions"):
		h.complete(w, r)
	case r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/models"):
		reply(w, http.StatusOK, h.models())
	default:
		replyError(w, http.StatusNotFound, "this replay has only POST …/chat/completions and GET …/models")
	}
}

// complete plays the next entry.
func (h *replayHandler) complete(w http.ResponseWriter, r *http.Request) {
	var asked openai.ChatCompletionRequest
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, largestRequest)).Decode(&asked); err != nil {
		replyError(w, http.StatusBadRequest, fmt.Sprintf("the request is not the JSON of a chat completion: %v", err))
		return
	}
	req := Request{Label: "another", Model: asked.Model}
	for _, m := range asked.Messages {
		req.Messages = append(req.Messages, Message{Role: m.Role, Content: m.Content})
	}
	h.tape.mu.Lock()
	if n := h.tape.played; n < len(h.tape.entries) && h.tape.entries[n].in(req.Messages) {
		req.Label = h.tape.entries[n].Label
	}
	h.tape.mu.Unlock()
	res, err := h.tape.Complete(r.Context(), req)
	if err != nil {
		replyError(w, http.StatusConflict, err.Error())
		return
	}
	reply(w, http.StatusOK, wireResponse(res))
}

// wireResponse is an answer in the API's format. An estimate is left out: the
// other side makes its own.
func wireResponse(res Response) openai.ChatCompletionResponse {
	wire := openai.ChatCompletionResponse{
		ID: "replay", Object: "chat.completion", Model: res.Model,
		Choices: []openai.ChatCompletionChoice{{
			Message:      openai.ChatCompletionMessage{Role: "assistant", Content: res.Text},
			FinishReason: openai.FinishReason(res.FinishReason),
		}},
	}
	if !res.Usage.Estimated {
		wire.Usage = openai.Usage{
			PromptTokens: res.Usage.Prompt, CompletionTokens: res.Usage.Completion, TotalTokens: res.Usage.Total(),
		}
	}
	return wire
}

// models lists the models of the cassette.
func (h *replayHandler) models() openai.ModelsList {
	list := openai.ModelsList{Models: []openai.Model{}}
	seen := map[string]bool{}
	for _, entry := range h.tape.entries {
		if name := entry.Request.Model; name != "" && !seen[name] {
			seen[name] = true
			list.Models = append(list.Models, openai.Model{ID: name, Object: "model"})
		}
	}
	return list
}

// replyError answers with an error in the API's format.
func replyError(w http.ResponseWriter, status int, message string) {
	reply(w, status, openai.ErrorResponse{Error: &openai.APIError{Message: message, Type: "replay"}})
}

// reply answers with JSON.
func reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // if it fails, the client is gone
}

// in reports whether the last message contains the entry's whole label: "attempt
// 1" is not in "attempt 10". The messages before it are of earlier requests.
func (e Entry) in(messages []Message) bool {
	if len(messages) == 0 {
		return false
	}
	for rest := messages[len(messages)-1].Content; ; {
		_, after, found := strings.Cut(rest, e.Label)
		if !found {
			return false
		}
		if next, _ := utf8.DecodeRuneInString(after); !unicode.IsDigit(next) && !unicode.IsLetter(next) {
			return true
		}
		rest = after
	}
}
