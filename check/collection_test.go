package check

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/gittest"
)

// TestCollection plays the collection of histories in testdata/stories: cheats,
// each of which must be refused at one commit by one gate, and honest oddities,
// all of whose commits must be accepted.
//
// A story is a txtar archive. Each line of its comment that begins with a verdict
// is a commit, in order:
//
//	accepted MESSAGE
//	told GATE MESSAGE
//	refused GATE MESSAGE
//
// What is told is accepted, with a note of that gate. "agent" before the verdict makes it a model's commit, and \n in a message is a
// line break. A file "2/calc.go" is what the second commit makes of calc.go; an
// empty "2/-calc.go" deletes it. What the first commit starts from is base.txtar
// beside the stories. A refused commit leaves no trace. Every 64th story is
// played, but for those of languages of which one takes minutes, or the part
// that TDD_PART asks for.
func TestCollection(t *testing.T) {
	t.Parallel()
	stories, err := filepath.Glob("testdata/stories/*/*.txtar")
	gittest.Check(t, err)
	played := gittest.Part(t, 64)
	for i, name := range stories {
		if filepath.Base(name) == "base.txtar" {
			continue
		}
		language := filepath.Base(filepath.Dir(name))
		t.Run(language+"/"+strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			if slow := language == "java" || language == "cpp"; !played(i) || slow && os.Getenv("TDD_PART") == "" {
				t.Skip("TDD_PART=0/1 plays all of the collection")
			}
			needLanguage(t, language)
			play(t, name)
		})
	}
}

// needLanguage skips a test on a machine without the language's tools.
func needLanguage(t *testing.T, language string) {
	t.Helper()
	tools := map[string][]string{
		"go": {"go"}, "python": {"pytest"}, "javascript": {"node"}, "typescript": {"node"}, "rust": {"cargo"}, "ruby": {"ruby"}, "rspec": {"rspec"},
		"java": {"java", "mvn"}, "cpp": {"cmake", "c++"}, "php": {"php", "phpunit"}, "shell": {"bats"},
	}
	for _, tool := range tools[language] {
		gittest.Need(t, tool)
	}
}

// play plays one story.
func play(t *testing.T, name string) {
	t.Helper()
	story, err := txtar.ParseFile(name)
	gittest.Check(t, err)
	base, err := txtar.ParseFile(filepath.Join(filepath.Dir(name), "base.txtar"))
	gittest.Check(t, err)
	l := newLab(t)
	l.Env = append(l.Env, toolEnviron()...)
	if strings.Contains(name, "typescript") {
		suite{module: "vitest"}.link(l)
	}
	c := l.checker()
	state := files{}
	for _, f := range base.Files {
		state[f.Name] = string(f.Data)
	}
	head := l.commit("chore: start", state)
	for n, line := range commitLines(string(story.Comment)) {
		next := overlaid(state, story, n+1)
		s := l.offer(c, line, next, head)
		if seen := s.seen(); seen != line.verdict {
			t.Fatalf("commit %d, %q: %s, want %s\n%s", n+1, line.message, seen, line.verdict, findings(s.j))
		}
		if line.told != "" && !slices.ContainsFunc(s.j.Verdict.Notes, func(f gates.Finding) bool { return f.Gate == line.told }) {
			t.Errorf("commit %d, %q: %s tells nothing: %v", n+1, line.message, line.told, s.j.Verdict.Notes)
		}
		if s.accepted {
			state, head = next, s.commit
		}
	}
}

// toolEnviron is what the tools of this machine need.
func toolEnviron() []string {
	var out []string
	for _, name := range []string{"CARGO_HOME", "RUSTUP_HOME", "TDD_NODE_MODULES", "GOFLAGS", "M2_HOME", "MAVEN_OPTS"} {
		if v, ok := os.LookupEnv(name); ok {
			out = append(out, name+"="+v)
		}
	}
	return out
}

// commitLine is a commit of a story.
type commitLine struct {
	agent            bool
	verdict, message string // "accepted", or the gate that refuses
	told             string // the gate that has a note; "" if that does not matter
}

func commitLines(comment string) []commitLine {
	var out []commitLine
	for line := range strings.Lines(comment) {
		var c commitLine
		line, c.agent = strings.CutPrefix(strings.TrimSpace(line), "agent ")
		verdict, rest, _ := strings.Cut(line, " ")
		switch verdict {
		case "accepted":
			c.verdict, c.message = verdict, rest
		case "told":
			c.verdict = "accepted"
			c.told, c.message, _ = strings.Cut(rest, " ")
		case "refused":
			c.verdict, c.message, _ = strings.Cut(rest, " ")
		default:
			continue
		}
		c.message = strings.ReplaceAll(c.message, `\n`, "\n") + "\n"
		out = append(out, c)
	}
	return out
}

// overlaid is the state that the n-th commit makes.
func overlaid(state files, story *txtar.Archive, n int) files {
	next := maps.Clone(state)
	for _, f := range story.Files {
		path, ok := strings.CutPrefix(f.Name, fmt.Sprintf("%d/", n))
		if !ok {
			continue
		}
		if gone, deleted := strings.CutPrefix(path, "-"); deleted {
			delete(next, gone)
			continue
		}
		next[path] = string(f.Data)
	}
	return next
}

// offer judges a commit of a story and makes it if it is accepted.
func (l *lab) offer(c *Checker, line commitLine, f files, parent gitx.ID) step {
	l.Helper()
	tree := l.tree(f)
	j, err := c.Judge(context.Background(), Proposal{
		Parent: parent, Tree: tree, Message: line.message, Agent: line.agent,
		Compose: func(s gates.Step, _ *gates.Case) string { return composed(line.message, s) },
	})
	gittest.Check(l, err)
	s := step{accepted: j.Verdict.Accepted(), j: j}
	if s.accepted {
		s.commit = l.commitTree(j.Message, tree, parent)
	}
	return s
}

// seen is the verdict in the words of a story.
func (s step) seen() string {
	if s.accepted {
		return "accepted"
	}
	var names []string
	for _, f := range s.j.Verdict.Findings {
		names = append(names, f.Gate)
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), "+")
}
