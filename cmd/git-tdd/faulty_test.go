package main

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/git-tdd/git-tdd/llm/llmtest"
)

// faulty is a model that answers each request with the next script. One that begins with "!" is
// a fault: !status CODE, !cut, !slow, !huge, !empty.
type faulty struct {
	mu      sync.Mutex
	scripts []string
}

func (f *faulty) next() (text string, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.scripts) == 0 {
		return "", false
	}
	text, f.scripts = f.scripts[0], f.scripts[1:]
	return text, true
}

func (f *faulty) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text, ok := "", true
	if r.Method != http.MethodGet {
		text, ok = f.next()
	}
	switch word, rest, _ := strings.Cut(strings.TrimSpace(text), " "); word {
	case "!status":
		w.Header().Set("Retry-After", "0")
		code, err := strconv.Atoi(rest)
		if err != nil {
			code = http.StatusTeapot
		}
		http.Error(w, `{"error":{"message":"scripted"}}`, code)
	case "!cut":
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", "100000")
		_, _ = fmt.Fprint(w, `{"choices":[{"message":{"content":"{\"edits\"`)
	case "!slow":
		_, _ = io.Copy(io.Discard, r.Body) // only then it shows that the client is gone
		select {
		case <-r.Context().Done():
		case <-time.After(time.Minute):
		}
	case "!huge":
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprint(w, `{"choices":[{"message":{"content":"`)
		block := strings.Repeat("x", 1<<20)
		for range 50 {
			if _, err := fmt.Fprint(w, block); err != nil {
				return
			}
		}
		_, _ = fmt.Fprint(w, `"},"finish_reason":"stop"}]}`)
	default:
		if word == "!empty" {
			text = "raw\n"
		}
		llmtest.Handler(func(string) (string, bool) { return text, ok }).ServeHTTP(w, r)
	}
}
