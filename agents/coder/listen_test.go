package coder

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/agents/presets"
)

// TestListen reads what agents print, between whatever else they print.
func TestListen(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		agent, out string
		want       said
	}{
		{
			"claude", "warning {x}\n" + `{"type":"result","is_error":false,"result":"ok","session_id":"s","total_cost_usd":0.25,"usage":{"input_tokens":7,"cache_creation_input_tokens":20,"cache_read_input_tokens":300,"output_tokens":2}}`,
			said{text: "ok", session: "s", input: 327, cached: 300, output: 2, heard: true},
		},
		{"claude", `{"is_error":true,"result":"no"}`, said{text: "no", failed: "it says so", heard: true}},
		{
			"codex", `{"type":"thread.started","thread_id":"t"}` + "\n" + `{"item":{"text":"thinking"}}` + "\n" + `{"item":{"text":"ok"}}` + "\n" + `{"usage":{"input_tokens":7,"output_tokens":2}}`,
			said{text: "ok", session: "t", input: 7, output: 2, heard: true},
		},
		{"codex", `{"type":"turn.failed","error":{"message":"quota"}}`, said{failed: "quota"}},
		{
			"gemini", `{"session_id":"g","response":"ok","stats":{"models":{"a":{"tokens":{"prompt":7,"candidates":2,"thoughts":1}},"b":{"tokens":{"prompt":3,"candidates":-2,"thoughts":1e300}},"c":4}}}`,
			said{text: "ok", session: "g", input: 10, output: 3, heard: true},
		},
		{"gemini", "Loaded.\n{\n \"response\": \"a {b} c\",\n \"stats\": {}\n}\n", said{text: "a {b} c", heard: true}},
		{"opencode", `{"type":"text","sessionID":"o","part":{"text":"ok"}}`, said{text: "ok", session: "o", heard: true}},
		{
			"opencode", `{"part":{"text":"ok","tokens":{"input":7,"output":2}}}` + "\n" + `{"part":{"cost":0.5,"tokens":{"input":3,"output":1,"reasoning":4,"cache":{"read":90,"write":10}}}}`,
			said{text: "ok", input: 110, cached: 90, output: 7, heard: true},
		},
		{"aider", "  anything {\n", said{text: "anything {", heard: true}},
		{"claude", "{{{ not json", said{}},
		{"claude", "", said{}},
	} {
		p, err := presets.ByName(c.agent)
		if err != nil {
			t.Fatal(err)
		}
		if got := listen(p.Run.Says, c.out); got != c.want {
			t.Errorf("%s: %q: %+v, want %+v", c.agent, c.out, got, c.want)
		}
	}
}

// TestEnding reads the last lines, however they are dressed up.
func TestEnding(t *testing.T) {
	t.Parallel()
	for words, want := range map[string]string{
		"Did it.\n\n**Commit: test(calc): sum two numbers.**\nCriterion: 3": "3 false test(calc): sum two numbers",
		"`Commit: feat: x`":             "0 false feat(): x",
		"Nothing left to do, as all is": "0 true",
		"Commit: nothing yet":           "0 false",
		"":                              "0 false",
	} {
		p, nothing := ending(words)
		got := fmt.Sprint(p.Criterion, nothing)
		if c := p.Commit; c != nil {
			got += fmt.Sprintf(" %s(%s): %s", c.Type, c.Scope, c.Summary)
		}
		if got != want {
			t.Errorf("%q: %s, want %s", words, got, want)
		}
	}
}

// FuzzListen must end, and never make up an answer.
func FuzzListen(f *testing.F) {
	f.Add(`{"result":"x"} {"result":{"a":[{}]}} {`)
	f.Fuzz(func(t *testing.T, out string) {
		got := listen(presets.Says{Text: "result", Failed: "is_error"}, out)
		if got.heard && !strings.Contains(out, "result") && !strings.Contains(out, `\u`) {
			t.Errorf("%q: %+v", out, got)
		}
	})
}

// A text of which each line begins all the rest is not read for hours.
func TestListen_nested(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("{\"a\":["+strings.Repeat("0, ", 1000)+"\n", mostOutput/3000)
	start := time.Now()
	if got := listen(presets.Says{Text: "result"}, text); got.heard {
		t.Error(got)
	}
	if took := time.Since(start); took > 30*time.Second {
		t.Error(took)
	}
	got := listen(presets.Says{Text: "result"}, strings.Repeat("{ what\n", 1000)+`{"result":"done"}`)
	if got.text != "done" {
		t.Error(got)
	}
}
