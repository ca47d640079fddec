package prove_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/prove"
)

// TestCollection_squashed proves histories of the collection, which package check plays
// commit by commit, as one change. What was refused there for what its tests are worth is
// not proven in the full tier when it comes at once, nor anything else that holds without a
// word. What is odd but honest is neither refuted nor unproven in either tier. Every
// 64th is played, or the part that TDD_PART asks for.
func TestCollection_squashed(t *testing.T) {
	t.Parallel()
	all, err := filepath.Glob("../check/testdata/stories/*/*.txtar")
	gittest.Check(t, err)
	part, at := gittest.Part(t, 64), 0
	for _, name := range all {
		story, err := txtar.ParseFile(name)
		gittest.Check(t, err)
		kind, _, _ := strings.Cut(filepath.Base(name), "_")
		commits := commitsOf(string(story.Comment))
		cheats := cheats(commits)
		if !cheats && kind != "odd" || strings.Contains(string(story.Comment), "Tdd-Outcome: disputed") {
			continue // a red that is disputed is gone again in the whole
		}
		played, language := part(at), filepath.Base(filepath.Dir(name))
		at++
		t.Run(language+"/"+strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			if !played {
				t.Skip("TDD_PART=0/1 plays all of the collection")
			}
			needLanguage(t, language)
			repo, change := squashed(t, story, filepath.Join(filepath.Dir(name), "base.txtar"), commits)
			for _, tier := range []prove.Tier{prove.Quick, prove.Full} {
				r := of(t, repo, tier, change)
				t.Logf("%s: %s (%s), %d gaps, %d notes", tier, r.Verdict, r.Why, len(r.Gaps()), len(r.Notes))
				silent := r.Verdict.Holds() && len(r.Gaps())+len(r.Notes) == 0
				switch {
				case !cheats && (r.Verdict == prove.Refuted || r.Verdict == prove.Unproven):
					t.Errorf("%s: honest, and %s: %s", tier, r.Verdict, r.Why)
				case cheats && tier == prove.Full && (r.Verdict == prove.Proven || silent):
					t.Errorf("%s: a cheat, and %s: %s", tier, r.Verdict, r.Why)
				}
			}
		})
	}
}

// commit is a commit of a story: how it was judged there, for which gates, and what it says.
type commit struct{ verdict, gates, subject string }

func commitsOf(comment string) (out []commit) {
	for line := range strings.Lines(comment) {
		verdict, rest, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "agent "), " ")
		c := commit{verdict: verdict, subject: rest}
		switch verdict {
		case "refused", "told":
			c.gates, c.subject, _ = strings.Cut(rest, " ")
		case "accepted":
		default:
			continue
		}
		out = append(out, c)
	}
	return out
}

// answers reports whether a commit is the green of a red.
func (c commit) answers() bool {
	return strings.HasPrefix(c.subject, "feat") || strings.HasPrefix(c.subject, "fix")
}

// cheats reports whether the last commit of a story is refused for what its tests are
// worth: not for its criteria, of which a change knows nothing.
func cheats(commits []commit) bool {
	if len(commits) == 0 {
		return false
	}
	last := commits[len(commits)-1]
	return last.verdict == "refused" && !strings.Contains(last.subject, "Tdd-Outcome: characterization") &&
		slices.ContainsFunc(strings.Split(last.gates, "+"), func(gate string) bool {
			return slices.Contains([]string{"hollow", "strength", "same-tests", "green", "red"}, gate)
		})
}

// squashed is a story as one change: a cheat with its red, on what was accepted before it;
// all of an honest one.
func squashed(t *testing.T, story *txtar.Archive, base string, commits []commit) (*gittest.Repo, prove.Changed) {
	t.Helper()
	start, err := txtar.ParseFile(base)
	gittest.Check(t, err)
	first := 0
	if cheats(commits) {
		if first = len(commits) - 1; commits[first].answers() {
			first = max(first-1, 0)
		}
	}
	after := gittest.Files{}
	for _, f := range start.Files {
		after[f.Name] = string(f.Data)
	}
	var before gittest.Files
	for n, c := range commits {
		if n == first {
			before = maps.Clone(after)
		}
		if c.verdict == "refused" && n < len(commits)-1 {
			continue
		}
		for _, f := range story.Files {
			path, ok := strings.CutPrefix(f.Name, fmt.Sprintf("%d/", n+1))
			if gone, deleted := strings.CutPrefix(path, "-"); ok && deleted {
				delete(after, gone)
			} else if ok {
				after[path] = string(f.Data)
			}
		}
	}
	repo := gittest.New(t)
	for _, name := range []string{"CARGO_HOME", "RUSTUP_HOME", "TDD_NODE_MODULES", "GOFLAGS", "M2_HOME", "MAVEN_OPTS"} {
		if v, ok := os.LookupEnv(name); ok {
			repo.Env = append(repo.Env, name+"="+v)
		}
	}
	from := gittest.CommitTree(repo, "chore: start", gitx.ID(repo.Tree(before)))
	tree := gitx.ID(repo.Tree(after))
	last, _, _ := strings.Cut(commits[len(commits)-1].subject, `\n`)
	change := prove.Changed{Base: from, Head: gittest.CommitTree(repo, last, tree, from), Tree: tree, Subject: last, Several: first < len(commits)-1}
	return repo, change
}

// needLanguage skips a test on a machine without the language's tools.
func needLanguage(t *testing.T, language string) {
	t.Helper()
	gittest.Need(t, map[string][]string{
		"go": {"go"}, "python": {"pytest"}, "javascript": {"node"}, "rust": {"cargo"}, "ruby": {"ruby"}, "rspec": {"rspec"},
		"typescript": {"node"}, "java": {"java", "mvn"}, "cpp": {"cmake", "c++"}, "php": {"php", "phpunit"}, "shell": {"bats"},
	}[language]...)
}
