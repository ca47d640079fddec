package check

import (
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// A change to how the project is tested must not hide anything.
func TestStory_newCommands(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	l := newLab(t)
	c := l.checker()
	commands := func(words string) files {
		return files{".tdd.yaml": "language: go\nci: {check_cmd: [], fmt_cmd: [], test_cmd: [" + words + "]}\n"}
	}
	honest := calc(sum, testZero+testSum).With(commands(`go, test, "./..."`))
	start := l.commit("chore: start", honest)
	l.must(c, "chore: run them in any order", honest.With(commands(`go, test, -shuffle=on, "./..."`)), start)
	for words, want := range map[string]string{
		`"true"`: "stay-green", `go, test, -run=TestZero, "./..."`: "stay-green", `go, vet, "./..."`: "stay-green",
	} {
		s := l.propose(c, "chore: test otherwise", honest.With(commands(words)), start)
		l.refused(s, want)
		if !strings.Contains(findings(s.j), "under the commands that this commit brings") && s.j.Verdict.Judged {
			t.Errorf("%s:\n%s", words, findings(s.j))
		}
	}
	generic := files{".tdd.yaml": "language: generic\nci: {check_cmd: [], fmt_cmd: [], test_cmd: [\"true\"]}\n"}
	l.refused(l.propose(c, "chore: tell no tests apart", honest.With(generic), start), "stay-green")
	none := files{".tdd.yaml": "language: generic\n"}
	if s := l.propose(c, "chore: run nothing", honest.With(none), start); s.accepted {
		t.Error("accepted a configuration that runs nothing")
	}
}

// With exit codes alone, nothing shows what a change of commands hides, and the
// verdict says so.
func TestStory_newCommandsThatNothingShows(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	c := l.checker()
	start := l.commit("chore: start", files{".tdd.yaml": "language: generic\nci: {check_cmd: [\"true\"], test_cmd: [sh, t.sh]}\n", "t.sh": "true\n"})
	s := l.must(c, "chore: faster", files{".tdd.yaml": "language: generic\nci: {test_cmd: [\"true\"]}\n", "t.sh": "true\n"}, start)
	var notes []string
	for _, f := range s.j.Verdict.Notes {
		notes = append(notes, f.Seen)
	}
	said := strings.Join(notes, "\n")
	if len(notes) != 2 || !strings.Contains(said, "only the exit code") || !strings.Contains(said, "takes the check command away") {
		t.Errorf("%q", notes)
	}
}
