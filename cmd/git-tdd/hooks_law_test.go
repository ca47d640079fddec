package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// lawLab is a repository with hooks in which somebody works at random.
type lawLab struct {
	*gittest.Repo
	rand *rand.Rand
	done []string // what was done, to show in a failure
	took int      // sensible steps that were accepted
}

func newLawLab(t *testing.T, seed uint64) *lawLab {
	t.Helper()
	l := &lawLab{Repo: gittest.New(t), rand: rand.New(rand.NewPCG(seed, 0))}
	l.Env = append(append(l.Env, "GIT_EDITOR=true"), gittest.XDG(l.Home)...)
	tinyProject().Write(t, l.Dir)
	l.Commit("chore: start")
	l.Git("tdd", "trust")
	l.Git("tdd", "hooks", "install")
	return l
}

func (l *lawLab) git(args ...string) (out string, ok bool) {
	out, err := l.Try(args...)
	return out, err == nil
}

// edit changes something, sensible or not, and stages some of it.
func (l *lawLab) edit() {
	n := l.rand.IntN(4)
	edits := []func(){
		func() { l.Write("tests/all.sh", tinyTests+fmt.Sprintf("[ \"$(add 1 %d)\" = %d ] || exit 1\n", n, n+1)) },
		func() { l.Write("tests/all.sh", tinyTests) },
		func() { l.Write("tests/more.sh", fmt.Sprintf("# %d\n", n)) },
		func() { l.Write("add.sh", fmt.Sprintf("# %d\nadd() { echo $(($1 + $2)); }\n", n)) },
		func() { l.Write("add.sh", fmt.Sprintf("# %d\nadd() { echo 0; }\n", n)) },
		func() { l.Write("add.sh", "syntax error (\n") },
		func() { l.Write("README.md", fmt.Sprintf("Adds %d.\n", n)) },
		func() { l.Write("kata.md", fmt.Sprintf("# %d\n", n)) },
		func() { l.Write(".tdd.yaml", tinyProject()[".tdd.yaml"]+fmt.Sprintf("steps: %d\n", n+1)) },
	}
	what := l.rand.IntN(len(edits))
	edits[what]()
	l.done = append(l.done, fmt.Sprintf("edit %d.%d", what, n))
}

// message is the subject of a commit, of any type or of none, with or without
// trailers that a person may write.
func (l *lawLab) message() []string {
	subjects := []string{
		"test: more", "test: more", "feat: more", "fix: more", "refactor: more", "perf: more", "docs: more", "chore: more",
		"more", "Test: more", "test: more.", "Merge it", "fixup! test: more",
	}
	args := []string{"-m", subjects[l.rand.IntN(len(subjects))]}
	trailers := []string{"Tdd-Outcome: characterization", "Tdd-Outcome: skipped", "Tdd-Step: 9", "Tdd-Red: x (assertion)", "Signed-off-by: A <a@example.org>"}
	if i := l.rand.IntN(3 * len(trailers)); i < len(trailers) {
		args = append(args, "--trailer", trailers[i])
	}
	return args
}

// kind is a way to commit.
func (l *lawLab) kind() []string {
	kinds := [][]string{{"-a"}, {"-a"}, {}, {"--allow-empty"}, {"tests"}, {"add.sh"}}
	return kinds[l.rand.IntN(len(kinds))]
}

// state is everything that a refusal must leave as it was: every file, the
// index, the stash, HEAD and all refs.
func (l *lawLab) state() string {
	l.Helper()
	state := fmt.Sprintf("%s\n%q\n", l.Git("ls-files", "--stage"), gittest.Snapshot(l, l.Dir, ".git"))
	for _, name := range []string{"HEAD", "refs", "packed-refs", "logs/refs/stash"} {
		state += fmt.Sprintf("%q\n", gittest.Snapshot(l, l.Path(".git/"+name)))
	}
	return state
}

// fresh leaves only what is committed in the working tree.
func (l *lawLab) fresh() {
	l.git("reset", "-q", "--hard")
	l.git("clean", "-fdq")
}

func (l *lawLab) add(name, line string) {
	l.Helper()
	l.Write(name, l.Read(name)+line)
}

// sensible takes the step that is due, as the rules demand.
func (l *lawLab) sensible() {
	l.Helper()
	l.fresh()
	subject, n := "refactor: tidy", l.took/3
	switch l.took % 3 {
	case 0:
		subject = "test: one more"
		l.add("tests/all.sh", fmt.Sprintf("grep -q 'number %d$' add.sh || exit 1\n", n))
	case 1:
		subject = "feat: one more"
		l.add("add.sh", fmt.Sprintf("# number %d\n", n))
	case 2:
		l.add("add.sh", "# tidy\n")
	}
	if l.commit("commit", "-q", "-am", subject) {
		l.took++
	}
}

// anything commits somehow.
func (l *lawLab) anything() {
	l.Helper()
	if l.rand.IntN(2) == 0 {
		l.git("add", "-A")
		l.done = append(l.done, "add")
	}
	l.commit(append(append([]string{"commit", "-q"}, l.message()...), l.kind()...)...)
}

// commit commits with hooks and compares the answer with that of verify, for
// the commit that was made, or for the one that would have been.
func (l *lawLab) commit(args ...string) (accepted bool) {
	l.Helper()
	l.done = append(l.done, fmt.Sprintf("%q", args))
	before := l.state()
	out, accepted := l.git(args...)
	if !accepted {
		if after := l.state(); after != before {
			l.Fatalf("%s\nbefore a refusal (%s)\n%s\nafter\n%s", strings.Join(l.done, "\n"), out, before, after)
		}
		if !strings.Contains(out, "git tdd:") {
			return false // git itself refused: nothing to commit
		}
		// What would have happened without the hooks.
		if _, ok := l.git(append([]string{"commit", "--no-verify"}, args[1:]...)...); !ok {
			return false
		}
	}
	l.agree(lawAnswer{accepted, out})
	if !accepted {
		l.git("reset", "-q", "--soft", "HEAD^")
	}
	return accepted
}

// agree checks that verify says the same about HEAD as the hooks.
func (l *lawLab) agree(hooks lawAnswer) {
	l.Helper()
	told, held := l.git("tdd", "verify", "HEAD^!")
	if held != hooks.accepted {
		l.Fatalf("%s\nthe hooks accepted: %v, verify: %v\n%s\n%s", strings.Join(l.done, "\n"), hooks.accepted, held, hooks.out, told)
	}
}

// lawAnswer is the result of a commit with hooks.
type lawAnswer struct {
	accepted bool
	out      string
}

// stash stashes some work, which every refusal from now on must leave there.
func (l *lawLab) stash() {
	l.done = append(l.done, "stash")
	l.Write("README.md", fmt.Sprintf("Adds %d, some day.\n", l.rand.IntN(100)))
	l.git("stash", "push", "-q")
}

// merge makes two branches diverge and merges them. A refused merge stays
// staged, as git leaves it; aborting it leaves nothing.
func (l *lawLab) merge() {
	l.Helper()
	l.done = append(l.done, "merge")
	l.fresh()
	if _, ok := l.git("switch", "-qC", "side"); !ok {
		return
	}
	for _, branch := range []string{"side", "main"} {
		l.git("switch", "-q", branch)
		l.edit()
		l.anything()
		l.fresh()
	}
	before := l.state()
	out, accepted := l.git("merge", "-q", "--no-edit", "--no-ff", "side")
	switch {
	case accepted && l.state() != before:
		l.agree(lawAnswer{accepted, out})
	case strings.Contains(out, "git tdd:"):
		if _, ok := l.git("commit", "-q", "--no-verify", "--no-edit"); ok {
			l.agree(lawAnswer{accepted, out})
		}
		l.git("reset", "-q", "--hard", "HEAD^")
	case !accepted: // a conflict
		l.git("merge", "--abort")
	}
	if !accepted && l.state() != before {
		l.Fatalf("%s\nbefore the merge (%s)\n%s\nafter\n%s", strings.Join(l.done, "\n"), out, before, l.state())
	}
}

// TestLaw_hooksAcceptWhatVerifyAccepts: in random work, the hooks accept a
// commit if and only if verify accepts it, and a refusal leaves files, index,
// stash and refs as they were. TDD_LAW_SEQUENCES says how many sequences to
// try.
func TestLaw_hooksAcceptWhatVerifyAccepts(t *testing.T) {
	t.Parallel()
	sequences := 12
	if n, err := strconv.Atoi(os.Getenv("TDD_LAW_SEQUENCES")); err == nil {
		sequences = n
	}
	for seed := range uint64(sequences) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			l := newLawLab(t, seed)
			for range 6 {
				switch l.rand.IntN(8) {
				case 0:
					l.stash()
				case 1:
					l.merge()
				}
				if l.rand.IntN(3) > 0 {
					l.sensible()
					continue
				}
				for range 1 + l.rand.IntN(2) {
					l.edit()
				}
				l.anything()
			}
		})
	}
}
