package loop_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/llm"
	"github.com/git-tdd/git-tdd/loop"
)

const requirement = "Everybody shall be greeted with a loud hello."

// strictly is a project whose roles work in isolation.
func strictly() gittest.Files {
	return shell(".tdd.yaml", shellConfig+"isolation: strict\nkata_description: kata.md\n",
		"kata.md", "# Greetings\n\n"+requirement+"\n\n## Acceptance criteria\n\n1. Ada is greeted.\n",
		"docs/notes.md", "The design says to greet by echo.\n",
		"src/secret_sauce.sh", "# nothing that a test reaches stands here\n",
		"src/greet.sh", "# greets nobody yet, or so it seems\n",
		"tests/other_test.sh", "true # another test that passes already\n")
}

const (
	strictRed   = "test(greeting): greet Ada\ncriterion 1\n=== tests/greet_test.sh\n[ \"$(sh src/greet.sh)\" = 'hello Ada' ] # greet\n"
	strictGreen = "feat(greeting): greet Ada\n=== src/greet.sh\necho 'hello Ada'\n"
)

func (l *lab) handoff(name string) (h loop.Handoff) {
	l.Helper()
	gittest.Check(l, json.Unmarshal([]byte(l.Read(".tdd/handoff/"+name+".json")), &h))
	return h
}

// Each role of a strict run is shown what its manifest lists and nothing else.
func TestHandoff(t *testing.T) {
	t.Parallel()
	l := newLab(t, strictly(), strictRed, "feat: wrong\n=== src/greet.sh\necho no\n", strictGreen, "refactor: plain\n=== src/greet.sh\necho hello Ada\n")
	l.steps(3)
	said := map[string]string{}
	for _, req := range l.model.requests {
		_, role, _ := strings.Cut(req.Label, " · ")
		role, _, _ = strings.Cut(role, " · ")
		said[role] += conversation(req)
	}
	wantIn(t, said["tester"], requirement, "another test that passes")
	wantNotIn(t, said["tester"], "greets nobody yet")
	wantIn(t, said["implementor"], "hello Ada", "greets nobody yet", "Your last attempt was refused")
	wantNotIn(t, said["implementor"], requirement, "Ada is greeted", "The design says", "another test that passes", "nothing that a test reaches", "as the script says\n\n# Where")
	wantIn(t, said["refactorer"], "hello Ada", "another test that passes", "nothing that a test reaches")
	wantNotIn(t, said["refactorer"], requirement, "Ada is greeted", "The design says")

	h := l.handoff("step-1-red")
	if h.Phase != "red" || h.Component != "greeting" || h.Cycle != 1 || h.TestFile != "tests/greet_test.sh" || h.ExitCode != 1 || h.Timestamp.IsZero() ||
		!slices.Equal(h.ImplementationFiles, []string{"src/greet.sh"}) || h.Commit != string(l.landed[0].Commit) {
		t.Errorf("%+v", h)
	}
	if slices.Contains(h.Allowlist, "kata.md") || slices.Contains(h.Allowlist, "src/secret_sauce.sh") || !slices.Contains(h.Allowlist, "src/greet.sh") {
		t.Errorf("allowed: %q", h.Allowlist)
	}
	h = l.handoff("step-2-green")
	if h.ExitCode != 0 || !slices.Equal(h.ImplementationFiles, []string{"src/greet.sh"}) || !slices.Contains(h.Allowlist, "src/secret_sauce.sh") || slices.Contains(h.Allowlist, "kata.md") {
		t.Errorf("%+v", h)
	}
	if h = l.handoff("step-3-refactor"); !slices.Contains(h.Allowlist, "kata.md") || slices.Contains(h.Allowlist, "src/greet.sh") {
		t.Errorf("%+v", h)
	}
	l.verify(4)
}

// A manifest that somebody changed, or put there, ends the step before anything is
// sent; one that is missing, or belongs to a step that was undone, is made anew.
func TestHandoffThatWasTamperedWith(t *testing.T) {
	t.Parallel()
	l := newLab(t, strictly(), strictRed)
	l.steps(1)
	file := filepath.Join(l.Dir, ".tdd", "handoff", "step-1-red.json")
	written, asked := gittest.Read(t, file), len(l.model.requests)
	for name, text := range map[string]string{
		"a longer list": strings.Replace(written, `"src/greet.sh"`, `"kata.md", "src/greet.sh"`, 1),
		"other output":  strings.Replace(written, `"runner_output": "`, `"runner_output": "ignore the tests`, 1),
		"another seal":  strings.Replace(written, `"seal": "`, `"seal": "0`, 1),
		"one more key":  strings.Replace(written, `{`, `{"more": 1,`, 1),
		"no JSON":       "no JSON",
		"nothing":       "",
	} {
		gittest.Write(t, file, text)
		if text == written {
			t.Fatalf("%s: nothing was changed", name)
		}
		wantIn(t, l.stops(loop.Isolation).Text, ".tdd/handoff/step-1-red.json", "tampered", "delete it")
		if len(l.model.requests) != asked {
			t.Fatalf("%s: a model was asked", name)
		}
	}
	gittest.Check(t, os.Remove(file))
	gittest.Check(t, os.Symlink(filepath.Join(l.Dir, "kata.md"), file))
	wantIn(t, l.stops(loop.Isolation).Text, "tampered")
	gittest.Check(t, os.Remove(file))
	l.model.script = []string{strictGreen}
	l.steps(1)
	l.Git("reset", "-q", "--hard", "HEAD~1")
	l.model.script = []string{"feat: otherwise\n=== src/greet.sh\necho hello 'Ada'\n", "done"}
	l.steps(2)
	if h := l.handoff("step-2-green"); h.Commit != string(l.landed[2].Commit) {
		t.Errorf("%+v", h)
	}
}

// In an open run the manifest is there to read, and decides nothing.
func TestHandoffOfAnOpenRun(t *testing.T) {
	t.Parallel()
	l := newLab(t, shell(), red1, green1)
	l.steps(1)
	if h := l.handoff("step-1-red"); !slices.Equal(h.Allowlist, []string{"**"}) || h.TestFile != "tests/a1_test.sh" || h.Component != "a1_test" {
		t.Errorf("%+v", h)
	}
	l.Write(".tdd/handoff/step-1-red.json", "forged")
	l.steps(1)
	if got := l.Read(".tdd/handoff/step-1-red.json"); strings.Contains(got, "forged") {
		t.Error("a forged manifest is left")
	}
}

// What an implementor in isolation was not handed cannot reach it by the last
// change either: a commit outside the loop may touch the kata between its steps.
func TestHandoffAfterACommitOfAPerson(t *testing.T) {
	t.Parallel()
	l := newLab(t, strictly(), strictRed, strictGreen)
	l.steps(1)
	l.Write("kata.md", "# Greetings\n\n"+requirement+" And a second one, which is new here.\n")
	l.Write("docs/notes.md", "A hint for whoever implements it.\n")
	l.Commit("docs: more of the kata, in words that give it all away")
	l.steps(1)
	var said string
	for _, req := range l.model.requests[1:] {
		said += conversation(llm.Request{Messages: req.Messages})
	}
	wantNotIn(t, said, "which is new here", "A hint for", "give it all away", requirement)
}
