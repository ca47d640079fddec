package loop

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
)

// refusedError says why an attempt was refused, and how far it got.
type refusedError struct {
	try
	findings []string
	tree     gitx.ID        // of the edits
	after    testrun.Result // of the tree
	unjudged bool
	// blamesRed is why the red goes back: every finding is about it.
	blamesRed string
}

// Error lists the findings.
func (r *refusedError) Error() string { return strings.Join(r.findings, "\n") }

func (t try) refuse(findings ...gates.Finding) *refusedError {
	return &refusedError{try: t, findings: gates.Tell(findings)}
}

// AttemptRefs begins the names of the refs that keep refused attempts.
const AttemptRefs = "refs/tdd/attempts/"

// AttemptsOf is the folder of refs that keeps the attempts of a step.
func AttemptsOf(step int, role gates.Role) string {
	return fmt.Sprintf(AttemptRefs+"%d-%s", step, role)
}

// attemptRef is the ref that keeps one attempt.
func attemptRef(t turn, attempt int, id gitx.ID) string {
	return fmt.Sprintf("%s/%d-%s", AttemptsOf(t.number(), t.role), attempt, id.Short())
}

// refuse keeps a refused attempt and reports it.
func (l *Loop) refuse(ctx context.Context, s *step, r *refusedError) error {
	for i, f := range r.findings {
		r.findings[i] = l.opts.Redact(f)
	}
	a, err := l.keep(ctx, s, r, "refused")
	if err == nil && l.opts.Listener.Refused != nil {
		l.opts.Listener.Refused(a)
	}
	return err
}

// unreviewed keeps what the gates accepted when the reviewer cannot be asked.
func (l *Loop) unreviewed(ctx context.Context, s *step, v *verdict) error {
	r := v.refuse(gates.Finding{Gate: "review", Seen: fmt.Sprintf("the gates accepted %q, and the reviewer did not answer", commitmsg.Parse(v.message).Subject)})
	r.tree = v.tree
	a, err := l.keep(ctx, s, r, "not reviewed")
	if err == nil {
		l.note("the gates accepted attempt %d of step %d, and it was not reviewed; it is kept: `git cherry-pick --no-commit %s` makes it your own", r.number, s.number(), a.Ref)
	}
	return err
}

// keep stores an attempt that did not land as a commit below AttemptRefs; /last is the newest.
func (l *Loop) keep(ctx context.Context, s *step, r *refusedError, came string) (Attempt, error) {
	id, err := l.opts.Repo.CommitTree(ctx, gitx.NewCommit{
		Tree: cmp.Or(r.tree, s.head.Tree), Parents: []gitx.ID{s.head.Commit}, Unsigned: true,
		Author:  s.author(),
		Message: fmt.Sprintf("attempt %d of step %d (%s), %s\n\n%s\n", r.number, s.number(), s.role, came, r),
	})
	a := Attempt{Number: r.number, Findings: r.findings, Ref: attemptRef(s.turn, r.number, id)}
	if err == nil {
		err = l.point(ctx, a.Ref, id)
	}
	if err == nil {
		err = l.point(ctx, AttemptsOf(s.number(), s.role)+"/last", id)
	}
	if err == nil {
		s.log.Refused = append(s.log.Refused, a)
	}
	return a, err
}

// point moves one of our refs, which steps in other working trees may move too.
func (l *Loop) point(ctx context.Context, ref string, id gitx.ID) error {
	for {
		now, err := l.opts.Repo.Ref(ctx, ref)
		if err != nil || now == id {
			return err
		}
		err = l.opts.Repo.UpdateRef(ctx, gitx.RefUpdate{Name: ref, New: id, Old: now, Log: "an attempt"})
		if !errors.Is(err, gitx.ErrMoved) {
			return err
		}
	}
}

// Kept is a refused attempt that is kept.
type Kept struct {
	Attempt
	Step int
	Role gates.Role
	On   gitx.ID // the commit that it was to follow
}

// AllKept reads the attempts that are kept, ordered by step and number.
func AllKept(ctx context.Context, repo *gitx.Repo) ([]Kept, error) {
	refs, err := repo.Refs(ctx, AttemptRefs)
	if err != nil {
		return nil, err
	}
	all := []Kept{}
	for _, ref := range refs {
		k, ok := parseKept(ref)
		if !ok {
			continue
		}
		c, err := repo.Commit(ctx, string(ref.ID))
		if err != nil {
			return nil, err
		}
		if len(c.Parents) > 0 {
			k.On = c.Parents[0]
		}
		_, findings, _ := strings.Cut(c.Message, "\n\n") // not the body: findings look like trailers
		k.Findings = strings.FieldsFunc(findings, func(r rune) bool { return r == '\n' })
		all = append(all, k)
	}
	slices.SortStableFunc(all, func(a, b Kept) int {
		return cmp.Or(a.Step-b.Step, a.Number-b.Number)
	})
	return all, nil
}

// parseKept reads "refs/tdd/attempts/4-tester/2-1a2b3c4d"; /last is another name for one of them.
func parseKept(ref gitx.NamedRef) (Kept, bool) {
	step, rest, _ := strings.Cut(strings.TrimPrefix(ref.Name, AttemptRefs), "-")
	role, rest, _ := strings.Cut(rest, "/")
	number, _, _ := strings.Cut(rest, "-")
	k := Kept{Attempt: Attempt{Ref: ref.Name}, Role: gates.Role(role)}
	var err, err2 error
	k.Step, err = strconv.Atoi(step)
	k.Number, err2 = strconv.Atoi(number)
	return k, err == nil && err2 == nil
}

// maxRepeats is how often the same failure may repeat before the circuit opens.
const maxRepeats = 3

// givenUp says why there is no point in another attempt; nil if there is.
func givenUp(t turn, refused []*refusedError) error {
	last := refused[len(refused)-1]
	if why := repeating(t, refused); why != "" {
		return &StopError{Reason: NoProgress, Text: why + goingOn(t)}
	}
	if len(refused) < t.project.Settings.MaxAttempts {
		return nil
	}
	reason := Stuck
	if last.unjudged {
		reason = Unjudged
	}
	return &StopError{Reason: reason, Text: fmt.Sprintf(
		"the %s used up its %d attempts; the last was refused: %s%s", t.role, len(refused), last.findings[0], goingOn(t))}
}

// goingOn says how to go on after that.
func goingOn(t turn) string {
	ways := "\nTo go on: commit the step yourself, or git tdd run, which tries again"
	if t.plays == gates.Implementor && t.history.Step.Phase == gates.PhaseRed {
		ways += "; git tdd step --dispute WHY hands the red back to the tester"
	}
	return ways + "\nThe attempts are kept: git log --oneline --glob='" + AttemptRefs + "*' --no-walk"
}

// repeating says what happens again and again; empty if nothing does.
func repeating(t turn, refused []*refusedError) string {
	if len(refused) < maxRepeats {
		return ""
	}
	latest := refused[len(refused)-maxRepeats:]
	last := latest[maxRepeats-1]
	all := func(is func(*refusedError) bool) bool {
		return !slices.ContainsFunc(latest, func(r *refusedError) bool { return !is(r) })
	}
	if t.plays == gates.Tester && all(func(r *refusedError) bool { return t.green(r.after.Facts) }) {
		may := "A criterion that is met already takes one test that names it; for others there is `gates.characterization: allow`; "
		if t.project.Settings.Gates.Characterization == gates.Allow {
			may = ""
		}
		return fmt.Sprintf("%d new tests in a row passed at once: what they check is there already. %sthe last was refused: %s", maxRepeats, may, last.findings[0])
	}
	if all(func(r *refusedError) bool { return slices.Equal(r.findings, last.findings) }) {
		return fmt.Sprintf("the %s failed the same way %d times in a row: %s", t.role, maxRepeats, last.findings[0])
	}
	for _, test := range last.after.Facts.With(gates.StatusFailed) {
		if t.plays != gates.Tester && !t.isOpen(test.ID) && all(func(r *refusedError) bool { return failsAlike(r.after.Facts, test) }) {
			return fmt.Sprintf("the %s saw %s fail the same way %d times in a row (%s): %s", t.role, test.ID, maxRepeats, test.Class, test.Message)
		}
	}
	return ""
}

// failsAlike reports whether a test fails for the same reason, in the same words.
func failsAlike(f gates.Facts, test gates.Test) bool {
	return slices.ContainsFunc(f.With(gates.StatusFailed), func(t gates.Test) bool {
		return t.ID == test.ID && t.Class == test.Class && t.Message == test.Message
	})
}
