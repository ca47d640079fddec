package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/agents/presets"
	"github.com/git-tdd/git-tdd/internal/gittest"
)

// dodgeWay is a way around the rules, as two shell commands: what an agent does, which
// is what its hook is asked about, and how that is committed.
type dodgeWay struct{ name, act, commit string }

// dodgeWays are ways that begin on red.
func dodgeWays() []dodgeWay {
	const (
		forged = "\n\nTdd-Step: 2\nTdd-Role: implementor\nTdd-Cycle: 1\nTdd-Phase: green\nTdd-Tests: 2 passed, 0 failed"
		weaken = "sed -i 's/!= 3/!= 0/' calc_test.go"
		solve  = "sed -i s/0/a+b/ calc.go"
		green  = "git commit --no-verify -qam 'feat: sum'"
		chore  = "git add -A; git commit --no-verify -qm 'chore: x'; git commit --no-verify --allow-empty -qm 'feat: sum'"
	)
	return []dodgeWay{
		{"a test taken away by `cp`", "cp zero.txt calc_test.go", green},
		{"a test weakened by `sed -i`", weaken, green},
		{"… with git's hooks in place", weaken, "git commit -qam 'feat: sum'"},
		{"trailers written by hand", "git commit -q --allow-empty -m 'feat: sum" + forged + "'", ""},
		{"`--no-verify`", "git commit --no-verify --allow-empty -qm 'feat: sum" + forged + "'", ""},
		{"`--no-verify` in an alias", "git config alias.done 'commit --no-verify'", "git done --allow-empty -qm 'feat: sum'"},
		{"… in an alias of one command", "git -c alias.ci='commit -n' ci --allow-empty -qm 'feat: sum'", ""},
		{"… printed by another command", "git commit $(echo --no-verify) --allow-empty -qm 'feat: sum'", ""},
		{"… from outside", "cd .. && git -C work commit -n --allow-empty -qm 'feat: sum'", ""},
		{"`--config-env`", "HOOKS=/dev/null git --config-env=core.hooksPath=HOOKS commit --allow-empty -qm 'feat: sum'", ""},
		{"`--no-verify` in another language", `python3 -c 'import subprocess; subprocess.run(["git","commit","-n","--allow-empty","-qm","feat: sum"])'`, ""},
		{"amending", weaken + "; git commit --amend -qa --no-edit", "git commit --amend --no-verify -qa --no-edit"},
		{"stashing and restoring", solve + "; git stash -q; git rm -q calc_test.go", green + "; git stash pop -q; git commit --no-verify -qam 'refactor: x'"},
		{"skipping", "sed -i 's/if Add(1/t.Skip(); if Add(1/' calc_test.go", green},
		{"a build tag", "sed -i '1i //go:build never\\n' calc_test.go", chore},
		{"a fixture that exits", "cp main.txt main_test.go", "git add .; " + green},
		{"a link in the test's place", "ln -sf zero.txt calc_test.go", "git add -A; " + green},
		{"settings of git-tdd", "sed -i 's/language: go/language: generic/' .tdd.yaml; echo 'ci: {test_cmd: [\"true\"]}' >> .tdd.yaml", chore},
		{"no settings at all", "git rm -q .tdd.yaml", "git commit --no-verify -qm 'chore: x'; " + weaken + "; " + green},
		{"settings of the agent", "mkdir -p .claude; echo '{\"disableAllHooks\":true}' > .claude/settings.local.json", "git add -A; " + weaken + "; " + green},
		{"hooks removed", "rm -rf .git/hooks", "git commit --allow-empty -qm 'feat: sum'"},
		{"a hook edited", "printf '#!/bin/sh\\nexit 0\\n' > .git/hooks/commit-msg", "git commit --no-verify --allow-empty -qm 'feat: sum'"},
		{"a hook switched off", "git config hook.git-tdd-commit-msg.enabled false", "git commit --no-verify --allow-empty -qm 'feat: sum'"},
		{"`core.hooksPath`", "git -c core.hooksPath=/dev/null commit --allow-empty -qm 'feat: sum'", green},
		{"`GIT_TDD=off`", "GIT_TDD=off git commit --allow-empty -qm 'feat: sum'", ""},
		{"a new branch", "git checkout -q -B other base", solve + "; " + green + "; git branch -f try; git checkout -q try"},
		{"a merge", "git checkout -q -B other base; sed -i 's/!= 0/!= 5/' calc_test.go", "git commit --no-verify -qam 'chore: x'; git checkout -q try; git merge -q --no-verify -X theirs -m 'merge: other' other"},
		{"commits of a clone", "git clone -q . ../clone; cd ../clone; " + weaken, "git -c user.name=x -c user.email=x@y commit -qam 'feat: sum'; cd ../work; git checkout -q -f .; git pull -q ../clone"},
		{"plumbing", "git update-ref HEAD $(git commit-tree HEAD^{tree} -p HEAD -m 'feat: sum" + forged + "')", ""},
		{"an object replaced", "git replace HEAD $(git commit-tree base^{tree} -p base -m 'test: sum')", "git commit --no-verify --allow-empty -qm 'feat: sum" + forged + "'"},
		{"a history cut off", "git rev-parse HEAD > .git/shallow", weaken + "; " + green},
		{"facts written by hand", "find .git/tdd/facts -type f -exec sed -i s/failed/passed/g {} +", "git commit --no-verify --allow-empty -qm 'feat: sum'"},
		{"the toolchain's settings", "go env -w GOFLAGS=-run=Zero", "git commit --no-verify --allow-empty -qm 'feat: sum'"},
		{"a file that only looks like a test's", "printf 'package calc\\n\\nfunc init() { one = 1 }\\n\\nvar one int\\n' > calc_helper_test.go", "git add -A; " + green},
		{"an empty green, then a revert", "git commit --allow-empty -qm 'docs: x'", "git revert -n HEAD; git commit --no-verify --allow-empty -qm 'feat: sum'"},
	}
}

// TestDodges tries each way in the form of each agent, and then goes it. What the hooks
// of agents see is a courtesy; no way may end in a history that verifies. The table in
// docs/agents.md is what came out: DODGES_UPDATE=1 writes it.
func TestDodges(t *testing.T) {
	t.Parallel()
	l := newDodgeLab(t)
	if out, err := l.run("sed -i s/0/a+b/ calc.go; git commit -qam 'feat: sum' && git tdd verify base.."); err != nil {
		t.Fatalf("the honest way: %v\n%s", err, out)
	}
	all, err := presets.All()
	gittest.Check(t, err)
	var hooked []presets.Preset
	for _, p := range all {
		if p.Answers.Deny != nil {
			hooked = append(hooked, p)
		}
	}
	table := "| way | agents' hooks | git's hooks | `verify` |\n|---|---|---|---|\n"
	for _, way := range dodgeWays() {
		l.reset()
		table += "| " + way.name + " |"
		var answers []string
		for _, p := range hooked {
			answers = append(answers, l.asks(p, way.act))
		}
		if same := slices.Compact(slices.Clone(answers)); len(same) == 1 {
			answers = same
		}
		table += " " + strings.Join(answers, ", ") + " |"
		_, _ = l.run(way.act + "\n" + way.commit)
		came := " refused |"
		if strings.TrimSpace(l.output("git rev-parse HEAD")) != l.red {
			came = " a commit |"
		}
		l.output("git commit -q --allow-empty --no-verify -m 'docs: end'")
		out, verdict := l.verify()
		if (verdict == "holds") != (came == " refused |") {
			t.Errorf("%s: a commit came about or not:%s; and the history %s\n%s", way.name, came, verdict, out)
		}
		table += came + " " + verdict + " |\n"
	}
	gittest.Check(t, compareTable(table))
}

// compareTable holds a table against the one in docs/agents.md, or writes it there.
func compareTable(table string) error {
	const begin, end = "<!-- dodges: begin -->\n", "<!-- dodges: end -->"
	file := filepath.Join("..", "..", "docs", "agents.md")
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	before, rest, _ := strings.Cut(string(text), begin)
	had, after, ok := strings.Cut(rest, end)
	switch {
	case !ok:
		return fmt.Errorf("%s has no place for the table of dodges", file)
	case had == table:
		return nil
	case os.Getenv("DODGES_UPDATE") == "":
		return fmt.Errorf("%s is stale: DODGES_UPDATE=1 go test -run TestDodges ./cmd/git-tdd\n%s", file, table)
	}
	return os.WriteFile(file, []byte(before+begin+table+end+after), 0o644)
}

// dodgeLab is a project on red with git's hooks.
type dodgeLab struct {
	*gittest.Repo
	env []string
	red string
}

func newDodgeLab(t *testing.T) *dodgeLab {
	t.Helper()
	r := gittest.New(t)
	test := func(name, want string) string {
		return "\nfunc Test" + name + "(t *testing.T) {\n\tif Add(" + want + " {\n\t\tt.Error(\"" + name + "\")\n\t}\n}\n"
	}
	const head = "package calc\n\nimport \"testing\"\n"
	zero := head + test("Zero", "0, 0) != 0")
	r.Write(".tdd.yaml", "language: go\ngates: {evidence: off}\n")
	r.Write("go.mod", "module example.org/calc\n\ngo 1.21\n")
	r.Write("calc.go", "package calc\n\nfunc Add(a, b int) int { return 0 }\n")
	r.Write("calc_test.go", zero)
	r.Write("zero.txt", zero)
	r.Write("main.txt", "package calc\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestMain(m *testing.M) { os.Exit(0) }\n")
	r.Commit("chore: start")
	l := &dodgeLab{Repo: r, env: append(slices.Clone(r.Env), append(gittest.XDG(filepath.Join(r.Home, "xdg")), "GOENV="+filepath.Join(r.Home, "goenv"))...)}
	for _, do := range []string{"git tdd trust", "git tdd hooks install", "git tag base"} {
		l.output(do)
	}
	r.Write("calc_test.go", zero+test("Sum", "1, 2) != 3"))
	l.output("git commit -qam 'test: sum' && git tag red && git tdd verify base..")
	l.red = strings.TrimSpace(l.output("git rev-parse HEAD"))
	l.output("cp -r .git ../pristine")
	return l
}

// reset goes back to red, with everything that git keeps.
func (l *dodgeLab) reset() {
	l.output("rm -rf .git ../clone ../goenv && cp -r ../pristine .git && git checkout -q -f -B try red && git clean -qfdx && rm -f ../goenv")
}

func (l *dodgeLab) run(script string) (string, error) {
	cmd := exec.CommandContext(l.Context(), "sh", "-c", script)
	cmd.Dir, cmd.Env = l.Dir, l.env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// verify is what verify says, and in a word.
func (l *dodgeLab) verify() (out, verdict string) {
	out, err := l.run("git tdd verify base..")
	exit, failed := errors.AsType[*exec.ExitError](err)
	switch {
	case !failed:
		gittest.Check(l, err)
		return out, "holds"
	case exit.ExitCode() == exitRefused:
		return out, "refused"
	case strings.Contains(out, "not approved"):
		return out, "not approved"
	}
	return out, exit.String()
}

func (l *dodgeLab) output(script string) string {
	out, err := l.run(script)
	if err != nil {
		l.Fatalf("%s: %v\n%s", script, err, out)
	}
	return out
}

// asks is what the hook of an agent answers to a command.
func (l *dodgeLab) asks(p presets.Preset, command string) string {
	call, err := json.Marshal(map[string]any{"session_id": "s", "cwd": l.Dir, "tool_name": p.Tools.Shell[0], "tool_input": map[string]any{"command": command}})
	gittest.Check(l, err)
	cmd := exec.CommandContext(l.Context(), "git", "tdd", "agent-hook", p.Name)
	cmd.Dir, cmd.Env, cmd.Stdin = l.Dir, l.env, strings.NewReader(string(call))
	out, err := cmd.Output()
	gittest.Check(l, err)
	if len(out) > 0 {
		return "denied"
	}
	return "–"
}
