package agenthook

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/tailscale/hujson"
)

func wanted() map[string]any {
	entry := map[string]any{"matcher": "Edit", "hooks": []any{map[string]any{"type": "command", "command": "git tdd agent-hook claude"}}}
	return map[string]any{"hooks": map[string]any{"PreToolUse": []any{entry}, "Stop": []any{entry}}, "version": 1}
}

// TestJSONIsEditedAsText holds that what is there keeps every byte, that a second
// time changes nothing, and that taking ours out gives the first text back.
func TestJSONIsEditedAsText(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"model":"x", "version": 1}`,
		"{\n\t\"b\": [1, 2,\t3],\n\t\"version\": 2,\n\t\"a\": {\"z\": null}\n}\n",
		`{"version": 1, "hooks": {"Stop": [ {"hooks": [{"command": "mine"}]} ]}}`,
		`{"version": 1, "hooks": {"PreToolUse": [{"matcher": "Edit"}], "Other": []}}` + "\n",
		`{"version": 1, "permissions": {"allow": ["Bash(git tdd agent-hook claude)"]}}`,
		"{\n  // no telemetry\n  \"version\": 1, /* ours */\n  \"hooks\": {\"Stop\": [1,],}, // until 2\n}\n",
	} {
		merged, err := mergeJSON([]byte(text), wanted())
		if err != nil {
			t.Fatal(err)
		}
		if plain, err := hujson.Standardize(slices.Clone(merged)); err != nil || !json.Valid(plain) || strings.Count(string(merged), "tdd agent-hook") < 2 {
			t.Errorf("%s\nbecame\n%s", text, merged)
		}
		again, err := mergeJSON(merged, wanted())
		if err != nil || string(again) != string(merged) {
			t.Errorf("not idempotent: %v\n%s\nthen\n%s", err, merged, again)
		}
		back, err := withoutOurs(merged)
		if err != nil || string(back) != text {
			t.Errorf("%v: not back again:\n%s\nbut\n%s", err, text, back)
		}
	}
}

// TestOthersStay takes ours out of an entry that somebody else uses too.
func TestOthersStay(t *testing.T) {
	t.Parallel()
	text := `{"hooks": {"Stop": [{"hooks": [{"command": "git tdd agent-hook claude"}, {"command": "mine"}]}]}}`
	back, err := withoutOurs([]byte(text))
	if want := `{"hooks": {"Stop": [{"hooks": [{"command": "mine"}]}]}}`; err != nil || string(back) != want {
		t.Errorf("%v: %s", err, back)
	}
}

// TestSettingsOfAnotherShapeAreRefused wants an error and never a guess.
func TestSettingsOfAnotherShapeAreRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{``, `[]`, `{"hooks": []}`, `{"hooks": {"Stop": "x"}}`, `{} {}`, `{"a" 1}`} {
		if got, err := mergeJSON([]byte(text), wanted()); err == nil {
			t.Errorf("%q became %s", text, got)
		}
	}
}

// FuzzJSONText holds the law for any settings.
func FuzzJSONText(f *testing.F) {
	f.Add(`{"hooks": {"Stop": [1, {"a": []}]}, "x": "}"}`)
	f.Fuzz(func(t *testing.T, text string) {
		merged, err := mergeJSON([]byte(text), wanted())
		if err != nil {
			return
		}
		if _, err := hujson.Parse(slices.Clone(merged)); err != nil || json.Valid([]byte(text)) && !json.Valid(merged) {
			t.Fatalf("%q became %q: %v", text, merged, err)
		}
		again, err := mergeJSON(merged, wanted())
		if err != nil || string(again) != string(merged) {
			t.Fatalf("not idempotent: %q, %q: %v", merged, again, err)
		}
		back, err := withoutOurs(merged)
		if err != nil || json.Valid([]byte(text)) && !json.Valid(back) || strings.Contains(string(back), `"command": "git tdd agent-hook claude"`) {
			t.Fatalf("%q: taken out of %q: %q", err, merged, back)
		}
	})
}
