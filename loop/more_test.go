package loop_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/llm"
)

// crowded is a shell project in which the files that matter are far from the step.
func crowded(more ...string) gittest.Files {
	files := crowd(shell(more...))
	files["zz/greeting.sh"] = "# greets\ngreet() {\n\techo hello\n}\n\npart() {\n\techo bye\n}\n"
	return files
}

const asks = `raw
{"plan":null,"need":["zz/greeting.sh","F45","zz/missing.sh","bin/tool.bin",".env"],"edits":[],"commit":null,"notes":"","dispute":null,"done":false,"criterion":null,"covered":null}`

// A role may ask once for what it needs, and is answered in the same conversation.
func TestNeed(t *testing.T) {
	t.Parallel()
	l := newLab(t, crowded("bin/tool.bin", "\x00", ".env", "KEY=1\n"), red1, asks,
		"feat: number 1\n=== src/a1.sh\n# number 1\n=== replace zz/greeting.sh\n\techo hello\n--- by\n\techo hi\n")
	l.steps(2)
	first, second := l.model.edits[1], l.model.edits[2]
	wantNotIn(t, conversation(first), shownFile("zz/greeting.sh"), "return 45 // body")
	wantIn(t, user(second), shownFile("zz/greeting.sh"), "You may change all of these files.", "echo hello", shownFile("many/f045.go")+", in part", "return 45 // body",
		"zz/missing.sh: no file of the project", "bin/tool.bin: ", ".env: ")
	wantNotIn(t, user(second), "KEY=1")
	if len(l.refused) > 0 || second.Label != "step 2 · implementor · more · attempt 1" || second.Schema == nil {
		t.Errorf("%v, %s", l.refused, second.Label)
	}
	for i, m := range first.Messages {
		if second.Messages[i] != m {
			t.Error("the conversation does not begin as before")
		}
	}
	log := l.log("step-2-implementor")
	if len(log.Requests) != 2 || !strings.Contains(log.Requests[0].Answer, "zz/missing.sh") || log.In != 200 {
		t.Errorf("%+v", log)
	}
	wantIn(t, l.Git("log", "-1", "--format=%B"), "Tdd-Attempts: 1", "Tdd-Tokens: 200 in, 20 out")
	wantIn(t, l.Git("show", "HEAD:zz/greeting.sh"), "echo hi")
}

// What is beyond the number that is looked up is said.
func TestNeed_many(t *testing.T) {
	t.Parallel()
	many := strings.Replace(asks, `"F45"`, `"F45"`+strings.Repeat(`,"F46"`, 30), 1)
	l := newLab(t, crowded(), red1, many, green1)
	l.steps(2)
	wantIn(t, user(l.model.edits[2]), "the last 15: at most 20 are looked up")
}

// What was asked for is recorded and replayed as every request is.
func TestNeed_replayed(t *testing.T) {
	t.Parallel()
	tape := filepath.Join(t.TempDir(), "tape.json")
	l := newLab(t, crowded(), red1, asks, green1)
	l.asked = &llm.Recorder{Client: l.model, Path: tape, Redact: llm.Redactor(nil)}
	l.steps(2)
	cassette, err := llm.LoadCassette([]byte(gittest.Read(t, tape)))
	gittest.Check(t, err)
	again := newLab(t, crowded())
	again.asked = llm.NewReplayer(cassette)
	again.steps(2)
	if got, want := again.Git("rev-parse", "HEAD^{tree}"), l.Git("rev-parse", "HEAD^{tree}"); got != want || len(cassette.Entries) != 3 {
		t.Errorf("%s, want %s, from %d entries", got, want, len(cassette.Entries))
	}
}

// Asking again is an attempt.
func TestNeed_again(t *testing.T) {
	t.Parallel()
	l := newLab(t, crowded(), red1, asks, asks, green1)
	l.steps(2)
	wantIn(t, strings.Join(l.refused[0].Findings, "\n"), `a second "need"`)
	wantIn(t, l.Git("log", "-1", "--format=%B"), "Tdd-Attempts: 2", "Tdd-Tokens: 300 in")
}

// What has no room is answered with why; of a name that is too long to be shown, too.
func TestNeed_room(t *testing.T) {
	t.Parallel()
	files := crowded("zz/long.sh", "long() {\n"+strings.Repeat("\techo a line of it\n", 3000)+"}\n")
	l := newLab(t, files, red1, strings.NewReplacer("F45", "long", "zz/missing.sh", "zz/long.sh").Replace(asks), green1)
	l.steps(2)
	text := user(l.model.edits[2])
	wantIn(t, text, shownFile("zz/greeting.sh"), "zz/long.sh: too long")
	wantNotIn(t, text, "a line of it")
}

// A name that says where it stands is looked for there; of a file that is too long those
// declarations are shown that have to do with the step.
func TestNeed_where(t *testing.T) {
	t.Parallel()
	var long strings.Builder
	for n := range 2000 {
		fmt.Fprintf(&long, "fill%[1]d() {\n\techo fill %[1]d\n}\n", n)
	}
	files := crowded("zz/long.sh", long.String()+"a1_test() {\n\techo a1 of it\n}\n", "zz/one.sh", "render() {\n\techo one\n}\n", "zz/two.sh", "render() {\n\techo two\n}\n")
	l := newLab(t, files, red1, strings.NewReplacer("F45", "two.render", "zz/missing.sh", "zz/long.sh").Replace(asks), green1)
	l.steps(2)
	text := user(l.model.edits[2])
	wantIn(t, text, shownFile("zz/two.sh"), "echo two", shownFile("zz/long.sh")+", in part", "echo a1 of it")
	wantNotIn(t, text, "echo one", "echo fill 7\n")
}

// A name of what holds others is answered with what it holds, also where it is asked for.
func TestNeed_whole(t *testing.T) {
	t.Parallel()
	const filters = "class Base:\n    def fill(self):\n        return 1\n\n\n# Dots, as they are.\nclass Dots(Base):\n    a = 1\n\n    def fill(self):\n        return 2\n\n    def wipe(self):\n        return 3\n\n\nclass Last:\n    b = 4\n"
	l := newLab(t, crowded("zz/filters.py", filters), red1, strings.NewReplacer("F45", "Dots", "zz/missing.sh", "").Replace(asks), green1)
	l.steps(2)
	text := user(l.model.edits[2])
	wantIn(t, text, "# Dots, as they are.", "return 2", "return 3")
	wantNotIn(t, text, "return 1", "b = 4")
}

// In isolation nobody is given what the manifest does not list.
func TestNeed_isolation(t *testing.T) {
	t.Parallel()
	l := newLab(t, shell(".tdd.yaml", shellConfig+"isolation: strict\nkata_description: kata.md\n", "kata.md", "The secret wish of the customer is a number.\n",
		"src/all.sh", "hidden() {\n\techo how it is done\n}\n"),
		strings.NewReplacer("zz/greeting.sh", "src/all.sh", "F45", "hidden").Replace(asks), red1,
		strings.NewReplacer("zz/greeting.sh", "kata.md").Replace(asks), green1)
	l.steps(2)
	tester, implementor := conversation(l.model.edits[1]), conversation(llm.Request{Messages: l.model.edits[3].Messages})
	wantIn(t, tester, "src/all.sh: ", "hidden: no file")
	wantNotIn(t, tester, "how it is done")
	wantIn(t, implementor, "kata.md: ")
	wantNotIn(t, implementor, "secret wish")
}
