package loop

import (
	"cmp"
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
	"github.com/git-tdd/git-tdd/llm"
)

// reviewing is what the reviewer has said in a step so far.
type reviewing struct {
	usage llm.Usage
	text  strings.Builder // of .tdd/review/step_N_valid.md
	// reopened is the model whose final review gave the kata back to the tester in this
	// step; empty if none did.
	reopened string
}

// review shows the reviewer what the gates accepted. A rejection counts as far as its evidence exists.
func (l *Loop) review(ctx context.Context, s *step, v *verdict) error {
	switch {
	case !s.project.Settings.Advised(config.Reviewer):
		return nil
	case v.complete:
		return l.finalReview(ctx, s, v)
	case len(v.change.Files) == 0:
		return nil
	}
	r, err := l.reviewStep(ctx, s, v)
	if err != nil {
		return errors.Join(err, l.unreviewed(context.WithoutCancel(ctx), s, v))
	}
	if r.opinion == "" {
		return objection(s, v, r)
	}
	l.reviewedBy(s, v, r.by, r.opinion)
	return nil
}

func (l *Loop) reviewStep(ctx context.Context, s *step, v *verdict) (reviewResult, error) {
	change, err := l.reviewed(ctx, s, v)
	if err != nil {
		return reviewResult{}, err
	}
	r, err := l.askReviewer(ctx, s, change, v.number)
	if err == nil {
		text := fmt.Sprintf("\n## Attempt %d: %s\n\nReviewer: %s\n", v.number, r.came(), r.by) + pointsText(r)
		s.review.text.WriteString(l.opts.Redact(readable(text)))
		l.record(l.journal.write(fmt.Sprintf("review/step_%d_valid.md", s.number()), fmt.Sprintf("# Review of step %d, by the %s\n", s.number(), s.role)+s.review.text.String()))
	}
	return r, err
}

// askReviewer asks the reviewer, and sifts its answer by the evidence.
func (l *Loop) askReviewer(ctx context.Context, s *step, change agents.Reviewing, attempt int) (r reviewResult, err error) {
	who, err := l.advisedBy(s.turn, config.Reviewer)
	if err != nil {
		return r, err
	}
	a := &adviser{turn: who, task: change.Task(), log: s.log, attempt: attempt, question: &change}
	r.by, r.evidence = who.model.Name, change.Evidence()
	r.review, r.unread, err = consult(ctx, l, a, agents.ParseReview)
	s.review.usage = s.review.usage.Plus(a.usage)
	if err != nil {
		return r, err
	}
	r.founded, r.others = r.evidence.Sift(r.review.Points)
	switch {
	case r.unread != "":
		r.opinion = gates.Unreadable
	case r.review.Accepts:
		r.opinion = gates.Approved
	case len(r.founded) == 0:
		r.opinion = gates.Unfounded
	}
	l.tellReview(s, a, r)
	return r, nil
}

// reviewedBy notes in the trailers of a commit what came of its review.
func (l *Loop) reviewedBy(s *step, v *verdict, by string, opinion gates.Opinion) {
	v.step.Review = gates.Review{
		By: by, Opinion: opinion,
		Tokens: s.review.usage.String(),
	}
	if s.review.reopened != "" && !v.complete {
		v.message = l.withReview(v.message, gates.Review{By: s.review.reopened, Opinion: gates.Reopened})
	}
	v.message = l.withReview(v.message, v.step.Review)
}

// objection refuses what a reviewer objects to. The role is told of lines of the tree and, in
// isolation, in fixed words; after a final review, of the files that it may know.
func objection(s *step, v *verdict, review reviewResult) error {
	var out []gates.Finding
	if v.complete {
		out = append(out, gates.Finding{
			Gate: "review", Seen: "the final review objects to the whole of what was made",
			Remedy: `write the one failing test that shows it; where no test can, answer "done": true and say why in "notes"`,
		})
	}
	for _, p := range review.founded {
		if v.complete && s.strictly() && !s.mayKnow(p.File) {
			out = append(out, p.Hidden())
			continue
		}
		if s.strictly() {
			p.Reason = "" // a reviewer knows what the role may not
		}
		out = append(out, p.Finding(review.evidence.Lines[p.File][p.Line-1]))
	}
	r := v.refuse(out...)
	r.tree = v.tree
	for _, p := range review.founded { // the words themselves are in no prompt either
		if s.strictly() && !strings.Contains(r.Error(), p.Reason) {
			s.told = s.told.Withhold(p.Reason)
		}
	}
	return r
}

// reviewed gathers what the reviewer is shown of a change.
func (l *Loop) reviewed(ctx context.Context, s *step, v *verdict) (agents.Reviewing, error) {
	r := agents.Reviewing{
		Material: agents.Material{Step: s.number()}, Role: s.role, Plays: s.plays,
		Before: s.before, After: v.after, Acceptance: len(v.step.Acceptance) > 0,
		Serves: slices.Concat(v.step.Criteria, s.history.Step.Criteria, []int{0})[0], // 0: neither names any
	}
	r.Criteria = gates.Each(katas.ParseCriteria([]byte(s.project.Kata)), func(c katas.Criterion) agents.Criterion {
		return agents.Criterion{ID: c.ID, Text: c.Text}
	})
	return r, l.showChange(ctx, s, s.head.Tree, v.tree, &r)
}

// showChange shows a reviewer what differs between two trees.
func (l *Loop) showChange(ctx context.Context, s *step, before, after gitx.ID, r *agents.Reviewing) (err error) {
	if len(r.Criteria) == 0 {
		r.Kata = clip(s.project.Kata, maxReviewedKata)
	}
	if r.Extend, err = l.guide(ctx, s.turn, config.Reviewer); err != nil {
		return err
	}
	diffs, err := l.opts.Repo.Diff(ctx, before, after)
	if err != nil {
		return err
	}
	paths, text, err := l.shownDiff(ctx, before, after, diffs)
	r.Diff = text
	for _, d := range diffs {
		if !slices.Contains(paths, d.Path()) {
			r.Omitted = append(r.Omitted, d.Path())
		} else if d.New != nil {
			text, _, err := l.text(ctx, *d.New)
			if err != nil {
				return err
			}
			r.Shown = append(r.Shown, agents.ShownFile{Path: d.Path(), Content: text})
		}
	}
	return err
}

// maxReviewedKata is how much of a kata without criteria a reviewer is shown, in bytes.
const maxReviewedKata = 16 << 10

// reviewResult is one review and what was made of it.
type reviewResult struct {
	by       string // the model
	review   agents.Review
	evidence agents.Evidence
	opinion  gates.Opinion // empty for a rejection that counts
	founded  []agents.Point
	others   []string // why the other points do not count
	unread   string
}

// tellReview tells what came of a review, and keeps it for readers.
func (l *Loop) tellReview(s *step, a *adviser, r reviewResult) {
	switch r.opinion { //nolint:exhaustive // the others say it all
	case gates.Unreadable:
		l.note("step %d is not reviewed: %s gave no answer that could be read (%s)", s.number(), a.model.Name, readable(r.unread))
	case gates.Unfounded:
		l.note("the reviewer rejected step %d without any evidence that is there, so its rejection counts for nothing", s.number())
	}
	ignored := gates.Each(r.others, func(why string) string { return l.opts.Redact(readable(why)) })
	s.log.Reviews = append(s.log.Reviews, reviewLog{Attempt: a.attempt, Opinion: r.came(), Ignored: ignored})
}

// came is what came of a review, in a word.
func (r reviewResult) came() string { return cmp.Or(string(r.opinion), string(gates.Rejected)) }

func (l *Loop) withReview(message string, r gates.Review) string {
	m := commitmsg.Parse(message)
	for _, t := range r.Trailers() {
		m.Trailers = append(m.Trailers, commitmsg.Trailer{Key: t.Key, Value: l.opts.Redact(t.Value)})
	}
	return m.String()
}
