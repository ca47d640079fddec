package loop

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/agents"
	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/katas"
	"github.com/git-tdd/git-tdd/testrun"
)

// outputLines is how much of an output a person is shown.
const outputLines = 30

// maxDiff is how much of the last diff is used, in bytes.
const maxDiff = 256 << 10

// factsOfHead gets the facts of HEAD and checks the trailers against them.
func (l *Loop) factsOfHead(ctx context.Context, t *turn) (testrun.Result, error) {
	l.doing(t.doing(0, "facts of HEAD"))
	before, err := l.opts.Checker.Of(ctx, t.project, t.head.Tree)
	if err != nil {
		return before, err
	}
	f := before.Facts
	if !f.Finished() {
		return before, &StopError{Reason: Unjudged, Text: fmt.Sprintf(
			"the tests of HEAD did not finish (%s), so nothing can be judged against them; `git tdd doctor` looks for the cause\n%s",
			f.Class(), l.opts.Redact(before.LastLines(outputLines)))}
	}
	if t.base, err = l.opts.Checker.Base(ctx, t.project, t.history); err != nil {
		return before, err
	}
	if t.history.Started() {
		if t.history.Open, err = l.opts.Checker.Open(ctx, t.head.Commit, f, t.base); err != nil {
			return before, err
		}
	}
	if text := gates.Contradiction(t.history, f, t.base); text != "" {
		return before, &StopError{Reason: Contradicted, Text: text + "; bring HEAD back to what its step says (git revert, or repair it in a fix: or chore: commit), then try again"}
	}
	return before, nil
}

func (l *Loop) brief(ctx context.Context, t turn, measured testrun.Result) (agents.Brief, error) {
	s, before := t.project.Settings, measured.Facts
	b := agents.Brief{
		Role: t.role, Plays: t.plays, Step: t.number(), MaxAttempts: s.MaxAttempts,
		Language: t.project.Language.Name, Idiom: t.project.Language.Idiom, Stub: t.project.Language.Stub, Raises: t.project.Language.Raises, Inline: t.project.Language.InlineTests(),
		Rules: s.Rules(t.role), Kata: t.project.Kata, LastStep: lastStepText(t.history, before),
		LastCommit: ownWords(t.commit.Message), Facts: before, Policy: s.Gates, Disputed: t.dispute.why, Outer: t.history.Open,
	}
	if t.plays == gates.Implementor && silent(before) {
		b.Output = telling(measured.Runs)
	}
	var err error
	if b.Extend, err = l.guides(ctx, t); err != nil {
		return b, err
	}
	if t.project.Settings.Advised(config.Planner) {
		if b.Plan, err = l.planAt(ctx, t); err != nil {
			return b, err
		}
	}
	if b.Notes, err = l.notes(ctx, t); err != nil {
		return b, err
	}
	shown := before
	if t.base != nil && !before.Complete() {
		b.Before, shown = t.base, *t.base // what the red keeps from compiling is no less covered
	}
	if b.Criteria, err = l.criteria(ctx, t.position, shown); err != nil {
		return b, err
	}
	b.Begin = begins(t, b.Criteria)
	if t.plays != gates.Tester && len(t.history.Step.Criteria) > 0 {
		b.Serves = t.history.Step.Criteria[0]
	}
	listed := slices.DeleteFunc(slices.Clone(t.project.Entries), func(e gitx.Entry) bool { return neverShown(e) || t.aside(e.Path) })
	b.Files = gates.Each(listed, func(e gitx.Entry) string { return e.Path })
	return b, nil
}

// guides is what the project adds to the instructions of the role, or of both that answer
// together.
func (l *Loop) guides(ctx context.Context, t turn) (string, error) {
	own, err := l.guide(ctx, t, t.role)
	if err != nil || !t.together {
		return own, err
	}
	code, err := l.guide(ctx, t, t.answers())
	return strings.TrimSpace(own + "\n\n" + code), err
}

// silent reports whether the facts do not tell what a failure said.
func silent(f gates.Facts) bool {
	return !slices.ContainsFunc(f.With(gates.StatusFailed), func(t gates.Test) bool { return t.Message != "" }) &&
		!slices.ContainsFunc(f.Diagnostics, func(d gates.Diagnostic) bool { return d.Message != "" })
}

// ownWords are what a message says beyond the files and the measurements; of an agent's, why
// it withdraws a test.
func ownWords(message string) string {
	m := commitmsg.Parse(message)
	if _, agent := m.Get(gates.KeyModel); agent {
		return whyWithdrawn(m)
	}
	return commitmsg.Message{Subject: m.Subject, Body: m.Body, Sections: m.Sections}.String()
}

// whyWithdrawn is the dispute for which a step withdraws a test; empty if it does not.
func whyWithdrawn(m commitmsg.Message) string {
	step, _ := gates.ParseStep(m)
	context, _ := m.Section("Context")
	if !step.Withdraws() {
		return ""
	}
	why, _ := gates.Find(context.Items, func(item string) bool { return strings.HasPrefix(item, "Disputed: ") })
	return why
}

// parent is the first parent of a commit; nil if the history begins there.
func (l *Loop) parent(ctx context.Context, c gitx.Commit) (*gitx.Commit, error) {
	if len(c.Parents) == 0 {
		return nil, nil //nolint:nilnil // the first commit has none
	}
	before, err := l.opts.Repo.Commit(ctx, string(c.Parents[0]))
	if errors.Is(err, gitx.ErrMissing) {
		return nil, nil //nolint:nilnil // a shallow clone ends here
	}
	return &before, err
}

// changed says how many commits ago each file changed, over two rounds of the rotation.
func (l *Loop) changed(ctx context.Context, t turn) (map[string]int, error) {
	var trees []gitx.ID
	err := l.opts.Repo.Walk(ctx, string(t.head.Commit), func(c gitx.Commit) bool {
		trees = append(trees, c.Tree)
		return len(trees) <= 2*len(t.project.Settings.Rotation)
	})
	out := map[string]int{}
	for ago := range max(0, len(trees)-1) {
		diffs, err := l.opts.Repo.Diff(ctx, trees[ago+1], trees[ago])
		if err != nil {
			return nil, err
		}
		for _, d := range diffs {
			if _, later := out[d.Path()]; !later {
				out[d.Path()] = ago
			}
		}
	}
	return out, err
}

// maxNotes is how many commits back a role is told of notes.
const maxNotes = 12

// notes are what was noted since this role's last step, and there, oldest first.
func (l *Loop) notes(ctx context.Context, t turn) ([]string, error) {
	var out []string
	left := maxNotes
	err := l.opts.Repo.Walk(ctx, string(t.head.Commit), func(c gitx.Commit) bool {
		step, ok := gates.ParseStep(commitmsg.Parse(c.Message))
		if step.Note != "" {
			out = append(out, fmt.Sprintf("%s of step %d: %s", step.Role, step.Number, step.Note))
		}
		left--
		return left > 0 && (!ok || step.Role != t.role)
	})
	slices.Reverse(out)
	return out, err
}

// lastStepText is what the last step did that the measurements do not show.
func lastStepText(history gates.Position, now gates.Facts) string {
	last := history.Step
	if last.Withdraws() {
		return "the disputed test is withdrawn"
	}
	unseen := slices.DeleteFunc(slices.Clone(last.Red), func(r gates.Red) bool {
		return slices.ContainsFunc(now.With(gates.StatusFailed), func(t gates.Test) bool { return t.ID == r.ID })
	})
	return strings.Join(gates.Each(unseen, func(r gates.Red) string { return "red: " + r.String() }), "; ")
}

// maxDiffed is how many files of the last change are looked at.
const maxDiffed = 200

// lastDiff is what the last commit changed, but for what no model is shown.
func (l *Loop) lastDiff(ctx context.Context, s *step) (string, error) {
	before, err := l.parent(ctx, s.commit)
	if err != nil || before == nil {
		return "", err
	}
	diffs, err := l.opts.Repo.Diff(ctx, before.Tree, s.head.Tree)
	if err != nil {
		return "", err
	}
	diffs = slices.DeleteFunc(diffs[:min(len(diffs), maxDiffed)], func(d gitx.Diff) bool {
		return !s.allows(d.Path()) || strings.HasPrefix(d.Path(), gates.PlanDir+"/")
	})
	_, text, err := l.shownDiff(ctx, before.Tree, s.head.Tree, diffs)
	return text, err
}

// shownDiff is what differs between two trees, but for what no model is shown, and the paths of the rest.
func (l *Loop) shownDiff(ctx context.Context, before, after gitx.ID, diffs []gitx.Diff) (paths []string, text string, err error) {
	for _, d := range diffs {
		ok, err := l.mayShow(ctx, d.Old, d.New)
		if err != nil {
			return nil, "", err
		}
		if ok && len(paths) < maxDiffed {
			paths = append(paths, d.Path())
		}
	}
	if len(paths) > 0 {
		text, err = l.opts.Repo.DiffText(ctx, before, after, paths...)
	}
	return paths, clip(text, maxDiff), err
}

// criteria lists the kata's criteria, each with the passing tests that cover it.
func (l *Loop) criteria(ctx context.Context, at position, now gates.Facts) ([]agents.Criterion, error) {
	listed := katas.ParseCriteria([]byte(at.project.Kata))
	if len(listed) == 0 {
		return nil, nil
	}
	covered, err := l.opts.Checker.Covered(ctx, at.project, at.head.Commit, now)
	if err != nil {
		return nil, err
	}
	return gates.Each(listed, func(c katas.Criterion) agents.Criterion {
		by := covered[c.ID]
		return agents.Criterion{ID: c.ID, Text: c.Text, Covered: len(by.Tests) > 0, By: by.Tests, Whole: by.Whole(), Outer: by.Acceptance}
	}), nil
}
