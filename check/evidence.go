package check

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/git-tdd/git-tdd/evidence"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
)

// evidence measures what the tests of a commit are worth, if its facts alone do
// not refuse it already.
func (c *Checker) evidence(ctx context.Context, p Proposal, j *Judgement) error {
	k := j.Case
	green := k.Plays == gates.Implementor && (k.OnRed() || len(k.Accepted()) > 0)
	switch {
	case p.Plain, c.mode(j) == gates.EvidenceOff, k.Restores != "", !mirrored(j.Project.Language, k.After), !k.After.Complete():
		return nil
	case (p.Brief || k.After.SuiteMS() > slowSuite) && k.Hopeless():
		return nil
	}
	if c.opts.Evidence == gates.EvidenceFull { // a hook does not see who made what a merge brings
		if automatic, err := c.automatic(ctx, p); err != nil || automatic {
			return err
		}
	}
	e := examination{Checker: c, p: p, j: j, found: &gates.Evidence{}}
	if err := e.choose(ctx, green); err != nil {
		return err
	}
	if err := e.answers(ctx); err != nil || !green && k.Plays != gates.Tester && !k.Change.TouchesMore() && !k.Change.Compares() {
		return err // sources alone weaken no test, unless they decide what equals what
	}
	if k.Evidence = e.found; green {
		return e.green(ctx)
	}
	return e.kept(ctx)
}

// kept measures what the tests of a commit that is no green are worth, beside those of
// before.
func (e *examination) kept(ctx context.Context) error {
	if err := e.grades(ctx); err != nil || e.j.Case.Retires() {
		return err
	}
	if err := e.pinned(ctx); err != nil {
		return err
	}
	return e.compare(ctx, e.j.Case.Change, gitx.ID(e.j.Case.Before.Tree))
}

// slowSuite is how long a suite takes, in ms, of which nothing more is measured where a
// commit is refused whatever that shows.
const slowSuite = 10_000

// mode is how much evidence is measured.
func (c *Checker) mode(j *Judgement) gates.EvidenceMode {
	return cmp.Or(j.Case.Policy.Evidence, c.opts.Evidence)
}

// choose finds out how much is asked. In a hook somebody waits, so it asks all only of a
// quick suite; what it asked is not asked again here.
func (e *examination) choose(ctx context.Context, green bool) (err error) {
	k := e.j.Case
	if e.change = k.Change; k.Derived && k.Base != nil && k.Base.Tree != "" {
		if e.change, err = e.Change(ctx, e.j.Project.Language, gitx.ID(k.Base.Tree), e.p.Tree); err != nil {
			return err
		}
	}
	if err := e.findTables(ctx); err != nil {
		return err
	}
	if k.Derived {
		e.much = cmp.Or(k.Policy.Evidence, gates.EvidenceChanged)
		return nil
	}
	if e.much = e.mode(e.j); k.Policy.Evidence != "" || alterable(k.After) {
		e.much = cmp.Or(k.Policy.Evidence, gates.EvidenceFull)
		return nil
	}
	files, all := e.filesToGrade()
	if e.much == gates.EvidenceFull && e.opts.Fresh == UseRecord {
		judged, err := e.judgedByHook(ctx, selection{files: files, all: all})
		if err != nil || !judged {
			return err
		}
		e.much = gates.EvidenceChanged
	}
	e.found.Partial = e.much == gates.EvidenceChanged && (green || !all)
	return nil
}

// judgedByHook reports whether a hook graded the tests in some files of the commit.
func (e *examination) judgedByHook(ctx context.Context, of selection) (judged bool, err error) {
	_, err = e.whole(ctx, e.j.Project, e.p.Tree, func(part *part, seen gitx.ID) (r testrun.Result, err error) {
		kept, known := part.measurer.Grades(ctx, seen)
		judged = judged || known && kept.Hasty && part.selected(of).in(selectionOf(kept))
		return r, err
	})
	return judged, err
}

// mirrored reports whether the tests of some facts can be made to expect something
// else.
func mirrored(lang testrun.Language, f gates.Facts) bool {
	return lang.Mirrored() && f.Detail == gates.DetailTest
}

// examination is the evidence of one case while it is gathered.
type examination struct {
	*Checker
	p     Proposal
	j     *Judgement
	found *gates.Evidence
	much  gates.EvidenceMode // is asked
	// change is what the tests are graded for: also that of the red, of a change that was
	// taken apart.
	change gates.Change
	// tables are the files of tests of which nothing changes between the tests but that
	// tables get rows, and which no other tests use.
	tables map[string]bool
	passed []gitx.Commit // between the tree whose grades are those of before and the parent
}

// green measures what a green's tests are worth: those that its red waited for,
// and whether the others are what they were.
func (e *examination) green(ctx context.Context) error {
	if v := gates.Judge(e.j.Case); !v.Accepted() || slices.Contains(v.Told(), "green") {
		return nil
	}
	if err := e.grades(ctx); err != nil {
		return err
	}
	if err := e.compareWithBase(ctx); err != nil {
		return err
	}
	waited := e.j.Case.Answered()
	if len(waited) == 0 || e.p.Quick {
		return nil
	}
	if err := e.rerun(ctx, e.j.Case.Awaited()); err != nil {
		return err
	}
	return e.trials(ctx, waited)
}

// grades grades the tests of the commit, and those of the tree that it is compared
// with.
func (e *examination) grades(ctx context.Context) error {
	k := e.j.Case
	files, all := e.changedTests()
	var err error
	if e.found.After, err = e.gradesOf(ctx, e.j.Project, k.After, selection{files, all, e.untouched(k.After)}); err != nil {
		return err
	}
	before, known, err := e.reference(ctx)
	if err != nil || !known {
		return err
	}
	if !slices.ContainsFunc(slices.Collect(maps.Values(e.found.After)), func(g gates.Grade) bool { return g != gates.GradeValue }) {
		e.found.Before = gates.BestOf(before) // whatever they were, none is weaker
		return nil
	}
	of := selection{e.oldPaths(files), all, e.untouched(before)}
	if e.found.Before, err = e.gradesOf(ctx, e.j.Project, before, of); err != nil {
		return err
	}
	return e.earlier(ctx, of)
}

// untouched are the tests of a change that was taken apart which it leaves as they were,
// in the files that it changes: if nobody saw the steps, these are not asked. Where old tests
// and new ones are not compared, and what helps them changes, all are.
func (e *examination) untouched(f gates.Facts) []string {
	if k := e.j.Case; !k.Derived || k.Retires() && e.helpsTests(e.change) {
		return nil
	}
	awaited := e.j.Case.Awaited()
	left := slices.DeleteFunc(slices.Clone(f.Tests), func(t gates.Test) bool {
		file, text := e.change.Touches(t.ID)
		return !file || text || e.tables[t.File] || slices.ContainsFunc(awaited, func(a gates.Test) bool { return a.ID == t.ID })
	})
	return gates.Each(left, gates.Test.Name)
}

// own is the commit that a case's tests are compared with, and its facts: that before
// the red if the red could not run.
func (e *examination) own(ctx context.Context) (before gates.Facts, rev gitx.ID, err error) {
	k := e.j.Case
	if k.Before.Complete() && !k.Derived || k.Base == nil {
		return k.Before, e.p.Parent, nil
	}
	red, err := OpenedBy(ctx, e.opts.Repo, k.Position)
	if err != nil || len(red.Parents) == 0 {
		return gates.Facts{}, "", err
	}
	return *k.Base, red.Parents[0], nil
}

// reference is the facts that a case's tests are compared with.
func (e *examination) reference(ctx context.Context) (gates.Facts, bool, error) {
	k := e.j.Case
	before, rev, err := e.own(ctx)
	if err != nil {
		return before, false, err
	}
	if !before.Complete() || before.Tree == "" {
		return gates.Facts{}, false, nil
	}
	if k.Disputes() || k.Derived {
		return before, true, nil // which is no commit's
	}
	// A commit that changed only sources left the grades as they were: those of the
	// tree before it will do, and are on record.
	tree, passed, err := e.gradedTree(ctx, rev)
	if err != nil || len(passed) == 0 {
		return before, true, err
	}
	result, err := e.Of(ctx, e.j.Project, tree)
	if err != nil || !result.Facts.Complete() {
		return before, true, err
	}
	e.passed = passed
	return result.Facts, true, nil
}

// changedTests are the files whose tests are graded; all, where all is asked.
func (e *examination) changedTests() (files []string, all bool) {
	if e.much == gates.EvidenceFull {
		return nil, true
	}
	return e.filesToGrade()
}

// filesToGrade are the files that changed and those of the open red, or all, if what
// changed may touch the tests of any file.
func (e *examination) filesToGrade() (files []string, all bool) {
	if len(e.j.Case.Awaited()) == 0 && !e.change.TouchesMore() && e.change.Compares() {
		return nil, true
	}
	for _, f := range e.change.Files {
		switch {
		case !f.ChangesMore():
		case f.ChangesHelpers() && !e.tables[f.Path()]:
			return nil, true
		case f.New != nil:
			files = append(files, f.New.Path)
		}
	}
	for _, t := range e.j.Case.Awaited() {
		if t.File == "" {
			return nil, true
		}
		files = append(files, t.File)
	}
	slices.Sort(files)
	return slices.Compact(files), false
}

// rerun runs the tests that a red waited for once more with the sources of before,
// unless that is how they were run: after the green.
func (e *examination) rerun(ctx context.Context, waited []gates.Test) error {
	k := e.j.Case
	if !k.Before.Complete() || k.Before.Tree == "" {
		return nil // it did not compile, and nothing but sources can change that
	}
	if e.j.Project.later(gitx.ID(k.Before.Tree), e.p.Tree) {
		e.found.Rerun = &k.Before
		return nil
	}
	facts, err := e.runner(e.j.Project, gitx.ID(k.Before.Tree))(ctx, evidence.Question{Tests: waited, For: "the green of " + string(e.p.Tree)})
	if err == nil && facts.Finished() {
		e.found.Rerun = &facts
	}
	return err
}
