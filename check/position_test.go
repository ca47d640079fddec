package check

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/lang"
)

const red4 = "test: sum\n\nTdd-Step: 4\nTdd-Role: tester\nTdd-Cycle: 2\nTdd-Phase: red\n"

// history makes empty commits, the oldest first.
func (l *lab) history(messages ...string) []gitx.ID {
	l.Helper()
	var ids []gitx.ID
	for _, m := range messages {
		var parents []gitx.ID
		if len(ids) > 0 {
			parents = ids[len(ids)-1:]
		}
		ids = append(ids, l.commit(m, files{"a": "1"}, parents...))
	}
	return ids
}

// stands checks where a history stands: at which step, or 0.
func (l *lab) stands(commit gitx.ID, at gitx.ID, number int) {
	l.Helper()
	for range 2 { // the second time from what is remembered
		p, err := FindPosition(context.Background(), l.repo, commit)
		gittest.Check(l, err)
		if p.Commit != string(at) || p.Step.Number != number {
			l.Errorf("at %q, step %d; want %q, step %d", p.Commit, p.Step.Number, at, number)
		}
	}
}

func TestPosition_nearest(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	ids := l.history("chore: start", red4, "docs: words", "chore: Tdd-Step: 9", "docs: more\n\nbody\n")
	l.stands(ids[4], ids[1], 4)
	l.stands(ids[1], ids[1], 4)
	l.stands(ids[0], "", 0)
	l.stands("", "", 0)
	p, err := l.checker().Position(t.Context(), ids[4])
	gittest.Check(t, err)
	if p.Step.Cycle != 2 || p.Step.Phase != gates.PhaseRed || p.Step.Role != gates.Tester {
		t.Errorf("%+v", p.Step)
	}
}

func TestPosition_onlyRealTrailersCount(t *testing.T) {
	t.Parallel()
	for name, message := range map[string]string{
		"in the body":         "docs: x\n\nTdd-Step: 9\n\nThis is prose.\n",
		"behind a rule":       "docs: x\n\ntext\n\n--\nnot: Tdd-Step\n",
		"no number":           "docs: x\n\nTdd-Step: nine\n",
		"zero":                "docs: x\n\nTdd-Step: 0\n",
		"negative":            "docs: x\n\nTdd-Step: -3\n",
		"too large":           "docs: x\n\nTdd-Step: 99999999999999999999\n",
		"fraction":            "docs: x\n\nTdd-Step: 9.5\n",
		"quoted":              "docs: x\n\n> Tdd-Step: 9\n",
		"subject":             "Tdd-Step: 9\n",
		"other key":           "docs: x\n\nTdd-Steps: 9\n",
		"in a merge's branch": "docs: x\n",
	} {
		l := newLab(t)
		base := l.history(red4)[0]
		side := l.commit("feat: y\n\nTdd-Step: 9\n", files{"b": "1"}, base)
		top := l.commit(message, files{"a": "2"}, base, side)
		t.Log(name)
		l.stands(top, base, 4)
	}
	l := newLab(t)
	for _, form := range []string{"tdd-step: 7", "TDD-STEP:7", "Tdd-Step : 7"} {
		id := l.history("test: x\n\n" + form + "\n")[0]
		l.stands(id, id, 7)
	}
}

func TestPosition_deepHistories(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	messages := []string{"chore: start", red4}
	for i := range near + 30 {
		messages = append(messages, fmt.Sprintf("docs: %d", i))
	}
	messages = append(messages, "docs: forged\n\nTdd-Step: 9\n\nprose, and no trailer\n")
	for i := range near + 30 {
		messages = append(messages, fmt.Sprintf("docs: more %d", i))
	}
	ids := l.history(messages...)
	l.stands(ids[len(ids)-1], ids[1], 4)
	if _, err := os.Stat(noStepFile(l.repo)); err == nil {
		t.Error("remembered a history with a step as one without")
	}
}

func TestPosition_historiesWithoutAStep(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	messages := make([]string, near+10)
	for i := range messages {
		messages[i] = fmt.Sprintf("docs: %d\n\nTdd-Step: no\n", i)
	}
	ids := l.history(messages...)
	top := ids[len(ids)-1]
	l.stands(top, "", 0)
	remembered := gittest.Read(t, noStepFile(l.repo))
	if strings.TrimSpace(remembered) != string(top) {
		t.Errorf("remembered %s, want %s", remembered, top)
	}
	next := l.commit(red4, files{"a": "2"}, top)
	after := l.commit("docs: x", files{"a": "2"}, next)
	l.stands(after, next, 4)
	l.stands(l.commit("docs: y", files{"a": "3"}, top), "", 0)
	for _, damage := range []string{"", "rubbish", string(next), strings.Repeat("0", 40)} {
		gittest.Write(t, noStepFile(l.repo), damage)
		l.stands(top, "", 0)
	}
	gittest.Check(t, os.RemoveAll(filepath.Dir(noStepFile(l.repo))))
	gittest.Write(t, filepath.Dir(noStepFile(l.repo)), "") // where nothing can be remembered
	if p, err := FindPosition(t.Context(), l.repo, top); err != nil || p.Started() {
		t.Errorf("%+v, %v", p, err)
	}
}

// A step that a shallow clone hides is not remembered as missing.
func TestPosition_shallowCloneThatGrows(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	messages := []string{red4}
	for i := range near + 40 {
		messages = append(messages, fmt.Sprintf("docs: %d", i))
	}
	ids := l.history(messages...)
	top := ids[len(ids)-1]
	l.Git("update-ref", "refs/heads/main", string(top))
	clone := labOf(l.Clone("--depth=" + fmt.Sprint(near+20)))
	clone.stands(top, "", 0)
	clone.Git("fetch", "--quiet", "--unshallow")
	clone.stands(top, ids[0], 4)
}

func TestJudge_inAShallowClone(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	l := newLab(t)
	start := l.commit("chore: start", calc(sumZero, testZero))
	c := l.checker()
	red := l.must(c, "test: sum", calc(sumZero, testZero+testSum), start)
	l.Git("update-ref", "refs/heads/main", string(red.commit))
	clone := labOf(l.Clone("--depth=1"))
	cc := clone.checker()
	clone.must(cc, "feat: sum", calc(sum, testZero+testSum), red.commit)
	if _, err := cc.Commit(t.Context(), string(red.commit)); err == nil || !strings.Contains(err.Error(), "--unshallow") {
		t.Errorf("a commit whose parent is not here: %v", err)
	}
}

func TestTurn(t *testing.T) {
	t.Parallel()
	settings := func(yaml string) config.Settings {
		s, err := config.Parse([]byte(yaml), nil, lang.All())
		gittest.Check(t, err)
		return s
	}
	custom := "rotation: [tester, critic, implementor, refactorer, polisher]\nroles:\n  critic: {plays: refactorer}\n  polisher: {plays: refactorer}\n"
	for _, c := range []struct {
		yaml  string
		role  gates.Role
		phase gates.Phase
		want  gates.Role
	}{
		{"", "", "", gates.Tester},
		{"", gates.Tester, gates.PhaseRed, gates.Implementor},
		{"", gates.Implementor, gates.PhaseGreen, gates.Refactorer},
		{"", gates.Refactorer, gates.PhaseRefactor, gates.Tester},
		{"", gates.Tester, gates.PhaseGreen, gates.Refactorer}, // of an acceptance test that passes
		{"", "stranger", gates.PhaseGreen, gates.Tester},
		{"", "stranger", gates.PhaseRed, gates.Implementor},
		{"", gates.Tester, "", gates.Refactorer},
		{custom, gates.Tester, gates.PhaseRed, gates.Implementor}, // no other role fits a red
		{custom, gates.Tester, gates.PhaseGreen, "critic"},
		{custom, gates.Refactorer, gates.PhaseRefactor, "polisher"},
		{custom, "polisher", gates.PhaseRefactor, gates.Tester},
		{custom, "critic", gates.PhaseRefactor, gates.Refactorer},
		{"rotation: [implementor, tester]\n", "", "", gates.Tester},
	} {
		pos := gates.Position{Step: gates.Step{Role: c.role, Phase: c.phase}}
		if got := Turn(settings(c.yaml), pos); got != c.want {
			t.Errorf("after %q, %q: %s, want %s", c.role, c.phase, got, c.want)
		}
	}
	for yaml, want := range map[string]gates.Role{"": gates.Tester, "rotation: [tester, critic, implementor, writer]\nroles:\n  critic: {plays: refactorer}\n  writer: {plays: tester}\n": "writer"} {
		pos := gates.Position{Step: gates.Step{Role: gates.Tester, Phase: gates.PhaseGreen, Outcome: gates.Characterization}}
		if got := Turn(settings(yaml), pos); got != want {
			t.Errorf("after a characterization, %q: %s, want %s: no source has changed", yaml, got, want)
		}
	}
}
