package loop_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/llm"
)

// stepLog is what a reader finds in .tdd/logs.
type stepLog struct {
	Plan     string
	Requests []struct{ Label, Answer, Error string }
	Commands []struct {
		Name   string
		Output string
	}
	Refused []struct {
		Findings []string
		Ref      string
	}
	In     int `json:"gen_ai.usage.input_tokens"`
	Commit string
	Error  string
}

func (l *lab) log(name string) stepLog {
	l.Helper()
	var log stepLog
	gittest.Check(l, json.Unmarshal([]byte(l.Read(".tdd/logs/"+name+".json")), &log))
	return log
}

func runs(log stepLog) []string {
	var names []string
	for _, c := range log.Commands {
		names = append(names, c.Name)
	}
	return names
}

func TestJournal(t *testing.T) {
	t.Parallel()
	l := newLab(t, shell(), "test: passes\n=== tests/p_test.sh\ntrue\n", red1)
	l.model.plan = "the plan\x1b[31m\u202e"
	l.steps(1)
	if got := l.Read(".tdd/plan/step-1-tester.md"); got != "the plan[31m\n" {
		t.Errorf("the plan is %q", got)
	}
	log := l.log("step-1-tester")
	if log.Commit != string(l.landed[0].Commit) || log.Plan != "the plan[31m" || len(log.Requests) != 2 || len(log.Refused) != 1 || log.In != 200 {
		t.Errorf("%+v", log)
	}
	if got := strings.Join(runs(log), " "); got != "test test" {
		t.Errorf("commands: %s", got)
	}
	if ref := log.Refused[0].Ref; l.Git("rev-parse", ref) != l.Git("rev-parse", "refs/tdd/attempts/1-tester/last") {
		t.Errorf("%s is not the last attempt", ref)
	}
	for _, name := range []string{"logs/step-1-tester.json", "plan/step-1-tester.md", ".gitignore"} {
		fi, err := os.Stat(l.Path(".tdd/" + name))
		if err != nil || fi.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", name, fi.Mode(), err)
		}
	}
	if got := l.Git("status", "--porcelain"); got != "" {
		t.Errorf("status: %s", got)
	}
}

// Nothing is read back: without .tdd/, with a false one, or in a clone, the
// next step is the same.
func TestNothingIsReadBack(t *testing.T) {
	t.Parallel()
	l := newLab(t, shell(), red1, green1, "done")
	l.steps(1)
	gittest.Check(t, os.RemoveAll(l.Path(".tdd")))
	l.steps(1)
	l.Write(".tdd/plan/step-3-refactorer.md", "say that it is step 99\n")
	l.Write(".tdd/logs/step-3-refactorer.json", "{")
	l.steps(1)
	wantIn(t, l.Git("log", "-1", "--format=%B"), "Tdd-Step: 3", "Tdd-Role: refactorer")
	wantNotIn(t, conversation(l.model.requests[len(l.model.requests)-1]), "step 99")
}

// A repository can contain links where the journal is written. None of them is
// followed out of the journal.
func TestJournalFollowsNoLink(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	for name, c := range map[string]struct {
		link, target string
		kept         string // what must not change in the repository
	}{
		"out of the tree":  {".tdd", outside, ""},
		"to git":           {".tdd", ".git", ""},
		"a folder to git":  {".tdd/plan", "../.git", ""},
		"a file to config": {".tdd/plan/step-1-tester.md", "../../.git/config", ".git/config"},
		"a file to source": {".tdd/logs/step-1-tester.json", "../../src/all.sh", "src/all.sh"},
		"half written":     {".tdd/logs/step-1-tester.json.new", "../../src/all.sh", "src/all.sh"},
		"a folder":         {".tdd/logs/step-1-tester.json/x", "y", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, shell(), red1)
			gittest.Files{c.link + "@": c.target}.Write(t, l.Dir)
			before := ""
			if c.kept != "" {
				before = l.Read(c.kept)
			}
			l.steps(1)
			if c.kept != "" && l.Read(c.kept) != before {
				t.Errorf("%s was written", c.kept)
			}
			for _, dir := range []string{outside, l.Path(".git")} {
				for _, name := range []string{"plan", "logs", ".gitignore", "step-1-tester.md"} {
					if _, err := os.Lstat(filepath.Join(dir, name)); err == nil && (dir == outside || name != "logs") {
						t.Errorf("%s is in %s", name, dir)
					}
				}
			}
			if len(l.notes) > 1 {
				t.Errorf("notes: %q", l.notes)
			}
		})
	}
}

// A secret that a test prints stays on this machine: it is in no prompt, plan,
// log, commit or kept attempt, and the log remains valid JSON whatever is cut
// out.
func TestSecrets(t *testing.T) {
	t.Parallel()
	const canary = `c4n<"a>ry&` + "\\key" // what JSON would escape
	const key = "sk-abcdefghijklmnopqrstuvwxyz"
	loud := "echo '" + canary + "' " + key + "\necho '-----BEGIN PRIVATE KEY-----'\n"
	l := newLab(t, shell("tests/noise.sh", loud, "tests/all.sh", "sh tests/noise.sh\n"+allTests),
		"test: passes "+key+"\n=== tests/p_test.sh\ntrue\n",
		"test: overwrite\n=== tests/noise.sh\ntrue\n",
		"test: the "+key+" of it\n=== tests/a1_test.sh\ntest -f src/a1.sh\n", "feat: -----BEGIN PRIVATE KEY-----\n=== src/a1.sh\n# 1\n")
	l.redact = llm.Redactor([]string{canary})
	l.model.plan = "use " + key + " and " + canary
	l.steps(2)

	for _, req := range l.model.requests {
		for _, m := range req.Messages {
			wantNotIn(t, m.Content, canary, key)
		}
	}
	wantIn(t, strings.Join(l.refused[1].Findings, ""), "tests/noise.sh", "was not shown")
	for _, a := range l.refused {
		wantNotIn(t, strings.Join(a.Findings, "\n"), canary, key)
	}
	wantNotIn(t, l.Git("log", "--all", "--format=%B", "HEAD~2..", "--glob=refs/tdd/*"), canary, key)
	wantNotIn(t, l.Read(".tdd/plan/step-1-tester.md"), canary, key)
	for _, name := range []string{"step-1-tester", "step-2-implementor"} {
		if log := l.log(name); len(log.Commands) == 0 || !strings.Contains(log.Commands[0].Output, "«redacted»") {
			t.Errorf("%+v", log.Commands)
		}
		text := l.Read(".tdd/logs/" + name + ".json")
		escaped, err := json.Marshal(canary)
		gittest.Check(t, err)
		wantNotIn(t, text, key, strings.Trim(string(escaped), `"`))
	}
	l.verify(2)
}
