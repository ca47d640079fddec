package agenthook_test

import (
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/hooks"
	"github.com/git-tdd/git-tdd/internal/gittest"
)

// TestDodges tries every way around the rules that a shell command shows, in the
// form of every agent, at the tester's turn.
func TestDodges(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	_, err := hooks.Installer{Repo: l.judge.Repo, Binary: "/bin/true"}.Install(t.Context())
	gittest.Check(t, err)
	for _, p := range hooked(t) {
		for _, command := range dodges() {
			if a := l.ask(t, p, shell(p, command)); a.Deny == "" || !strings.Contains(a.Deny, "→") {
				t.Errorf("%s may %s: %q", p.Name, command, a.Deny)
			}
		}
		for _, command := range honest() {
			if a := l.ask(t, p, shell(p, command)); a.Deny != "" {
				t.Errorf("%s may not %s: %s", p.Name, command, a.Deny)
			}
		}
	}
}

// TestShellWrites denies what a command says that it writes, where the phase
// forbids it and no test can stand in a source.
func TestShellWrites(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.Write(".tdd.yaml", "language: generic\nci: {test_cmd: [sh, tests/all.sh]}\n")
	r.Write("src/add.sh", "add() { echo 0; }\n")
	r.Commit("chore: start")
	l := lab{Repo: r, judge: judgeOf(t, r)}
	for _, p := range hooked(t) {
		for _, command := range []string{
			"cat > src/new.sh <<'EOF'\nx\nEOF", "sed -i 's/0/1/' src/add.sh", "perl -pi -e s/0/1/ src/add.sh",
			"bash -c 'echo x >> src/add.sh'", "echo x | tee src/add.sh", "mv /tmp/x.sh src/add.sh", "rm src/add.sh",
			"find . -name '*.sh' | xargs sed -i s/0/1/ src/add.sh",
		} {
			if a := l.ask(t, p, shell(p, command)); !strings.Contains(a.Deny, "the tester's turn") {
				t.Errorf("%s may %s: %q", p.Name, command, a.Deny)
			}
		}
	}
}

func dodges() []string {
	return []string{
		"git commit --no-verify -m 'feat: x'",
		"git commit -nm x",
		"git -C . commit -anm x",
		"cd src && git commit --no-veri -m x",
		"git commit -m x -n",
		"GIT_TDD=off git commit -m x",
		"export GIT_TDD=off",
		"GIT_TDD_GATES_ENFORCE=tell git commit -m x",
		"env GIT_TDD=0 git commit -m x",
		"git -c core.hooksPath=/dev/null commit -m x",
		"git config core.hooksPath /tmp",
		"git config --unset hook.git-tdd-commit-msg.command",
		"GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=/x git commit -m x",
		"git config alias.ci 'commit --no-verify'",
		"git -c alias.ci='commit -n' ci -m x",
		"rm .git/hooks/commit-msg",
		"chmod -x .git/hooks/*",
		"echo exit 0 > .git/hooks/commit-msg",
		"rm -rf .tdd.yaml",
		"sed -i s/max_new_red// .tdd.yaml",
		"mv .claude/settings.json /tmp",
		"echo '{}' | tee .codex/hooks.json",
		"sh -c 'git commit --no-verify -m x'",
		`eval "git commit -n -m x"`,
		"x=$(git commit --no-verify -m x)",
		"git push --force origin main",
		"git push -f",
		"git push origin +main",
		"git push origin :main",
		"git push --no-verify",
		"git update-ref refs/heads/main HEAD~1",
		"git commit-tree HEAD^{tree} -m x",
		"git tdd trust",
		"git-tdd hooks uninstall",
		"git tdd agents uninstall claude",
		"perl -pi -e s/a/b/ src/other.rs && touch src/new.rs && cp /tmp/x .tdd.yaml",
		"truncate -s 0 kata.md",
		"git rm -q .tdd.yaml",
		"git mv .tdd.yaml tdd.yaml",
	}
}

func honest() []string {
	return []string{
		"git commit -m 'test: --no-verify is refused'",
		"git commit -am 'docs: say why GIT_TDD=off exists'",
		"git commit -F notes.txt",
		"git commit -m x --trailer 'Tdd-Outcome: characterization'",
		"git commit --amend --no-edit",
		"git log -n 3",
		"git rm -q --cached NOTES.md",
		"find src -name '*.rs' -exec grep -n todo {} +",
		"find target -name '*.o' -delete",
		"git push origin main",
		"git push -n",
		"git config --get core.hooksPath",
		"git config user.name Ada",
		"git rebase -i main",
		"git merge --no-ff topic",
		"git tdd trust --show",
		"git tdd hooks status && git tdd verify HEAD~3..",
		"cargo test > /dev/null 2>&1; rm -rf target",
		"cat > tests/more.rs <<'EOF'\n// git commit --no-verify\nEOF",
		"echo 'rm .git/hooks/commit-msg'",
		"grep -rn 'core.hooksPath' src",
		"sed -n 1,20p src/lib.rs",
		"cp src/lib.rs /tmp/lib.rs",
		"rm /tmp/scratch.rs",
		"sed -i s/0/1/ README.md",
		"this is ( no shell",
		"",
	}
}
