package loop

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/agents"
	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
)

// kataSoFar is what a history has made of a kata: since it began, or was complete.
type kataSoFar struct {
	base     gitx.ID  // the tree that it began with; empty at the beginning of history
	subjects []string // of the steps, each on one line
	reopened bool     // a final review has given it back to the tester
}

// finalReview shows the reviewer the whole kata before it is complete; it may reopen the kata once.
func (l *Loop) finalReview(ctx context.Context, s *step, v *verdict) error {
	if s.review.reopened != "" { // in this very step, and the tester still has nothing left
		l.note("the tester has nothing left after the final review, which rejected the kata; see .tdd/review/final_validation.md")
		l.reviewedBy(s, v, s.review.reopened, gates.Rejected)
		return nil
	}
	past, err := l.kataSoFar(ctx, s)
	if err != nil {
		return err
	}
	change := agents.Reviewing{
		Material: agents.Material{Step: s.number(), Criteria: s.brief.Criteria},
		Role:     s.role, Plays: s.plays, After: s.before, Final: true, Steps: past.subjects,
	}
	if err := l.showChange(ctx, s, past.base, s.head.Tree, &change); err != nil {
		return err
	}
	r, err := l.askReviewer(ctx, s, change, v.number)
	if err != nil {
		return err
	}
	again := r.opinion == "" && !past.reopened && v.number < s.project.Settings.MaxAttempts
	came := r.came()
	if again {
		came += ", and the kata is open once more"
	}
	head := fmt.Sprintf("\nOf commit %s, by %s: %s.\n", s.head.Commit.Short(), r.by, came)
	text := "# Final review\n" + head + tracesText(s, r) + "\n## Points\n" + cmp.Or(pointsText(r), "\nNone.\n")
	l.record(l.journal.write("review/final_validation.md", l.opts.Redact(readable(text))))
	if !again {
		if r.opinion == "" {
			l.note("the final review rejects the kata, which cannot be open once more; see .tdd/review/final_validation.md")
		}
		l.reviewedBy(s, v, r.by, gates.Opinion(r.came()))
		return nil
	}
	s.review.reopened = r.by
	return objection(s, v, r)
}

// kataSoFar reads what a history has made of the kata, back to where it was
// complete last, or to its first step.
func (l *Loop) kataSoFar(ctx context.Context, s *step) (kataSoFar, error) {
	var past kataSoFar
	var first gitx.Commit
	err := l.opts.Repo.Walk(ctx, string(s.head.Commit), func(c gitx.Commit) bool {
		m := commitmsg.Parse(c.Message)
		if outcome, _ := m.Get(gates.KeyOutcome); outcome == string(gates.Complete) {
			return false
		}
		past.reopened = past.reopened || slices.ContainsFunc(m.All(gates.KeyReview), func(text string) bool {
			return strings.HasSuffix(text, "("+string(gates.Reopened)+")")
		})
		step, ok := gates.ParseStep(m)
		if !ok {
			return true
		}
		first = c
		past.subjects = append(past.subjects, fmt.Sprintf("step %d, %s: %s", step.Number, step.Role, readable(m.Subject)))
		return step.Number > 1 && len(past.subjects) < maxFinalSteps
	})
	slices.Reverse(past.subjects)
	if err != nil || first.ID == "" {
		return past, err
	}
	before, err := l.parent(ctx, first)
	if before != nil {
		past.base = before.Tree
	}
	return past, err
}

// maxFinalSteps is how many steps a final review looks at.
const maxFinalSteps = 500

// tracesText follows each criterion to its measured tests and to the code that the reviewer named.
func tracesText(s *step, r reviewResult) string {
	var out strings.Builder
	for _, c := range s.brief.Criteria {
		fmt.Fprintf(&out, "\n## Criterion %d: %s\n\n", c.ID, c.Text)
		for _, test := range c.By {
			fmt.Fprintf(&out, "- test, measured: `%s`\n", test)
		}
		for _, place := range named(c, r, s.before) {
			fmt.Fprintf(&out, "- %s\n", place)
		}
	}
	return out.String()
}

// named are the tests and code that the reviewer named for a criterion and that exist.
func named(c agents.Criterion, r reviewResult, f gates.Facts) (out []string) {
	for _, trace := range r.review.Traces {
		if trace.Criterion != c.ID {
			continue
		}
		for _, test := range trace.Tests {
			if f.StatusOf(test) == gates.StatusPassed && !slices.Contains(c.By, test) {
				out = append(out, fmt.Sprintf("test, as the reviewer says: `%s`", test))
			}
		}
		for _, p := range r.evidence.Existing(trace.Code) {
			out = append(out, fmt.Sprintf("code, as the reviewer says: `%s:%d`", p.File, p.Line))
		}
	}
	return out
}
