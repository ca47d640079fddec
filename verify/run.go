package verify

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
)

// Options says how a range is judged.
type Options struct {
	Repo *gitx.Repo
	// Open makes the checker of one job, which the job closes. Checkers that work
	// in parallel have a common check.Shared.
	Open func() *check.Checker
	Jobs int // in parallel; less than 1 means 1
	// OnProof is called with each proof as soon as those before it are there; it may be nil.
	OnProof func(Proof)
	// Stop reports whether an error ends the run instead of leaving one commit
	// unjudged. If it is nil, only a cancelled context ends the run.
	Stop func(error) bool

	// prove judges a commit; if it is nil, commits are judged by their own messages.
	prove func(context.Context, *check.Checker, gitx.ID) (Proof, error)
}

// Run judges commits, and reports the proofs in their order. An error with one
// commit leaves that one unjudged.
func Run(ctx context.Context, o Options, ids []gitx.ID) (Report, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type numbered struct {
		at int
		Proof
	}
	jobs, made := max(1, min(o.Jobs, len(ids))), make(chan numbered)
	var measured atomic.Int64
	var failed error
	var once sync.Once // later errors are consequences of the first
	var wg sync.WaitGroup
	for job := range jobs {
		wg.Go(func() {
			from := job * len(ids) / jobs
			n, err := o.job(ctx, part(ids, job, jobs), func(i int, p Proof) { made <- numbered{from + i, p} })
			measured.Add(int64(n))
			if err != nil {
				once.Do(func() { failed = err })
				cancel()
			}
		})
	}
	go func() {
		wg.Wait()
		close(made)
	}()
	proofs, there, told := make([]Proof, len(ids)), map[int]bool{}, 0
	for p := range made {
		proofs[p.at], there[p.at] = p.Proof, true
		for ; there[told]; told++ { // in the order of the commits
			if o.OnProof != nil {
				o.OnProof(proofs[told])
			}
		}
	}
	return Report{Commits: proofs, Measured: int(measured.Load())}, failed
}

// job judges adjacent commits with its own checker, and returns how many trees it measured.
func (o Options) job(ctx context.Context, ids []gitx.ID, done func(int, Proof)) (measured int, err error) {
	checker, prove := o.Open(), o.prove
	if prove == nil {
		prove = o.byMessage
	}
	for i, id := range ids {
		if o.prove == nil && i+1 < len(ids) {
			o.greenFirst(ctx, checker, id, ids[i+1])
		}
		var proof Proof
		if proof, err = prove(ctx, checker, id); err != nil {
			break
		}
		done(i, proof)
	}
	return checker.Count(), cmp.Or(err, checker.Close())
}

// greenFirst measures a green before its red. What fails here fails again, and is told,
// when the green is judged.
func (o Options) greenFirst(ctx context.Context, checker *check.Checker, id, next gitx.ID) {
	red, err := o.Repo.Commit(ctx, string(id))
	if err != nil || !claims(red, gates.PhaseRed) {
		return
	}
	if green, err := o.Repo.Commit(ctx, string(next)); err == nil && claims(green, gates.PhaseGreen) && slices.Equal(green.Parents, []gitx.ID{id}) {
		_ = checker.Ahead(ctx, green)
	}
}

// claims reports whether a commit calls itself a step of a phase.
func claims(commit gitx.Commit, phase gates.Phase) bool {
	step, ok := gates.ParseStep(commitmsg.Parse(commit.Message))
	return ok && step.Phase == phase
}

// byMessage judges one commit.
func (o Options) byMessage(ctx context.Context, checker *check.Checker, id gitx.ID) (Proof, error) {
	commit, err := o.Repo.Commit(ctx, string(id))
	if err != nil {
		return Proof{}, err
	}
	proof := claimed(commit)
	j, err := checker.Commit(ctx, string(commit.ID))
	if err != nil {
		return o.failed(ctx, proof, err)
	}
	proof.settle(j)
	return proof, nil
}

// failed leaves one commit unjudged, unless the error ends the run.
func (o Options) failed(ctx context.Context, proof Proof, err error) (Proof, error) {
	if ctx.Err() != nil || o.Stop != nil && o.Stop(err) {
		return proof, errors.Join(ctx.Err(), err)
	}
	proof.Verdict = Unjudged
	proof.Findings = []gates.Finding{{
		Gate: "verify", Seen: err.Error(), Remedy: "this commit was not judged; see to that, then verify again", Unjudged: true,
	}}
	return proof, nil
}

// claimed is what a commit says about itself.
func claimed(commit gitx.Commit) Proof {
	m := commitmsg.Parse(commit.Message)
	proof := Proof{Commit: commit.ID, Subject: m.Subject, Verdict: Held}
	if step, ok := gates.ParseStep(m); ok {
		proof.Step, proof.Role = step.Number, step.Role
		proof.Claim = string(step.Phase)
		if step.Tests != "" {
			proof.Claim += ", " + step.Tests
		}
		if step.Outcome != gates.Ordinary {
			proof.Claim += ", " + string(step.Outcome)
		}
	} else if outcome, _ := m.Get(gates.KeyOutcome); outcome == string(gates.Unguarded) {
		proof.Claim = outcome
	}
	return proof
}

// settle adds the judgement to a proof.
func (p *Proof) settle(j check.Judgement) {
	p.Findings, p.Notes = j.Verdict.Findings, j.Verdict.Notes
	p.Partial = j.Case.Evidence != nil && j.Case.Evidence.Partial
	p.Places = placesOf(j, slices.Concat(p.Findings, p.Notes))
	if j.After.Facts.Outcome != "" {
		p.Seen = gates.TestsText(j.After.Facts)
	}
	switch {
	case !j.Verdict.Judged:
		p.Verdict = Unjudged
	case !j.Verdict.Accepted():
		p.Verdict = Refused
	}
}

// placesOf finds a file for each finding that names none.
func placesOf(j check.Judgement, found []gates.Finding) map[string]string {
	places := map[string]string{}
	for _, f := range found {
		if f.Path != "" {
			continue
		}
		for _, facts := range []gates.Facts{j.Case.Before, j.After.Facts} {
			if t, ok := facts.Lookup(f.Test); ok && t.File != "" {
				places[f.Test] = t.File
			}
		}
		places[""] = changed(j.Case.Change)
	}
	return places
}

// changed is a file of a change, the last one with tests if there is any.
func changed(c gates.Change) (path string) {
	for _, file := range c.Files {
		if file.New != nil && (path == "" || file.TouchesTest()) {
			path = file.New.Path
		}
	}
	return path
}
