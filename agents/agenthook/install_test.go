package agenthook_test

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/agents/agenthook"
	"github.com/git-tdd/git-tdd/agents/presets"
	"github.com/git-tdd/git-tdd/internal/gittest"
)

// TestInstall: a second time changes nothing, and uninstalling gives back what
// was there, byte for byte.
func TestInstall(t *testing.T) {
	t.Parallel()
	all, err := presets.All()
	gittest.Check(t, err)
	for name, was := range map[string]gittest.Files{
		"nothing": {},
		"settings": {
			".claude/settings.json": "{\n    \"model\": \"x\",\n    \"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"mine\"}]}]}\n}\n",
			".gemini/settings.json": `{"theme":"dark"}`,
			".aider.conf.yml":       "model: gpt-4\n",
			"AGENTS.md":             "# Agents\n\nBe nice.\n",
		},
		"lines of Windows": {
			".claude/settings.json": "{\r\n  \"hooks\": {\r\n    \"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"mine\"}]}]\r\n  }\r\n}\r\n",
			".aider.conf.yml":       "model: gpt-4\r\n",
			"AGENTS.md":             "# Agents\r\n\r\nBe nice.\r\n",
		},
	} {
		site := agenthook.Site{Top: t.TempDir()}
		was.Write(t, site.Top)
		for n := range 2 {
			changes, err := site.Install(all)
			gittest.Check(t, err)
			for _, c := range changes {
				if c.Does() != (n == 0) || c.Remedy != "" {
					t.Errorf("%s, time %d: %s: %q", name, n, c.Path, c.Remedy)
				}
			}
			gittest.Check(t, site.Apply(changes))
		}
		expect(t, site, all, agenthook.Installed)
		for path, text := range gittest.Snapshot(t, site.Top) {
			if crlf := strings.Count(text, "\r\n"); crlf > 0 && crlf != strings.Count(text, "\n") {
				t.Errorf("%s: its lines end in two ways:\n%q", path, text)
			}
		}
		changes, err := site.Uninstall(all, nil)
		gittest.Check(t, err)
		gittest.Check(t, site.Apply(changes))
		expect(t, site, all, agenthook.Absent)
		if got := gittest.Snapshot(t, site.Top); !maps.Equal(got, was) {
			t.Errorf("%s: not as before: %q", name, got)
		}
	}
}

func expect(t *testing.T, site agenthook.Site, all []presets.Preset, want agenthook.State) {
	t.Helper()
	for _, p := range all {
		if a, err := site.Look(p); err != nil || a.State != want {
			t.Errorf("%s is %s, want %s: %v", p.Name, a.State, want, err)
		}
	}
}

// TestStrangersFilesStay leaves alone what is not ours to change, and says what
// to do by hand.
func TestStrangersFilesStay(t *testing.T) {
	t.Parallel()
	all, err := presets.All()
	gittest.Check(t, err)
	was := gittest.Files{
		".claude/settings.json":           "{\"hooks\": {}} {}\n",
		".claude/skills/git-tdd/SKILL.md": "mine\n",
		".codex/hooks.json":               `{"hooks": []}`,
		".aider.conf.yml":                 "git-commit-verify: false\n",
		".cursor/hooks.json":              `[]`,
		".opencode/plugins/git-tdd.js":    "mine\n",
		".github/hooks/git-tdd.json":      "oops",
		".gemini/settings.json":           `{"hooks": {"BeforeTool": {}}}`,
		"elsewhere.md":                    "x\n",
		".agents/skills/git-tdd/SKILL.md": "mine\n",
	}
	site := agenthook.Site{Top: t.TempDir()}
	was.Write(t, site.Top)
	gittest.Check(t, os.Symlink("elsewhere.md", filepath.Join(site.Top, "AGENTS.md")))
	before := gittest.Snapshot(t, site.Top)
	changes, err := site.Install(all)
	gittest.Check(t, err)
	for _, c := range changes {
		if c.Remedy == "" {
			t.Errorf("%s would change", c.Path)
		}
	}
	gittest.Check(t, site.Apply(changes))
	gone, err := site.Uninstall(all, nil)
	gittest.Check(t, err)
	gittest.Check(t, site.Apply(gone))
	if got := gittest.Snapshot(t, site.Top); !maps.Equal(got, before) {
		t.Errorf("something changed: %q", got)
	}
}

// TestSharedFilesStayWithTheRest takes out one agent of two.
func TestSharedFilesStayWithTheRest(t *testing.T) {
	t.Parallel()
	claude, err := presets.ByName("claude")
	gittest.Check(t, err)
	codex, err := presets.ByName("codex")
	gittest.Check(t, err)
	site := agenthook.Site{Top: t.TempDir()}
	changes, err := site.Install([]presets.Preset{claude, codex})
	gittest.Check(t, err)
	gittest.Check(t, site.Apply(changes))
	changes, err = site.Uninstall([]presets.Preset{claude}, []presets.Preset{codex})
	gittest.Check(t, err)
	gittest.Check(t, site.Apply(changes))
	got := gittest.Snapshot(t, site.Top)
	if _, err := os.Stat(filepath.Join(site.Top, ".claude")); err == nil || got["AGENTS.md"] == "" || got[".codex/hooks.json"] == "" {
		t.Errorf("left: %v", got)
	}
}
