package loop

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-tdd/git-tdd/agents"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/katas"
)

// maxDiff is how much of the last diff is looked at, in bytes.
const maxDiff = 256 << 10

// editable reports whether a role may, as far as the path tells, change a file.
// A tester writes into sources where tests stand in them, or where the policy
// allows stubs.
func editable(t *turn, path string) bool {
	kind := t.project.Language.Kind(path)
	testing, source := kind == gates.KindTest || kind == gates.KindSupport, kind == gates.KindSource
	switch t.plays {
	case gates.Tester:
		inline := t.project.Language.Inline() || t.project.Settings.Gates.Stubs == gates.Allow
		return testing || source && inline
	case gates.Implementor:
		return source
	case gates.Refactorer:
		return testing || source
	}
	return false
}

// material gathers, once a step, all that its role could be shown.
func (l *Loop) material(ctx context.Context, t *turn) error {
	s := t.project.Settings
	b := agents.Brief{
		Role: t.role, Plays: t.plays, Step: t.number(), MaxAttempts: s.MaxAttempts,
		Cycle: t.pos.Following(t.role, t.plays).Cycle, Language: t.project.Language.Name, Idiom: t.project.Language.Idiom, Stub: t.project.Language.Stub, Inline: t.project.Language.Inline(),
		Kata: t.project.Kata, Phase: goalOf(t.plays), NextNote: standing(t),
		LastCommit: t.commit.Message, Facts: t.before.Facts, Policy: s.Gates,
	}
	var err error
	if b.Criteria, err = l.criteria(ctx, t); err != nil {
		return err
	}
	if b.LastDiff, err = l.lastDiff(ctx, t); err != nil {
		return err
	}
	for _, e := range t.project.Entries {
		b.Files = append(b.Files, e.Path)
	}
	t.material = b
	return nil
}

// goalOf says in words what a role's step is for.
func goalOf(plays gates.Role) string {
	switch plays {
	case gates.Tester:
		return "write the next failing test (red)"
	case gates.Implementor:
		return "make the failing test pass (green)"
	case gates.Refactorer:
		return "tidy up, on green (refactor)"
	}
	return ""
}

// standing says in words where the history stands.
func standing(t *turn) string {
	if !t.pos.Started() {
		return "none"
	}
	last := t.pos.Step
	parts := []string{fmt.Sprintf("%d, by the %s (%s): %s", last.Number, last.Role, last.Phase, last.Tests)}
	for _, r := range last.Red {
		parts = append(parts, "red: "+r.String())
	}
	return strings.Join(parts, "; ")
}

func (l *Loop) lastDiff(ctx context.Context, t *turn) (string, error) {
	if len(t.commit.Parents) == 0 {
		return "", nil
	}
	parent, err := l.opts.Repo.Commit(ctx, string(t.commit.Parents[0]))
	if err != nil {
		return "", err
	}
	text, err := l.opts.Repo.DiffText(ctx, parent.Tree, t.head.Tree)
	return clip(text, maxDiff), err
}

// criteria lists the kata's acceptance criteria and which of them a passing
// test covers: one that a tester's commit named for it.
func (l *Loop) criteria(ctx context.Context, t *turn) ([]agents.Criterion, error) {
	listed := katas.ParseCriteria([]byte(t.project.Kata))
	if len(listed) == 0 {
		return nil, nil
	}
	covered, err := l.opts.Checker.Covered(ctx, t.project, t.head.Commit, t.before.Facts)
	if err != nil {
		return nil, err
	}
	var out []agents.Criterion
	for _, c := range listed {
		by := covered[c.ID]
		out = append(out, agents.Criterion{ID: c.ID, Text: c.Text, Covered: len(by) > 0, By: by})
	}
	return out, nil
}
