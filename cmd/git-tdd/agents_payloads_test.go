package main

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/hooks"
	"github.com/git-tdd/git-tdd/internal/gittest"
)

// payload is what a shell is to run, in a folder, and a part of why it must not.
type payload struct{ at, command, deny string }

const (
	here    = "work"
	outside = "." // no repository, which holds the others
	free    = "free"
)

// payloads are asked on red: sources may be changed, tests may not.
func payloads() []payload {
	const (
		verify = "leaves out the hooks"
		moved  = "not switched off or moved"
		unsure = "not known before it runs"
		tests  = "which the implementor leaves alone"
	)
	return []payload{
		// around git's hooks
		{here, "git commit --no-verify -m x", verify},
		{here, "git commit -nm x", verify},
		{here, "git commit -m x -n", verify},
		{here, "git commit --no-veri -m x", verify},
		{here, "git merge --no-verify topic", verify},
		{here, "git am --no-verify x.patch", verify},
		{here, "git rebase --no-verify main", verify},
		{here, "git commit $'\\x2dn' -m x", verify},
		{here, "git commit --no-{verify,edit}", verify},
		{here, "git commit '-'n -m x", verify},
		{here, "g=git; $g commit -n -m x", verify},
		{here, "opt=--no-verify; git commit $opt -m x", verify},
		{here, "for o in -n; do git commit $o -m x; done", verify},
		{here, "git commit $(echo --no-verify) -m x", unsure},
		{here, "git commit `printf -- -n` -m x", unsure},
		{here, "X=; git commit ${X:---no-verify}", verify},
		{here, "git commit $(cat options) -m x", unsure},
		{here, "git commit $OPTIONS -m x", unsure},
		{here, `git commit "$@"`, unsure},
		{here, "git commit -m $MESSAGE", unsure},
		{here, "git $COMMAND -n", unsure},
		{here, "cat options | xargs git commit -m x", unsure},
		{here, "git push $(cat options)", unsure},
		{here, "git -c alias.ci='commit -n' ci -m x", moved},
		{here, "git -c alias.ci='!git commit -n' ci -m x", moved},
		{here, "git -c alias.ci=commit ci -n -m x", moved},
		{here, "git config alias.ci 'commit --no-verify'", moved},
		{here, "git config set alias.ci 'commit --no-verify'", moved},
		{here, "git -c core.hooksPath=/x commit -m x", moved},
		{here, "git -c CORE.HOOKSPATH=/x commit -m x", moved},
		{here, "git --config-env=core.hooksPath=X commit -m x", moved},
		{here, "git --config-env core.hooksPath=X commit -m x", moved},
		{here, "git --config-env=alias.ci=X ci", moved},
		{here, "git -c include.path=/x commit -m x", moved},
		{here, "git -c $SETTING commit -m x", moved},
		{here, "git config core.hooksPath /x", moved},
		{here, "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=/x git commit -m x", moved},
		{here, "GIT_TDD=off git commit -m x", "switches the hooks off"},
		{here, "env GIT_TDD=off git commit -m x", "switches the hooks off"},
		{here, "timeout 5 git commit -n -m x", verify},
		{here, "sudo -u ada git commit -n -m x", verify},
		{here, "nice -n 5 git commit -n -m x", verify},
		{here, "sh -c 'git commit -n -m x'", verify},
		{here, "eval git commit -n", verify},
		{here, "f() { git commit -n -m x; }; f", verify},
		{here, "if true; then git commit -n -m x; fi", verify},
		{here, "(cd ../free); git commit -n -m x", verify},
		{here, "cd $SOMEWHERE; git commit -n -m x", verify},
		{here, "cd $(git rev-parse --show-toplevel) && git commit -n", verify},
		{outside, "cd work && git commit -n -m x", verify},
		{outside, "cd REPO && git commit -n -m x", verify},
		{outside, "pushd REPO; git commit -n -m x", verify},
		{outside, "D=REPO; cd $D && git commit -n -m x", verify},
		{outside, "git -C REPO commit -n -m x", verify},
		{outside, "git -C . -C work commit -n -m x", verify},
		{outside, "git --git-dir=REPO/.git --work-tree=REPO commit -n -m x", verify},
		{outside, "(cd work; git commit -n -m x)", verify},
		{free, "cd ../work && git commit -n -m x", verify},
		{free, "git -C ../work commit -n -m x", verify},
		{outside, "rm REPO/tests/all.sh", tests},
		{outside, "cd work && rm tests/all.sh", tests},
		{outside, "echo > work/.git/hooks/commit-msg", "belongs to git"},
		// around the rules
		{here, "GIT_CONFIG_GLOBAL=/tmp/x git commit -m x", moved},
		{here, "rm -rf tests", tests},
		{here, "rm tests/*.sh", tests},
		{here, "git push --force", "forced push"},
		{here, "git push origin +main", "forced push"},
		{here, "git update-ref HEAD HEAD~1", "no hook sees"},
		{here, "git tdd trust", "a person to approve"},
		{here, "chmod -x .git/hooks/*", "belongs to git"},
		{here, "rm .tdd.yaml", "protected"},
		// honest work
		{here, "git commit -qm 'feat: -n is an option'", ""},
		{here, "git commit -m \"$(cat <<'EOF'\nfeat: x\n\n--no-verify is refused\nEOF\n)\"", ""},
		{here, `git commit -m "$MESSAGE"`, ""},
		{here, `git commit -m"$MESSAGE"`, ""},
		{here, `git commit -m "feat: $SUBJECT" --trailer "Tdd-Criterion: $N"`, ""},
		{here, "git commit -m x -- $FILES", ""},
		{here, "git add $(git diff --name-only)", ""},
		{here, `git push -u origin "$(git branch --show-current)"`, ""},
		{here, `B=$(git branch --show-current); git push origin "$B"`, ""},
		{here, "git rebase $(git merge-base main HEAD)", ""},
		{here, "git -c user.name=Ada status", ""},
		{here, "git config alias.ci commit", ""},
		{here, "git log -n 3 && git push -n", ""},
		{here, "rm tests/scratch.tmp", ""},
		{here, "rm -rf tests/cache", ""},
		{here, "rm tests/*.tmp", ""},
		{here, "find . -name '*.tmp' -delete", ""},
		{here, "find tests -name '*.tmp' -exec rm {} +", ""},
		{here, "sed -i s/0/1/ src/add.sh", ""},
		{here, "cd ../free && git commit -n -m x", ""},
		{here, "git -C ../free commit -n -m x", ""},
		{here, "(cd ../free; rm -rf tests)", ""},
		{free, "git commit -n -m x", ""},
		{outside, "git -C free commit -n -m x; git -C work status", ""},
		{outside, "rm -rf /tmp/x", ""},
		{here, "echo git commit -n", ""},
		{here, "grep -rn 'git commit -n' docs; grep git commit -n", ""},
		{here, "sed -i 's/git commit -n/git commit/' src/add.sh", ""},
		{here, "apt-get install -y git", ""},
		{here, "git worktree add ../y && cd ../y && git commit -m x", ""},
		{here, "git rebase -x 'make test' main", ""},
		{here, "python3 -c 'print(1)' && python3 - <<'EOF'\nprint('git')\nEOF", ""},
		{here, "GIT_CONFIG_GLOBAL=/dev/null git status", ""},
		{here, "this is ( no shell", ""},
	}
}

// TestAgentPayloads puts each payload to the hook, every tenth of them slowly.
func TestAgentPayloads(t *testing.T) {
	t.Parallel()
	work := gittest.New(t)
	base := filepath.Dir(work.Dir)
	work.Write(".tdd.yaml", "language: generic\nci: {test_cmd: [sh, tests/all.sh]}\n")
	work.Write(".gitignore", "*.tmp\ncache/\n")
	work.Write("tests/all.sh", "exit 1\n")
	work.Write("src/add.sh", "add() { echo 0; }\n")
	work.Commit("test: one\n\nTdd-Step: 1\nTdd-Role: tester\nTdd-Cycle: 1\nTdd-Phase: red\nTdd-Red: all (exit)")
	work.Write("tests/scratch.tmp", "x")
	work.Write("tests/cache/x", "x")
	repo, err := gitx.Open(t.Context(), gitx.Options{Dir: work.Dir, Environ: work.Env})
	gittest.Check(t, err)
	_, err = hooks.Installer{Repo: repo, Binary: "/bin/true"}.Install(t.Context())
	gittest.Check(t, err)
	gittest.Write(t, filepath.Join(base, free, "tests", "all.sh"), "")
	work.Git("init", "-q", filepath.Join(base, free))
	all := payloads()
	if len(all) < 100 {
		t.Errorf("%d payloads", len(all))
	}
	for i, c := range all {
		said := askHook(t, work.Env, filepath.Join(base, c.at), strings.ReplaceAll(c.command, "REPO", work.Dir), i%10)
		if c.deny == "" && said != "" || !strings.Contains(said, c.deny) {
			t.Errorf("%s: %s: %q, want %q", c.at, c.command, said, c.deny)
		}
	}
}

// askHook is what the hook says of a command. Every tenth is read slowly.
func askHook(t *testing.T, environ []string, dir, command string, turn int) string {
	t.Helper()
	r, out, err := os.Pipe()
	gittest.Check(t, err)
	own := t.TempDir()
	p := newProgram(dir, append(slices.Clip(environ), "XDG_CACHE_HOME="+own, "XDG_STATE_HOME="+own, "XDG_CONFIG_HOME="+own), out, out)
	p.patience = time.Minute
	text, err := json.Marshal(map[string]any{"session_id": "s", "cwd": dir, "tool_name": "Bash", "tool_input": map[string]any{"command": command}})
	gittest.Check(t, err)
	input, write := io.Pipe()
	go func() {
		if turn == 0 { // slowly
			_, _ = write.Write(text[:1])
			text = text[1:]
			time.Sleep(300 * time.Millisecond)
		}
		_, _ = write.Write(text)
		_ = write.Close()
	}()
	gittest.Check(t, p.agentHook(t.Context(), []string{"claude"}, input))
	gittest.Check(t, out.Close())
	said, err := io.ReadAll(r)
	gittest.Check(t, err)
	return string(said)
}
