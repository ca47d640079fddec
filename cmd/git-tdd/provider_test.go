package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
)

// object and list are JSON.
type (
	object = map[string]any
	list   = []any
)

// scriptedStep is what the model has a coding agent do: write one file, then say
// something.
type scriptedStep struct{ file, content, words string }

// stepOf chooses the step by what the agent was asked. The tester's first is refused,
// because its test passes.
func stepOf(body string) scriptedStep {
	role := func(name string) bool { return strings.Contains(body, "Your role: "+name) }
	switch {
	case strings.Contains(body, "last attempt was refused"):
		return scriptedStep{"tests/sum_test.sh", "[ \"$(add 1 2)\" = 3 ] || exit 1\n", "Commit: test: sum"}
	case role("tester"):
		return scriptedStep{"tests/idle_test.sh", "true\n", "Commit: test: sum"}
	case role("implementor"):
		return scriptedStep{"src/sum.sh", "add() { echo $(($1 + $2)); }\n", "Commit: feat: sum two numbers"}
	case role("refactorer"):
		return scriptedStep{"src/notes.sh", "# add prints the sum of two numbers.\n", "Commit: refactor: say what add does"}
	}
	return scriptedStep{words: "Hello."} // it asks for a title, say
}

// serveProviders is a server on loopback that speaks as the providers of models do:
// Anthropic's Messages, OpenAI's Responses and Chat Completions, Gemini's
// generateContent. It has an agent take a step by one call of a tool.
func serveProviders(t *testing.T) string {
	t.Helper()
	var calls atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		p := provider{w: w, url: r.URL.Path, body: string(raw), id: fmt.Sprintf("call_%d", calls.Add(1))}
		p.step = stepOf(p.body)
		p.acts = p.step.file != "" && !strings.Contains(p.body, p.step.file)
		switch path := p.url; {
		case strings.HasSuffix(path, "/messages"):
			p.messages()
		case strings.HasSuffix(path, "/responses"):
			p.responses()
		case strings.HasSuffix(path, "/chat/completions"):
			p.chat()
		case strings.HasSuffix(path, "enerateContent"):
			p.gemini()
		default:
			p.send(object{"object": "list", "data": list{}})
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// provider answers one request.
type provider struct {
	w    http.ResponseWriter
	url  string // its path
	body string
	id   string // of a call of a tool: agents forget those that come twice
	step scriptedStep
	acts bool // the step has not been taken in this conversation
}

func (p provider) has(text string) bool { return strings.Contains(p.body, text) }

// path is the step's file, from the root if the prompt says where the agent works:
// some tools want that.
func (p provider) path() string {
	if m := regexp.MustCompile(`[Ww]orking directory: ([^\\\s"]+)`).FindStringSubmatch(p.body); m != nil {
		return m[1] + "/" + p.step.file
	}
	return p.step.file
}

// shell is the step as a shell command.
func (p provider) shell() string {
	return fmt.Sprintf("printf '%%s' '%s' > %s", p.step.content, p.step.file)
}

func encoded(v any) string {
	text, _ := json.Marshal(v) // all are plain values
	return string(text)
}

func (p provider) send(v any) {
	p.w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(p.w, encoded(v))
}

// event sends one event of a stream.
func (p provider) event(name string, v any) {
	p.w.Header().Set("Content-Type", "text/event-stream")
	if name != "" {
		_, _ = fmt.Fprintf(p.w, "event: %s\n", name)
	}
	_, _ = fmt.Fprintf(p.w, "data: %s\n\n", encoded(v))
}

func (p provider) messages() {
	block, delta, stop := object{"type": "text", "text": ""}, object{"type": "text_delta", "text": p.step.words}, "end_turn"
	if p.acts {
		block = object{"type": "tool_use", "id": p.id, "name": "Write", "input": object{}}
		delta = object{"type": "input_json_delta", "partial_json": encoded(object{"file_path": p.path(), "content": p.step.content})}
		stop = "tool_use"
	}
	usage := object{"input_tokens": 100, "output_tokens": 20}
	for _, e := range []object{
		{"type": "message_start", "message": object{"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": list{}, "stop_reason": nil, "usage": usage}},
		{"type": "content_block_start", "index": 0, "content_block": block},
		{"type": "content_block_delta", "index": 0, "delta": delta},
		{"type": "content_block_stop", "index": 0},
		{"type": "message_delta", "delta": object{"stop_reason": stop, "stop_sequence": nil}, "usage": usage},
		{"type": "message_stop"},
	} {
		name, _ := e["type"].(string)
		p.event(name, e)
	}
}

func (p provider) responses() {
	item := object{"type": "message", "id": "i1", "role": "assistant", "status": "completed", "content": list{object{"type": "output_text", "text": p.step.words, "annotations": list{}}}}
	if p.acts {
		item = object{"type": "function_call", "id": "i1", "call_id": p.id, "name": "exec_command", "arguments": encoded(object{"cmd": p.shell()})}
	}
	usage := object{"input_tokens": 100, "output_tokens": 20, "total_tokens": 120}
	p.event("response.created", object{"type": "response.created", "response": object{"id": "r1"}})
	p.event("response.output_item.done", object{"type": "response.output_item.done", "output_index": 0, "item": item})
	p.event("response.completed", object{"type": "response.completed", "response": object{"id": "r1", "status": "completed", "output": list{item}, "usage": usage}})
}

func (p provider) chat() {
	message, reason := object{"role": "assistant", "content": p.step.words}, "stop"
	switch {
	case !p.acts:
	case p.has(`"name":"create"`): // Copilot's
		message, reason = p.call("create", object{"path": p.path(), "file_text": p.step.content}), "tool_calls"
	case p.has(`"name":"write"`): // opencode's
		message, reason = p.call("write", object{"filePath": p.path(), "content": p.step.content}), "tool_calls"
	case !p.has(`"tools"`): // aider reads what it is to write in the text
		message["content"] = fmt.Sprintf("%s\n```\n%s```\n\n%s", p.step.file, p.step.content, p.step.words)
	}
	usage := object{"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
	whole := object{"id": "x", "created": 1, "model": "m", "usage": usage}
	if !regexp.MustCompile(`"stream": ?true`).MatchString(p.body) {
		whole["object"], whole["choices"] = "chat.completion", list{object{"index": 0, "message": message, "finish_reason": reason}}
		p.send(whole)
		return
	}
	whole["object"], whole["choices"] = "chat.completion.chunk", list{object{"index": 0, "delta": message, "finish_reason": reason}}
	p.event("", whole)
	_, _ = io.WriteString(p.w, "data: [DONE]\n\n")
}

func (p provider) call(name string, arguments object) object {
	return object{"role": "assistant", "tool_calls": list{object{
		"index": 0, "id": p.id, "type": "function", "function": object{"name": name, "arguments": encoded(arguments)},
	}}}
}

func (p provider) gemini() {
	part := object{"text": p.step.words}
	if p.acts {
		part = object{"functionCall": object{"name": "write_file", "args": object{"file_path": p.path(), "content": p.step.content}}}
	}
	answer := object{
		"candidates":    list{object{"content": object{"role": "model", "parts": list{part}}, "finishReason": "STOP", "index": 0}},
		"usageMetadata": object{"promptTokenCount": 100, "candidatesTokenCount": 20, "totalTokenCount": 120}, "modelVersion": "m",
	}
	if strings.Contains(p.url, ":stream") {
		p.event("", answer)
		return
	}
	p.send(answer)
}
