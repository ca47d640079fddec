package presets_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/agents/presets"
)

// TestPresets holds what every preset must have: what it writes calls git-tdd by
// the agent's name, and what it answers is JSON that carries the reason.
func TestPresets(t *testing.T) {
	t.Parallel()
	all, err := presets.All()
	if err != nil || len(all) < 7 {
		t.Fatalf("%d presets: %v", len(all), err)
	}
	for _, p := range all {
		if p.Title == "" || p.Program == "" || p.Folder == "" || len(p.Files) == 0 {
			t.Errorf("%s lacks something: %+v", p.Name, p)
		}
		if len(p.Run.Cmd) == 0 || p.Run.Prompt == "" {
			t.Errorf("%s cannot take a step: %+v", p.Name, p.Run)
		}
		for _, f := range p.Files {
			checkFile(t, p, f)
		}
		if p.Answers.Deny == nil {
			continue // it has no hooks
		}
		for _, form := range []map[string]any{p.Answers.Deny, p.Answers.Again} {
			out := presets.Render(form, `say "no"`)
			if !json.Valid(out) || !strings.Contains(string(out), `say \"no\"`) {
				t.Errorf("%s: %s", p.Name, out)
			}
		}
	}
}

// TestTheSkillFitsOneScreen: an agent reads it before each piece of work, and what
// is longer is skimmed.
func TestTheSkillFitsOneScreen(t *testing.T) {
	t.Parallel()
	text, err := presets.Content("skill.md")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) > 45 {
		t.Errorf("the skill has %d lines, not 45", len(lines))
	}
	for n, line := range lines {
		if len([]rune(line)) > 84 && n > 3 {
			t.Errorf("line %d has %d characters", n+1, len([]rune(line)))
		}
	}
}

func checkFile(t *testing.T, p presets.Preset, f presets.Placed) {
	t.Helper()
	forms := []bool{f.JSON != nil, f.Block != nil, f.Text != ""}
	if len(slices.DeleteFunc(forms, func(set bool) bool { return !set })) != 1 {
		t.Errorf("%s: %s is not of one form", p.Name, f.Path)
	}
	if f.JSON != nil {
		text, err := json.Marshal(f.JSON)
		if err != nil || !strings.Contains(string(text), presets.Mark+p.Name) {
			t.Errorf("%s: %s does not call git-tdd: %s %v", p.Name, f.Path, text, err)
		}
	}
	if f.Text != "" {
		if _, err := presets.Content(f.Text); err != nil {
			t.Error(err)
		}
	}
}

// TestUnknownAgent wants the known ones named.
func TestUnknownAgent(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"claud", "", "../data/claude", "skill"} {
		if _, err := presets.ByName(name); err == nil || !strings.Contains(err.Error(), "claude, codex") {
			t.Errorf("%q: %v", name, err)
		}
	}
}
