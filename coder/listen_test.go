package coder

import (
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/presets"
)

// TestListen reads what agents print, between whatever else they print.
func TestListen(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		agent, out string
		want       said
	}{
		{
			"claude", "warning {x}\n" + `{"type":"result","is_error":false,"result":"ok","session_id":"s","usage":{"input_tokens":7,"output_tokens":2}}`,
			said{text: "ok", session: "s", input: 7, output: 2, heard: true},
		},
		{"claude", `{"is_error":true,"result":"no"}`, said{text: "no", failed: "it says so", heard: true}},
		{
			"codex", `{"type":"thread.started","thread_id":"t"}` + "\n" + `{"item":{"text":"thinking"}}` + "\n" + `{"item":{"text":"ok"}}` + "\n" + `{"usage":{"input_tokens":7,"output_tokens":2}}`,
			said{text: "ok", session: "t", input: 7, output: 2, heard: true},
		},
		{"codex", `{"type":"turn.failed","error":{"message":"quota"}}`, said{failed: "quota"}},
		{"gemini", "Loaded.\n{\n \"response\": \"a {b} c\",\n \"stats\": {}\n}\n", said{text: "a {b} c", heard: true}},
		{"opencode", `{"type":"text","sessionID":"o","part":{"text":"ok"}}`, said{text: "ok", session: "o", heard: true}},
		{"aider", "  anything {\n", said{text: "anything {", heard: true}},
		{"claude", "{{{ not json", said{}},
		{"claude", "", said{}},
	} {
		p, err := presets.ByName(c.agent)
		if err != nil {
			t.Fatal(err)
		}
		if got := listen(p.Run.Says, []byte(c.out)); got != c.want {
			t.Errorf("%s: %q: %+v, want %+v", c.agent, c.out, got, c.want)
		}
	}
}

// TestEnding reads the last lines, however they are dressed up.
func TestEnding(t *testing.T) {
	t.Parallel()
	for words, want := range map[string]last{
		"Did it.\n\n**Commit: test(calc): sum two numbers.**\nCriterion: 3": {kind: "test", scope: "calc", summary: "sum two numbers", criterion: 3},
		"`Commit: feat: x`":             {kind: "feat", summary: "x"},
		"Nothing left to do, as all is": {nothing: true},
		"Commit: nothing yet":           {},
		"":                              {},
	} {
		if got := ending(words); got != want {
			t.Errorf("%q: %+v, want %+v", words, got, want)
		}
	}
}

// FuzzListen must end, and never make up an answer.
func FuzzListen(f *testing.F) {
	f.Add(`{"result":"x"} {"result":{"a":[{}]}} {`)
	f.Fuzz(func(t *testing.T, out string) {
		got := listen(presets.Says{Text: "result", Failed: "is_error"}, []byte(out))
		if got.heard && !strings.Contains(out, "result") && !strings.Contains(out, `\u`) {
			t.Errorf("%q: %+v", out, got)
		}
	})
}
