package prove_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/prove"
)

// TestCollection_squashed proves histories of the collection, which package check plays
// commit by commit, as one change: what was refused there for what its tests are worth is
// not proven when it comes at once, and neither pinned down nor a refactoring without a
// word. Every sixteenth is
// played, or as TDD_COLLECTION says.
func TestCollection_squashed(t *testing.T) {
	t.Parallel()
	all, err := filepath.Glob("../check/testdata/stories/*/*.txtar")
	gittest.Check(t, err)
	every := 16
	if n, err := strconv.Atoi(os.Getenv("TDD_COLLECTION")); err == nil && n > 0 {
		every = n
	}
	at := 0
	for _, name := range all {
		story, err := txtar.ParseFile(name)
		gittest.Check(t, err)
		if !cheats(string(story.Comment)) {
			continue
		}
		at++
		played, language := at%every == 0, filepath.Base(filepath.Dir(name))
		t.Run(language+"/"+strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			if !played {
				t.Skip("TDD_COLLECTION=1 plays all of the collection")
			}
			needLanguage(t, language)
			repo, change := squashed(t, story, filepath.Join(filepath.Dir(name), "base.txtar"))
			r := of(t, repo, prove.Full, change)
			told := len(r.Gaps()) + len(r.Notes)
			if silent := r.Verdict == prove.Refactoring || r.Verdict == prove.Pinned; r.Verdict == prove.Proven || silent && told == 0 {
				t.Errorf("%s: %s", r.Verdict, r.Why)
			}
		})
	}
}

// cheats reports whether the last commit of a story is a red or a green that is refused
// for what its tests are worth. A red that is disputed is gone again in the whole.
func cheats(comment string) bool {
	var last []string
	for line := range strings.Lines(comment) {
		words := strings.Fields(strings.TrimPrefix(strings.TrimSpace(line), "agent "))
		if len(words) > 2 && slices.Contains([]string{"accepted", "told", "refused"}, words[0]) {
			last = words
		}
	}
	if last == nil || last[0] != "refused" || strings.Contains(comment, "Tdd-Outcome: disputed") {
		return false
	}
	if last[1] == "red" && strings.Contains(strings.Join(last, " "), "Tdd-Outcome: characterization") {
		return false // for its criteria, of which a change knows nothing
	}
	step := slices.ContainsFunc([]string{"test", "feat", "fix"}, func(kind string) bool { return strings.HasPrefix(last[2], kind) })
	return step && slices.ContainsFunc(strings.Split(last[1], "+"), func(gate string) bool {
		return slices.Contains([]string{"hollow", "strength", "green", "red"}, gate)
	})
}

// squashed is all that a story makes of its base, as one change.
func squashed(t *testing.T, story *txtar.Archive, base string) (*gittest.Repo, prove.Changed) {
	t.Helper()
	start, err := txtar.ParseFile(base)
	gittest.Check(t, err)
	before := gittest.Files{}
	for _, f := range start.Files {
		before[f.Name] = string(f.Data)
	}
	after := maps.Clone(before)
	for n := 1; n < 20; n++ {
		for _, f := range story.Files {
			path, ok := strings.CutPrefix(f.Name, fmt.Sprintf("%d/", n))
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
	return repo, prove.Changed{Base: from, Head: gittest.CommitTree(repo, "all at once", tree, from), Tree: tree}
}

// needLanguage skips a test on a machine without the language's tools.
func needLanguage(t *testing.T, language string) {
	t.Helper()
	gittest.Need(t, map[string][]string{
		"go": {"go"}, "python": {"pytest"}, "javascript": {"node"}, "rust": {"cargo"}, "ruby": {"ruby"}, "rspec": {"rspec"},
		"java": {"java", "mvn"}, "cpp": {"cmake", "c++"}, "php": {"php", "phpunit"}, "shell": {"bats"},
	}[language]...)
}
