// Package llmtest is a real OpenAI-compatible server on loopback with scripted
// answers, for tests and benchmarks of code that asks models.
//
// A request gets the next script:
//
//	test(calculator): sum two numbers     the commit's header, or "done"
//	criterion 3 part                      optional; or whole, or neither
//	dispute WHY                           in place of all else
//	=== calculator_test.go                a file's whole content follows
//	=== delete old.go
//	=== append calculator_test.go         what follows is added to the file
//	=== replace calculator.go             the old text follows, a line "--- by",
//	                                      and the new text
//
// A script that begins with "raw" is sent unchanged, from its second line on.
//
// # Example
//
//	server := llmtest.Serve(func(label string) (string, bool) { return scripts[label], true })
//	defer server.Close()
//	os.Setenv("GIT_TDD_LLM_BASE_URL", server.URL+"/v1")
package llmtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/git-tdd/git-tdd/agents"
)

// Script chooses the script for a request, by the label in the heading of its
// task; ok is false if there is none.
type Script func(label string) (text string, ok bool)

// Serve starts a server with scripted answers. The caller closes it.
func Serve(script Script) *httptest.Server { return httptest.NewServer(Handler(script)) }

// Handler answers with scripts.
func Handler(script Script) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			_, _ = fmt.Fprint(w, `{"object":"list","data":[]}`)
			return
		}
		var req struct {
			Messages []struct{ Content string }
		}
		if err := json.NewDecoder(r.Body).Decode(&req); err != nil || len(req.Messages) == 0 {
			http.Error(w, `{"error":{"message":"bad request"}}`, http.StatusBadRequest)
			return
		}
		text, ok := script(labelOf(req.Messages[len(req.Messages)-1].Content))
		if !ok {
			http.Error(w, `{"error":{"message":"the script has no more answers"}}`, http.StatusNotFound)
			return
		}
		reply(w, EditPlan(text))
	})
}

func labelOf(message string) string {
	_, label, _ := strings.Cut(message[max(0, strings.LastIndex(message, "# Your task (")):], "(")
	label, _, _ = strings.Cut(label, ")\n")
	return label
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

// EditPlan writes a script as the JSON that a model would send.
func EditPlan(script string) string {
	if raw, ok := strings.CutPrefix(script, "raw\n"); ok {
		return raw
	}
	head, files, _ := strings.Cut("\n"+script, "\n=== ")
	p := agents.EditPlan{Edits: []agents.Edit{}}
	for line := range strings.Lines(head) {
		read(&p, strings.TrimSpace(line))
	}
	for block := range strings.SplitSeq(files, "\n=== ") {
		if block != "" {
			p.Edits = append(p.Edits, editOf(block))
		}
	}
	data, err := json.Marshal(p)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

func read(p *agents.EditPlan, line string) {
	if n, _ := fmt.Sscanf(line, "criterion %d %s", &p.Criterion, &p.Covered); n > 0 {
		return
	}
	if why, ok := strings.CutPrefix(line, "dispute "); ok {
		p.Dispute = why
		return
	}
	if line == "done" {
		p.Done, p.Notes = true, "scripted"
		return
	}
	if kind, summary, ok := strings.Cut(line, ": "); ok {
		typ, scope, _ := strings.Cut(strings.TrimSuffix(kind, ")"), "(")
		p.Commit = &agents.CommitPart{Type: typ, Scope: scope, Summary: summary, Rationale: []string{"as the script says"}}
	}
}

// editOf reads "path\ncontent", "delete path" and the like.
func editOf(block string) agents.Edit {
	name, content, _ := strings.Cut(block, "\n")
	if content != "" && !strings.HasSuffix(content, "\n") {
		content += "\n"
	}
	action, path, ok := strings.Cut(name, " ")
	if !ok {
		return agents.Edit{Path: name, Action: agents.Upsert, Content: content}
	}
	e := agents.Edit{Path: path, Action: agents.Action(action), Content: content}
	if e.Action == agents.Replace {
		e.Old, e.Content, _ = strings.Cut(content, "--- by\n")
	}
	return e
}
