package check

import (
	"context"
	"errors"

	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
)

// Judgement is the answer to a proposal.
type Judgement struct {
	Case    *gates.Case
	Verdict gates.Verdict
	Step    gates.Step // the trailers that the commit carries or should carry; Number 0 outside the loop
	Message string     // as composed
	Project *Project
	After   testrun.Result // the zero value if nothing was measured
	// Tolerated is set if nothing could be judged, and the policy lets that through.
	Tolerated bool

	own    *Project // what the new tree says about itself, if it is tested differently than its parent
	parent gitx.ID  // the parent's tree
}

// Commit judges a commit that exists.
func (c *Checker) Commit(ctx context.Context, rev string) (Judgement, error) {
	commit, err := c.opts.Repo.Commit(ctx, rev)
	if err != nil {
		return Judgement{}, err
	}
	p := Proposal{Tree: commit.Tree, Message: commit.Message, Brief: true}.On(commit.Parents)
	_, p.Agent = commitmsg.Parse(commit.Message).Get(gates.KeyModel)
	return c.Judge(ctx, p)
}

// Ahead measures the tree of a commit, as its judgement will ask for it. Where a
// green is measured ahead of its red, the red need not be run again to show that it
// is not time that made it pass.
func (c *Checker) Ahead(ctx context.Context, commit gitx.Commit) error {
	parent, err := c.treeBefore(ctx, commit)
	if err != nil {
		return err
	}
	project, _, err := c.rules(ctx, parent, commit.Tree)
	if err != nil {
		return err
	}
	_, err = c.Of(ctx, project, commit.Tree)
	return err
}

// Judge gathers the case of a proposal and asks the gates. The gates that need
// no facts of the new tree are asked first; if they object, nothing is
// measured.
func (c *Checker) Judge(ctx context.Context, p Proposal) (Judgement, error) {
	j, err := c.prepare(ctx, p)
	if err != nil {
		return j, err
	}
	j.compose(p, nil)
	j.Verdict = gates.JudgeStatic(&j.Case.Premise)
	j.tell(p)
	switch {
	case !j.Verdict.Accepted():
		return j, nil
	case j.Case.Cycle:
		err = c.judgeCycle(ctx, p, &j)
	default:
		if err = c.measure(ctx, p, &j); err == nil {
			j.Verdict = gates.Judge(j.Case)
		}
	}
	if err == nil {
		j.tell(p)
	}
	return j, err
}

// prepare gathers everything that does not need the new tree's facts.
func (c *Checker) prepare(ctx context.Context, p Proposal) (Judgement, error) {
	parentTree, err := c.treeOf(ctx, p.Parent)
	if err != nil {
		return Judgement{}, err
	}
	project, before, err := c.rules(ctx, parentTree, p.Tree)
	if err != nil {
		return Judgement{}, err
	}
	j := Judgement{parent: parentTree, Project: project, Case: &gates.Case{Premise: gates.Premise{
		Message: commitmsg.Parse(p.Message), Agent: p.Agent, Merge: len(p.Others) > 0, Derived: p.Derived,
		Policy: p.policy(project), Protected: project.Protected(),
	}}}
	if p.Position != nil {
		j.Case.Position = *p.Position
	} else if j.Case.Position, err = c.Position(ctx, p.Parent); err != nil {
		return j, err
	}
	j.assignRole(p)
	if err = c.recall(ctx, p, &j); err != nil {
		return j, err
	}
	against, err := c.disputed(ctx, p, &j, parentTree, before)
	if err != nil {
		return j, err
	}
	if before = against; j.Case.Disputes() {
		parentTree = before
	}
	if j.Case.Change, err = c.Change(ctx, project.Language, parentTree, p.Tree); err != nil {
		return j, err
	}
	j.Case.Protected = append(j.Case.Protected, c.foreign(project.Language, j.Case.Change)...)
	if j.own, err = c.brings(ctx, p, &j); err != nil || j.docsOnly() {
		return j, err
	}
	if err = c.start(ctx, &j, before); err != nil {
		return j, err
	}
	if j.Case.Base, err = c.Base(ctx, j.Project, j.Case.Position); err != nil {
		return j, err
	}
	j.Case.Cycle = !p.Derived && j.Case.Policy.Pace == gates.PaceCycles && j.Case.Mixed()
	return j, c.acceptances(ctx, p, &j)
}

// rules finds what a commit is judged by, and the tree that it is compared
// with: the parent's. If the parent does not say how it is tested, there is
// nothing to compare with yet, and the new tree says how; the policy is still
// the parent's, unless nobody can read that.
func (c *Checker) rules(ctx context.Context, parent, tree gitx.ID) (project *Project, before gitx.ID, err error) {
	if parent == "" {
		project, err = c.project(ctx, tree)
		return project, "", err
	}
	project, err = c.project(ctx, parent)
	if _, broken := errors.AsType[*config.Error](err); broken {
		if mended, unread := c.project(ctx, tree); unread == nil {
			return mended, parent, nil // what cannot be read binds nobody
		}
	}
	if err != nil || project.Unmeasurable == nil {
		return project, parent, err
	}
	first, err := c.project(ctx, tree)
	if err != nil || first.Unmeasurable != nil {
		return project, "", err
	}
	start := *first
	start.Declared, start.Kata, start.Entries = project.Declared, project.Kata, project.Entries
	return &start, "", nil
}

// assignRole finds the role: by the conventional type, and by the trailer if it
// names a custom role that plays it. The type of a role with rules of its own
// takes a step in that role's turn, or where the trailer names the role, and none
// elsewhere. Merges, squashed merges and commits of other types
// take no step.
func (j *Judgement) assignRole(p Proposal) {
	k, settings := j.Case, j.Project.Settings
	k.Expected = Turn(settings, k.Position)
	k.Special = gates.Special(k.Message.Value(gates.KeyOutcome))
	header, err := commitmsg.ParseHeader(k.Message.Subject)
	if err == nil && len(p.Others) == 0 && k.Special != gates.Squashed {
		k.Plays = gates.RoleOf(header.Type)
	}
	trailer := gates.Role(k.Message.Value(gates.KeyRole))
	if own := settings.OwnRole(header.Type); own != "" && err == nil && len(p.Others) == 0 && (own == trailer || trailer == "" && own == k.Expected) {
		k.Role, k.Plays, k.Rules = own, gates.Keeper, settings.Rules(own)
		return
	}
	k.Role = k.Plays
	for _, name := range []gates.Role{trailer, k.Expected} {
		if k.Plays != "" && name != "" && settings.Plays(name) == k.Plays {
			k.Role = name
			break
		}
	}
}

// Base returns the facts before the red at a position; nil if there is no red,
// or if they are beyond the end of a shallow clone.
func (c *Checker) Base(ctx context.Context, project *Project, pos gates.Position) (*gates.Facts, error) {
	if pos.Step.Phase != gates.PhaseRed {
		return nil, nil //nolint:nilnil // no red, nothing before it
	}
	red, err := OpenedBy(ctx, c.opts.Repo, pos)
	var tree gitx.ID
	if err == nil {
		tree, err = c.treeBefore(ctx, red)
	}
	if errors.Is(err, gitx.ErrMissing) {
		return nil, nil //nolint:nilnil // a shallow clone ends here: not known
	}
	if err != nil {
		return nil, err
	}
	result, err := c.Of(ctx, project, tree)
	return &result.Facts, err
}

// measure gets the facts of the new tree, and whatever else the verdict needs.
func (c *Checker) measure(ctx context.Context, p Proposal, j *Judgement) error {
	if j.docsOnly() {
		return nil
	}
	for _, gather := range []func(context.Context, Proposal, *Judgement) error{c.run, c.byOwn, c.cross, c.redText, c.coverage, c.unused, c.serves} {
		if err := gather(ctx, p, j); err != nil {
			return err
		}
	}
	j.compose(p, j.reds())
	return c.evidence(ctx, p, j)
}

// docsOnly reports whether a commit outside the loop leaves the facts as they
// are, so that nothing needs to be measured.
func (j *Judgement) docsOnly() bool {
	return j.Case.Role == "" && j.own == nil && !j.Case.Merge && j.Case.Change.DocsOnly()
}

// run runs the tests in the new tree: again, where old ones failed that the commit cannot
// have touched, before anybody is blamed for them (what passes then failed by chance), and
// where the policy wants a failure confirmed.
func (c *Checker) run(ctx context.Context, p Proposal, j *Judgement) (err error) {
	k := j.Case
	if err = c.Carry(ctx, j.Project, gitx.ID(k.Before.Tree), k.Change, p.Tree); err != nil {
		return err
	}
	if j.After, err = c.Of(ctx, j.Project, p.Tree); err != nil {
		return err
	}
	k.After = j.After.Facts
	if k.Unsteady, err = c.unsteady(ctx, j, gates.Missing(k)); err != nil {
		return err
	}
	ids, err := c.untouched(ctx, p, j)
	if err == nil && len(ids) > 0 {
		j.After, k.Settled, err = c.Repeat(ctx, j.Project, p.Tree, ids)
		k.After = j.After.Facts
	}
	if err == nil && k.Policy.ConfirmRuns > 1 && j.onFailure() {
		j.After, k.Flaky, err = c.confirm(ctx, j.Project, p.Tree, k.Policy.ConfirmRuns)
		k.After = j.After.Facts
	}
	return err
}

// onFailure reports whether the verdict depends on a failure: an existing one,
// or the red that the step should have added or answered.
func (j *Judgement) onFailure() bool {
	k := j.Case
	return k.After.Outcome == gates.Failed ||
		k.After.Outcome == gates.Passed && (k.Plays == gates.Tester || k.Plays == gates.Implementor)
}
