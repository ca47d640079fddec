package loop

import (
	"context"
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
	usage   llm.Usage
	objects []objected
	text    strings.Builder // of .tdd/review/step_N_valid.md
}

// objected is what a reviewer's founded points of one tree are.
type objected struct {
	tree   gitx.ID
	points []agents.Point
}

// review shows the reviewer what the gates have accepted. A rejection counts as far
// as its evidence is there, and then sends the step back as a gate's refusal does.
func (l *Loop) review(ctx context.Context, s *step, v *verdict) error {
	if !s.project.Settings.Advised(config.Reviewer) || len(v.change.Files) == 0 {
		return nil
	}
	who, err := l.advisedBy(s.turn, config.Reviewer)
	if err != nil {
		return err
	}
	change, evidence, err := l.reviewed(ctx, s, v)
	if err != nil {
		return err
	}
	if err := l.guideReviewer(ctx, who, &change); err != nil {
		return err
	}
	var answer agents.Review
	a := &adviser{
		turn: who, task: agents.TaskReview, log: s.log, attempt: v.number,
		ask: func(turns []agents.Turn) (agents.Prompt, error) { return s.fitReview(&change, turns) },
		read: func(text string) (err error) {
			answer, err = agents.ParseReview(text)
			return err
		},
	}
	unread, err := l.consult(ctx, a)
	s.review.usage = s.review.usage.Plus(a.usage)
	if err != nil {
		return err
	}
	founded, others := evidence.Sift(answer.Points)
	opinion := opinionOf(answer, founded, unread)
	l.tellReview(s, a, reviewResult{review: answer, opinion: opinion, founded: founded, others: others, unread: unread})
	if opinion == "" {
		o := objected{tree: v.tree, points: founded}
		s.review.objects = append(s.review.objects, o)
		return l.objection(ctx, s, v, o)
	}
	v.step.Review = gates.Review{
		By: who.model.Name, Opinion: opinion,
		Tokens: usage(s.review.usage).TokensText(), Cost: usage(s.review.usage).CostText(),
	}
	v.message = l.withReview(v.message, v.step.Review)
	return nil
}

// opinionOf is what came of a review; empty for a rejection that counts.
func opinionOf(r agents.Review, founded []agents.Point, unread string) gates.Opinion {
	switch {
	case unread != "":
		return gates.Unreadable
	case r.Accepts:
		return gates.Approved
	case len(founded) == 0:
		return gates.Unfounded
	}
	return ""
}

// objection refuses the attempt.
func (l *Loop) objection(ctx context.Context, s *step, v *verdict, o objected) error {
	findings, err := l.objections(ctx, s, o)
	if err != nil {
		return err
	}
	r := v.refuse(findings...)
	r.tree = v.tree
	return r
}

// objections are points as the role is told of them: the lines come from the tree,
// and in isolation the words from a list.
func (l *Loop) objections(ctx context.Context, s *step, o objected) ([]gates.Finding, error) {
	var out []gates.Finding
	for _, p := range o.points {
		text, _, err := l.opts.Repo.Text(ctx, o.tree, p.File)
		if err != nil {
			return nil, err
		}
		out = append(out, p.Finding(lineOf(string(text), p.Line), agents.Isolation(s.project.Settings.Isolation)))
	}
	return out, nil
}

// reviewed gathers what the reviewer is shown of a change, and what its points are
// held against: the files that it may see, as the change leaves them.
func (l *Loop) reviewed(ctx context.Context, s *step, v *verdict) (agents.Reviewing, agents.Evidence, error) {
	r := agents.Reviewing{
		Role: s.role, Plays: s.plays, Step: s.number(), Before: s.before, After: v.after, Serves: s.servedBy(v),
	}
	e := agents.Evidence{Lines: map[string][]string{}}
	for _, c := range katas.ParseCriteria([]byte(s.project.Kata)) {
		r.Criteria = append(r.Criteria, agents.Criterion{ID: c.ID, Text: c.Text})
		e.Criteria = append(e.Criteria, c.ID)
	}
	if len(r.Criteria) == 0 {
		r.Kata = clip(s.project.Kata, maxReviewedKata)
	}
	diffs, err := l.opts.Repo.Diff(ctx, s.head.Tree, v.tree, gitx.NoMoves)
	if err != nil {
		return r, e, err
	}
	var paths []string
	for _, d := range diffs {
		ok, err := l.mayShow(ctx, d.Old, d.New)
		if err != nil {
			return r, e, err
		}
		if !ok || len(paths) == maxDiffed {
			r.Omitted = append(r.Omitted, d.Path())
			continue
		}
		paths = append(paths, d.Path())
		if d.New == nil {
			continue
		}
		text, _, err := l.text(ctx, *d.New)
		if err != nil {
			return r, e, err
		}
		r.Shown = append(r.Shown, agents.ShownFile{Path: d.Path(), Content: text})
		e.Lines[d.Path()] = strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	}
	if len(paths) > 0 {
		r.Diff, err = l.opts.Repo.DiffText(ctx, s.head.Tree, v.tree, paths...)
	}
	r.Diff = clip(r.Diff, maxDiff)
	return r, e, err
}

// maxReviewedKata is how much of a kata without criteria a reviewer is shown, in bytes.
const maxReviewedKata = 16 << 10

// servedBy is the criterion that an accepted change serves; 0 if it names none.
func (s *step) servedBy(v *verdict) int {
	for _, served := range [][]int{v.step.Criteria, s.history.Step.Criteria} {
		if len(served) > 0 {
			return served[0]
		}
	}
	return 0
}

// guideReviewer adds the project's own words for the reviewer.
func (l *Loop) guideReviewer(ctx context.Context, who turn, r *agents.Reviewing) error {
	var b agents.Brief
	err := l.guide(ctx, who, &b)
	r.Extend, r.Follow = b.Extend, b.Replace
	return err
}

// fitReview is the prompt of a review; where it is too long, files are left out,
// and then the end of the change.
func (s *step) fitReview(r *agents.Reviewing, turns []agents.Turn) (agents.Prompt, error) {
	for {
		p, err := r.Ask(turns)
		if err != nil || length(p) <= s.project.Settings.LLM.MaxContext || !r.Shrink() {
			return p, err
		}
	}
}

// reviewResult is one review and what was made of it.
type reviewResult struct {
	review  agents.Review
	opinion gates.Opinion // empty for a rejection that counts
	founded []agents.Point
	others  []string // what is wrong with the other points
	unread  string
}

// tellReview tells what came of a review, and keeps it for readers.
func (l *Loop) tellReview(s *step, a *adviser, r reviewResult) {
	e := a.event(EventReviewed, a.attempt)
	e.What = string(r.opinion)
	switch r.opinion {
	case "":
		e.What = "rejected"
	case gates.Unreadable:
		e.Text = r.unread
		l.note("step %d is not reviewed: %s gave no answer that could be read (%s)", s.number(), a.model.Name, readable(r.unread))
	case gates.Unfounded:
		l.note("the reviewer rejected step %d without any evidence that is there, so its rejection counts for nothing", s.number())
	case gates.Approved:
	}
	for _, why := range r.others {
		e.Findings = append(e.Findings, l.opts.Redact(readable(why)))
	}
	s.log.Reviews = append(s.log.Reviews, reviewLog{Attempt: a.attempt, Opinion: e.What, Ignored: e.Findings})
	l.event(e)
	s.review.text.WriteString(l.opts.Redact(readable(reviewText(a, e.What, r))))
	l.record(l.journal.write(fmt.Sprintf("review/step_%d_valid.md", s.number()), fmt.Sprintf("# Review of step %d, by the %s\n", s.number(), s.role)+s.review.text.String()))
}

// reviewText is one review in Markdown.
func reviewText(a *adviser, came string, r reviewResult) string {
	var out strings.Builder
	fmt.Fprintf(&out, "\n## Attempt %d: %s\n\nReviewer: %s\n", a.attempt, came, a.model.Name)
	if r.unread != "" {
		fmt.Fprintf(&out, "\nNo answer could be read: %s\n", r.unread)
	}
	list := func(title string, items []string) {
		if len(items) > 0 {
			fmt.Fprintf(&out, "\n%s:\n\n- %s\n", title, strings.Join(items, "\n- "))
		}
	}
	var points []string
	for _, p := range r.founded {
		points = append(points, pointText(p))
	}
	list("Points, each with evidence that is there", points)
	list("Ignored, because their evidence is not there", r.others)
	return out.String()
}

// pointText is a point on one line.
func pointText(p agents.Point) string {
	text := fmt.Sprintf("`%s:%d` (%s", p.File, p.Line, p.Kind)
	if p.Criterion > 0 {
		text += fmt.Sprintf(", criterion %d", p.Criterion)
	}
	return text + "): " + strings.Join(strings.Fields(p.Reason), " ")
}

// withReview adds the trailers of a review to a message.
func (l *Loop) withReview(message string, r gates.Review) string {
	m := commitmsg.Parse(message)
	for _, t := range r.Trailers() {
		m.Trailers = append(m.Trailers, commitmsg.Trailer{Key: t.Key, Value: l.opts.Redact(t.Value)})
	}
	return m.String()
}

// objectionLines are all lines in which the reviewer may have spoken to the role of
// a step in isolation, made anew from the trees.
func (l *Loop) objectionLines(ctx context.Context, s *step) ([]string, error) {
	var out []string
	for _, o := range s.review.objects {
		findings, err := l.objections(ctx, s, o)
		if err != nil {
			return nil, err
		}
		for _, line := range gates.Tell(findings) {
			out = append(out, l.opts.Redact(line))
		}
	}
	return out, nil
}

// lineOf is a line of a text, from 1; empty if there is none.
func lineOf(text string, n int) string {
	lines := slices.Collect(strings.Lines(text))
	if n < 1 || n > len(lines) {
		return ""
	}
	return strings.TrimRight(lines[n-1], "\r\n")
}
