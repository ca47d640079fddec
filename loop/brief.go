package loop

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/agents"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/katas"
)

// maxShown is the size above which a file is not shown to a model, in bytes.
const maxShown = 128 << 10

// editable reports whether a role may, as far as the path tells, change a file.
func editable(t *turn, path string) bool {
	kind := t.project.Language.Kind(path)
	testing := kind == gates.KindTest || kind == gates.KindSupport
	switch t.plays {
	case gates.Tester:
		return testing
	case gates.Implementor:
		return kind == gates.KindSource
	case gates.Refactorer:
		return testing || kind == gates.KindSource
	}
	return false
}

// brief gathers all that a role is shown.
func (l *Loop) brief(ctx context.Context, t *turn, n int, feedback *agents.Feedback) (agents.Brief, error) {
	s := t.project.Settings
	b := agents.Brief{
		Role: t.role, Plays: t.plays, Step: t.number(), Attempt: n, MaxAttempts: s.MaxAttempts,
		Cycle: t.pos.Following(t.role, t.plays).Cycle, Language: t.project.Language.Name,
		Kata: t.project.Kata, Phase: goalOf(t.plays), NextNote: standing(t),
		LastCommit: t.commit.Message, Facts: t.before.Facts, Policy: s.Gates, Feedback: feedback,
	}
	var err error
	if b.Criteria, err = l.criteria(ctx, t); err != nil {
		return b, err
	}
	if b.LastDiff, err = l.lastDiff(ctx, t); err != nil {
		return b, err
	}
	for _, e := range t.project.Entries {
		b.Files = append(b.Files, e.Path)
	}
	for _, name := range sortedKeys(t.dirty) {
		b.OffLimits = append(b.OffLimits, agents.OffLimit{Path: name, Why: "uncommitted work of the user: " + string(t.dirty[name])})
	}
	if err := l.show(ctx, t, &b); err != nil {
		return b, err
	}
	return b.Narrow(agents.Isolation(s.Isolation)), nil
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
	return l.opts.Repo.DiffText(ctx, parent.Tree, t.head.Tree)
}

// show chooses the files that a role sees whole, the most telling first, under
// the token budget of a prompt.
func (l *Loop) show(ctx context.Context, t *turn, b *agents.Brief) error {
	var candidates []agents.ShownFile
	for _, e := range byImportance(t, b) {
		obj, err := l.opts.Repo.Object(ctx, string(e.ID))
		if err != nil {
			return err
		}
		if len(obj.Content) > maxShown || strings.ContainsRune(string(obj.Content), 0) {
			continue
		}
		_, dirty := t.dirty[e.Path]
		candidates = append(candidates, agents.ShownFile{
			Path: e.Path, Kind: t.project.Language.Kind(e.Path), Content: string(obj.Content),
			Editable: editable(t, e.Path) && !dirty,
		})
	}
	b.Shown, b.Omitted = agents.SelectFiles(candidates, t.project.Settings.LLM.MaxContext)
	return nil
}

// byImportance orders the code of the project: what the facts and the last
// diff speak of, what the plan names, then the rest, tests before sources for
// whoever writes tests.
func byImportance(t *turn, b *agents.Brief) []gitx.Entry {
	said := []string{t.plan, b.LastDiff}
	for _, x := range t.before.Facts.With(gates.StatusFailed) {
		said = append(said, x.File)
	}
	for _, d := range t.before.Facts.Diagnostics {
		said = append(said, d.File)
	}
	spoken := strings.Join(said, "\n")
	rank := func(e gitx.Entry) int {
		r := 0
		if !strings.Contains(spoken, e.Path) {
			r += 2
		}
		if !editable(t, e.Path) {
			r++
		}
		return r
	}
	var code []gitx.Entry
	for _, e := range t.project.Entries {
		switch kind := t.project.Language.Kind(e.Path); {
		case e.Mode != gitx.ModeFile && e.Mode != gitx.ModeExecutable, generated(e.Path):
		case kind == gates.KindSource || kind == gates.KindTest || kind == gates.KindSupport || kind == gates.KindConfig:
			code = append(code, e)
		}
	}
	slices.SortStableFunc(code, func(a, b gitx.Entry) int { return rank(a) - rank(b) })
	return code
}

// generated reports whether a file is written by a tool and tells a reader
// nothing.
func generated(name string) bool {
	base := path.Base(name)
	return strings.HasSuffix(base, ".lock") || base == "go.sum" || base == "package-lock.json"
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
