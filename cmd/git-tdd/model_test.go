package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// scriptedModel is a real OpenAI-compatible server on loopback whose answers
// are written down in files. A request for a plan gets a plan; a request for
// edits gets the next file:
//
//	test(calculator): sum two numbers     the commit's header, or "done"
//	criterion 3                           optional
//	=== calculator_test.go                a file's whole content follows
//	=== delete old.go
//
// A file that begins with "raw" is sent as it is, from its second line on. One
// that begins with "!" is a fault: !status CODE, !cut, !slow, !huge, !empty.
type scriptedModel struct {
	mu      sync.Mutex
	answers []string
	asked   int // requests for edits
}

func startModel(dir string) (*httptest.Server, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	m := &scriptedModel{}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		m.answers = append(m.answers, string(data))
	}
	return httptest.NewServer(m), nil
}

func (m *scriptedModel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var req struct {
		Messages []struct{ Role, Content string }
	}
	if r.Method == http.MethodGet {
		fmt.Fprint(w, `{"object":"list","data":[]}`)
		return
	}
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil || len(req.Messages) == 0 {
		http.Error(w, `{"error":{"message":"bad request"}}`, http.StatusBadRequest)
		return
	}
	label, _, _ := strings.Cut(req.Messages[len(req.Messages)-1].Content, "\n")
	if strings.Contains(label, "· plan ·") {
		reply(w, "- **What**: as the script says")
		return
	}
	m.mu.Lock()
	n := m.asked
	m.asked++
	m.mu.Unlock()
	if n >= len(m.answers) {
		http.Error(w, `{"error":{"message":"the script has no more answers"}}`, http.StatusNotFound)
		return
	}
	answer(w, r, m.answers[n])
}

// answer sends one scripted answer, or commits the scripted fault.
func answer(w http.ResponseWriter, r *http.Request, text string) {
	word, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	switch word {
	case "!status":
		w.Header().Set("Retry-After", "0")
		var code int
		fmt.Sscan(rest, &code)
		http.Error(w, `{"error":{"message":"scripted"}}`, code)
	case "!cut":
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", "100000")
		fmt.Fprint(w, `{"choices":[{"message":{"content":"{\"edits\"`)
	case "!slow":
		select {
		case <-r.Context().Done():
		case <-time.After(time.Minute):
		}
	case "!huge":
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"choices":[{"message":{"content":"`)
		block := strings.Repeat("x", 1<<20)
		for range 50 {
			if _, err := fmt.Fprint(w, block); err != nil {
				return
			}
		}
		fmt.Fprint(w, `"},"finish_reason":"stop"}]}`)
	case "!empty":
		reply(w, "")
	default:
		reply(w, editPlan(text))
	}
}

func reply(w http.ResponseWriter, content string) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{
		"id": "scripted", "object": "chat.completion", "model": "scripted",
		"choices": []any{map[string]any{
			"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": content},
		}},
		"usage": map[string]any{"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
	})
}

// editPlan writes a scripted answer as the JSON that a model would send.
func editPlan(text string) string {
	if raw, ok := strings.CutPrefix(text, "raw\n"); ok {
		return raw
	}
	head, files, _ := strings.Cut(text, "=== ")
	plan := map[string]any{"edits": []any{}, "notes": "scripted", "done": false}
	for line := range strings.Lines(head) {
		line = strings.TrimSpace(line)
		var criterion int
		if line == "done" {
			plan["done"] = true
		} else if n, err := fmt.Sscanf(line, "criterion %d", &criterion); n == 1 && err == nil {
			plan["criterion"] = criterion
		} else if kind, summary, ok := strings.Cut(line, ": "); ok {
			typ, scope, _ := strings.Cut(strings.TrimSuffix(kind, ")"), "(")
			plan["commit"] = map[string]any{
				"type": typ, "scope": scope, "summary": summary,
				"rationale": []string{"as the script says"}, "diff_summary": []any{},
			}
		}
	}
	var edits []any
	if files != "" {
		for block := range strings.SplitSeq("\n"+files, "\n=== ") {
			block = strings.TrimPrefix(block, "\n")
			if block == "" {
				continue
			}
			name, content, _ := strings.Cut(block, "\n")
			edit := map[string]any{"path": name, "action": "upsert", "content": content + "\n"}
			if strings.HasSuffix(content, "\n") || content == "" {
				edit["content"] = content
			}
			if gone, ok := strings.CutPrefix(name, "delete "); ok {
				edit = map[string]any{"path": gone, "action": "delete"}
			}
			edits = append(edits, edit)
		}
		plan["edits"] = edits
	}
	data, err := json.Marshal(plan)
	if err != nil {
		return err.Error()
	}
	return string(data)
}
