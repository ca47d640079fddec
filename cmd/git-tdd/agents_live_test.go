package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// live is how a program of a coding agent is led to a model on loopback.
type live struct {
	program, agent string        // as the roles name it
	env            []string      // $URL is the server's
	home           gittest.Files // likewise
}

// talking is an agent that is talked with by the Agent Client Protocol.
func (l live) talking(command string) live {
	var names []string
	for _, kv := range l.env {
		name, _, _ := strings.Cut(kv, "=")
		names = append(names, name)
	}
	l.agent = "{cmd: [" + l.program + ", " + command + "], prompt: acp, timeout: 5m, env: [" + strings.Join(names, ", ") + "], write: [~/.gemini, ~/.config, ~/.local, ~/.copilot]}"
	return l
}

func liveAgents() map[string]live {
	gemini := live{ // by --acp it makes no new file: it takes the answer that there is none for a failure
		program: "gemini", agent: "gemini",
		env:  []string{"GEMINI_API_KEY=k", "GEMINI_MODEL=gemini-2.5-flash", "GOOGLE_GEMINI_BASE_URL=$URL"},
		home: gittest.Files{".gemini/settings.json": `{"security":{"auth":{"selectedType":"gemini-api-key"}}}`},
	}
	opencode := live{program: "opencode", agent: "opencode", home: gittest.Files{
		".config/opencode/opencode.json": `{"model":"local/m","small_model":"local/m","autoupdate":false,"share":"disabled","provider":{
"local":{"npm":"@ai-sdk/openai-compatible","name":"local","options":{"baseURL":"$URL/v1","apiKey":"k"},"models":{"m":{"name":"m"}}}}}`,
	}}
	copilot := live{program: "copilot", agent: "copilot", env: []string{
		"COPILOT_OFFLINE=true", "COPILOT_MODEL=gpt-4.1", "COPILOT_PROVIDER_BASE_URL=$URL/v1", "COPILOT_PROVIDER_API_KEY=k",
	}}
	return map[string]live{
		"claude": {program: "claude", agent: "claude", env: []string{"ANTHROPIC_API_KEY=k", "ANTHROPIC_BASE_URL=$URL"}},
		"codex": {program: "codex", agent: "codex", env: []string{"OPENAI_API_KEY=k"}, home: gittest.Files{
			".codex/config.toml": "model = \"m\"\nmodel_provider = \"local\"\n[model_providers.local]\nname = \"local\"\nbase_url = \"$URL/v1\"\nenv_key = \"OPENAI_API_KEY\"\nwire_api = \"responses\"\n",
		}},
		"aider":        {program: "aider", agent: "aider", env: []string{"OPENAI_API_KEY=k", "OPENAI_API_BASE=$URL/v1", "AIDER_MODEL=openai/m"}},
		"gemini":       gemini,
		"opencode":     opencode,
		"opencode-acp": opencode.talking("acp"),
		"copilot":      copilot,
		"copilot-acp":  copilot.talking("--acp"),
	}
}

// TestLiveAgents has the programs themselves take steps, those that are on the PATH,
// within walls, with a model on loopback: a cycle whose first attempt is refused.
func TestLiveAgents(t *testing.T) {
	t.Parallel()
	if os.Getenv("TDD_AGENTS") != "live" {
		t.Skip("TDD_AGENTS=live starts the coding agents that are installed, which takes minutes")
	}
	for name, l := range liveAgents() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(l.program); err != nil {
				t.Skip(l.program + " is not installed")
			}
			liveCycle(t, l)
		})
	}
}

func liveCycle(t *testing.T, l live) {
	t.Helper()
	url, home := serveProviders(t), t.TempDir()
	files := gittest.Files{}
	for name, text := range l.home {
		files[name] = strings.ReplaceAll(text, "$URL", url)
	}
	files.Write(t, home)
	r := gittest.New(t)
	role := "{agent: " + l.agent + "}\n"
	r.Write(".tdd.yaml", "language: generic\nci: {test_cmd: [sh, tests/all.sh]}\nroles:\n  tester: "+role+"  implementor: "+role+"  refactorer: "+role)
	r.Write("tests/all.sh", "for f in src/*.sh tests/*_test.sh; do . ./$f; done\n")
	r.Write("tests/zero_test.sh", "[ \"$(add 0 0)\" = 0 ] || exit 1\n")
	r.Write("src/add.sh", "add() { echo 0; }\n")
	r.Commit("chore: start")
	env := append(gittest.Environ(gittest.XDG(home)...), "HOME="+home, "PATH="+os.Getenv("PATH"))
	for _, kv := range l.env {
		env = append(env, strings.ReplaceAll(kv, "$URL", url))
	}
	for _, args := range []string{"trust", "run --steps 3", "verify HEAD~3.."} {
		cmd := exec.CommandContext(t.Context(), "git-tdd", strings.Fields(args)...)
		cmd.Dir, cmd.Env = r.Dir, env
		out, err := cmd.CombinedOutput()
		t.Logf("git tdd %s\n%s", args, out)
		gittest.Check(t, err)
	}
	log := r.Git("log", "-3", "--format=%s %(trailers:key=Tdd-Attempts,separator=,)")
	want := "refactor: say what add does Tdd-Attempts: 1\nfeat: sum two numbers Tdd-Attempts: 1\ntest: sum Tdd-Attempts: 2"
	if log != want {
		t.Errorf("%s\nwant\n%s", log, want)
	}
	if left, _ := filepath.Glob(filepath.Join(home, ".cache", "git-tdd", "agents", "*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
