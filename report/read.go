package report

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/loop"
	"github.com/git-tdd/git-tdd/verify"
)

// Options says what a report is about.
type Options struct {
	Repo    *gitx.Repo
	Checker *check.Checker
	Commits []gitx.ID // each after its parents
	Range   string    // as people write it
	Earlier int       // commits before these that are left out
	// Proofs are the verdicts on the commits; nil if nobody judged them.
	Proofs *verify.Report
}

// History is what a report shows.
type History struct {
	Name     string // of the repository
	Range    string
	Earlier  int
	Commits  []Commit
	Kata     string            // its text; empty if there is none
	Criteria []check.Criterion // by facts on record
	Pending  []loop.Kept       // attempts at the step after the last commit
	Proofs   *verify.Report
	Notes    []string // what could not be told, and why
}

// Commit is one commit of a history. What a commit says of itself is a claim.
type Commit struct {
	gitx.Commit
	Message  commitmsg.Message
	Step     gates.Step  // what its trailers claim; Number 0 if it takes none
	Phase    gates.Phase // empty outside the loop
	ByType   bool        // the phase is only what the type of the commit says
	Since    time.Duration
	Facts    *gates.Facts // on record here; nil if there are none
	Flaky    []string
	Grades   map[string]gates.Grade
	Patch    []gitx.FilePatch
	Source   gates.Lines // that it changes in production code
	Test     gates.Lines // in files of tests and what helps them
	Other    gates.Lines // in configuration, documentation, and files of an unknown language
	Attempts []loop.Kept // those refused before it
	Proof    *verify.Proof

	project *check.Project // nil if its settings cannot be read
}

// Read gathers what is known of a history. It runs no command of the repository.
func Read(ctx context.Context, o Options) (History, error) {
	h := History{Name: name(o.Repo), Range: o.Range, Earlier: o.Earlier, Proofs: o.Proofs}
	r := &reader{Options: o, attempts: map[gitx.ID][]loop.Kept{}, history: &h}
	kept, err := loop.AllKept(ctx, r.Repo)
	if err != nil {
		return h, err
	}
	for _, k := range kept {
		r.attempts[k.On] = append(r.attempts[k.On], k)
	}
	for i, id := range o.Commits {
		c, parent, err := r.commit(ctx, id)
		if err != nil {
			return h, err
		}
		if o.Proofs != nil && i < len(o.Proofs.Commits) && o.Proofs.Commits[i].Commit == id {
			c.Proof = &o.Proofs.Commits[i]
			if c.Proof.Phase != "" {
				c.Phase, c.ByType = c.Proof.Phase, false
			}
		}
		patch, err := o.Repo.Patch(ctx, parent.Tree, c.Tree, maxDiff)
		if err != nil {
			return h, err
		}
		c.sized(patch)
		h.Commits = append(h.Commits, c)
	}
	if len(h.Commits) == 0 {
		return h, nil
	}
	last := h.Commits[len(h.Commits)-1]
	h.Pending = r.attempts[last.ID]
	h.Criteria, err = r.criteria(ctx, last)
	return h, err
}

// maxDiff limits what is read of one diff, in bytes.
const maxDiff = 128 << 10

func name(repo *gitx.Repo) string {
	return strings.TrimSuffix(filepath.Base(cmp.Or(repo.Top, repo.CommonDir)), ".git")
}

// reader gathers a history.
type reader struct {
	Options
	attempts map[gitx.ID][]loop.Kept // by the commit that they were to follow
	history  *History
}

// commit reads one commit, and its first parent.
func (r *reader) commit(ctx context.Context, id gitx.ID) (c Commit, parent gitx.Commit, err error) {
	if c.Commit, err = r.Repo.Commit(ctx, string(id)); err != nil {
		return c, parent, err
	}
	c.Message = commitmsg.Parse(c.Commit.Message)
	c.Step, _ = gates.ParseStep(c.Message)
	c.Phase, c.ByType = claimed(c)
	if len(c.Parents) > 0 {
		parent, err = r.Repo.Commit(ctx, string(c.Parents[0]))
		if errors.Is(err, gitx.ErrMissing) { // a shallow clone ends here
			err = nil
		}
		if !parent.When.IsZero() && c.When.After(parent.When) {
			c.Since = c.When.Sub(parent.When)
		}
		if c.Step.Number > 0 {
			c.Attempts = slices.DeleteFunc(slices.Clone(r.attempts[parent.ID]), func(k loop.Kept) bool { return k.Step != c.Step.Number })
		}
	}
	if err == nil {
		err = r.measured(ctx, &c)
	}
	return c, parent, err
}

// claimed is the phase that a commit claims: by its trailers, or by its type.
func claimed(c Commit) (phase gates.Phase, byType bool) {
	switch c.Step.Phase {
	case gates.PhaseRed, gates.PhaseGreen, gates.PhaseRefactor, gates.PhaseKeep, gates.PhaseCycle:
		return c.Step.Phase, false
	}
	header, err := commitmsg.ParseHeader(c.Message.Subject)
	if err != nil || len(c.Parents) > 1 {
		return "", false
	}
	phase = gates.RoleOf(header.Type).Phase()
	return phase, phase != ""
}

// measured adds what is on record of a commit's tree.
func (r *reader) measured(ctx context.Context, c *Commit) error {
	project, err := r.Checker.Outline(ctx, c.Tree)
	if err != nil {
		if len(r.history.Notes) == 0 { // once: then nothing is known of its tests
			r.history.Notes = []string{"the settings of " + c.ID.Short() + " cannot be read, so nothing is shown of its tests: " + err.Error()}
		}
		return ctx.Err()
	}
	if entry, ok := project.Known(ctx, c.Tree); ok {
		c.Facts, c.Flaky = &entry.Result.Facts, entry.Flaky
		c.Grades = project.KnownGrades(ctx, c.Tree)
	}
	c.project = project
	return nil
}

// sized adds how a commit changed its parent's tree.
func (c *Commit) sized(patch []gitx.FilePatch) {
	c.Patch = patch
	for _, f := range patch {
		lines := &c.Other
		if c.project != nil {
			switch c.project.Language.Kind(f.Path) {
			case gates.KindTest, gates.KindSupport:
				lines = &c.Test
			case gates.KindSource:
				lines = &c.Source
			case gates.KindConfig, gates.KindOther:
			}
		}
		lines.Added, lines.Deleted = lines.Added+f.Added, lines.Deleted+f.Deleted
	}
}

// criteria lists the criteria of the kata at the end of the history.
func (r *reader) criteria(ctx context.Context, last Commit) ([]check.Criterion, error) {
	if last.project == nil || last.project.Settings.Kata == "" {
		return nil, ctx.Err()
	}
	kata, _, err := r.Repo.Text(ctx, last.Tree, last.project.Settings.Kata)
	if err != nil {
		return nil, err
	}
	r.history.Kata = string(kata)
	return r.Checker.Criteria(ctx, last.project, last.ID, last.Facts)
}
