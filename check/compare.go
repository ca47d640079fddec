package check

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/git-tdd/git-tdd/evidence"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/syntax"
	"github.com/git-tdd/git-tdd/testrun"
)

// compareWithBase is compare for a green whose red did not compile, or rewrote old tests:
// what that red did to them shows only now.
func (e *examination) compareWithBase(ctx context.Context) error {
	k := e.j.Case
	if k.Base == nil || k.Base.Tree == "" {
		return nil
	}
	change, err := e.Change(ctx, e.j.Project.Language, gitx.ID(k.Base.Tree), e.p.Tree)
	if err != nil || k.Before.Complete() && !k.Derived && !change.RewritesTests() {
		return err
	}
	return e.compare(ctx, change, gitx.ID(k.Base.Tree))
}

// compare holds the tests of a tree of before and those of now against the same
// mutants of the sources, if the text of the tests leaves open whether they still
// check as much.
func (e *examination) compare(ctx context.Context, change gates.Change, before gitx.ID) error {
	k := e.j.Case
	doubt := e.j.Project.Language.Mutable() && k.InDoubt(change, e.found)
	if !doubt && (e.found.Before == nil || !change.RewritesTests()) {
		return nil
	}
	if e.p.Quick {
		if e.found.Compared = doubt; doubt {
			e.found.Assumed = gates.NoTime
		}
		return nil
	}
	old, err := e.oldTests(ctx, change, before)
	if err != nil || !old.Complete() {
		return err
	}
	differ, err := e.Change(ctx, e.j.Project.Language, gitx.ID(old.Tree), e.p.Tree)
	if err != nil || !slices.ContainsFunc(differ.Files, func(f gates.FileChange) bool { return !f.ForTests() || !f.Inert }) {
		e.found.Compared = doubt // the tests of before are those of now
		return err
	}
	was := e.suite(change, old)
	was.Kept = change.Kept(was.Tests)
	now := e.suite(change, k.After)
	now.Others = slices.DeleteFunc(k.After.With(gates.StatusPassed), func(t gates.Test) bool {
		return slices.ContainsFunc(now.Tests, func(other gates.Test) bool { return other.ID == t.ID })
	})
	now.Shares = k.Derived
	follow, pair := k.Change.Followed(old, k.After), evidence.Pair{Was: was, Now: now, Until: e.until()}
	if doubt {
		if err := e.mutants(ctx, change, pair, follow); err != nil {
			return err
		}
	}
	return e.listen(ctx, old, follow, pair.Until)
}

// oldTests is what the tests of a tree of before show under the sources of now, if there are other
// ones. Where they do not run to the end, and nothing has told so, that is assumed of what they noticed.
func (e *examination) oldTests(ctx context.Context, change gates.Change, before gitx.ID) (gates.Facts, error) {
	reference, err := e.Of(ctx, e.j.Project, before)
	if err != nil {
		return gates.Facts{}, err
	}
	old, err := e.settled(ctx, across{project: e.j.Project, change: change, before: reference.Facts, old: before, tree: e.p.Tree})
	if err == nil && e.j.Case.Crossed == nil && old.facts.Tree != "" && !old.facts.Complete() {
		e.found.Assumed = "as they were, they do not run with the sources of now"
	}
	return old.facts, err
}

// mostCompared is how long old tests and new ones are held against small errors while a person
// waits for a hook.
const mostCompared = 30 * time.Second

// until is when old tests and new ones are no longer held against anything more; the zero time
// for never.
func (e *examination) until() time.Time {
	switch patience := e.p.Patience; {
	case patience > 0:
		return time.Now().Add(patience)
	case !e.j.Case.Agent && e.opts.Evidence == gates.EvidenceChanged:
		return time.Now().Add(mostCompared)
	default:
		return time.Time{}
	}
}

// mutants holds two suites against the same mutants.
func (e *examination) mutants(ctx context.Context, change gates.Change, pair evidence.Pair, follow map[string]string) error {
	k := e.j.Case
	sources, err := e.sources(ctx, change)
	if err != nil {
		return err
	}
	// A test that fails now has become a red: it notices whatever there is. One that a
	// side of a merge gave up was judged there. One whose id no other run has is in no
	// altered run either.
	pair.Was.Tests = slices.DeleteFunc(pair.Was.Tests, func(t gates.Test) bool {
		successor, followed := k.After.Lookup(follow[t.ID])
		return !followed && k.Drifting(t) || successor.Status == gates.StatusFailed || k.GivenUpBySide(t.ID)
	})
	e.found.Loss, err = evidence.Compare(ctx, sources, pair, follow)
	e.found.Compared = err == nil && len(sources) > 0
	maps.DeleteFunc(e.found.HandedOver, func(id string, _ bool) bool { return !change.HandsOver(id) })
	return err
}

// listen finds the tests that no longer hear of values that they expect: behind a
// return, in the rows after the one at which a loop stops, in a function that nobody
// calls. People's tests are asked value by value only if they did hear of the last and
// do not now; the others too where a change is proven without a limit of time, which
// then tells of them. Where it is too late for that, it is assumed.
func (e *examination) listen(ctx context.Context, was gates.Facts, follow map[string]string, until time.Time) error {
	before, after, err := ofBoth(ctx, was, e.j.Case.After, e.listener)
	if err != nil {
		return err
	}
	pairs, told := maps.Clone(follow), map[string]string{}
	had, has := before.IDs(), after.IDs()
	maps.DeleteFunc(pairs, func(was, now string) bool {
		grade := e.found.Before[was]
		return grade != gates.GradeValue && grade != "" || !slices.Contains(had, was) || !slices.Contains(has, now)
	})
	if !e.j.Case.Agent {
		deaf, err := after.Deaf(ctx, slices.Sorted(maps.Values(pairs)), 0)
		if err != nil {
			return err
		}
		if len(deaf) == 0 && len(pairs) > 0 {
			e.found.Assumed = gates.Unasked
		}
		told = maps.Clone(pairs)
		maps.DeleteFunc(told, func(_, now string) bool { return deaf[now] })
		maps.DeleteFunc(pairs, func(_, now string) bool { return !deaf[now] })
	}
	if e.j.Case.Derived && until.IsZero() {
		lost, assumed, err := evidence.Lost(ctx, before, after, told)
		if err != nil {
			return err
		}
		e.found.Shifted = append(e.found.Shifted, lost...)
		e.found.Assumed = cmp.Or(e.found.Assumed, assumed)
	}
	switch late := !until.IsZero() && time.Now().After(until); {
	case len(pairs) == 0:
		return nil
	case late:
		e.found.Assumed = cmp.Or(e.found.Assumed, gates.NoTime)
		return nil
	}
	lost, assumed, err := evidence.Lost(ctx, before, after, pairs)
	e.found.Weaker = append(e.found.Weaker, lost...)
	e.found.Assumed = cmp.Or(e.found.Assumed, assumed)
	return err
}

// listener listens to the tests of the tree of some facts that are in the files that changed.
func (e *examination) listener(ctx context.Context, of gates.Facts) (evidence.Listener, error) {
	files, all := e.changedTests()
	tree := gitx.ID(of.Tree)
	tests, err := e.testFiles(ctx, e.j.Project.Language, tree, selection{files: e.oldPaths(files), all: all})
	values := map[string]bool{}
	for _, f := range e.j.Case.Change.Files {
		for _, v := range f.Was().Expected {
			values[v] = true
		}
	}
	return evidence.Listen(tests, values, e.touched(of), e.runner(e.j.Project, tree)), err
}

// touched are the passing tests of a change that can be told apart, but for those that are
// left as they were, if nothing that helps them changes.
func (e *examination) touched(f gates.Facts) []gates.Test {
	passing := slices.DeleteFunc(f.With(gates.StatusPassed), func(t gates.Test) bool { return e.j.Case.Misplaced(t) })
	if e.helpsTests(e.change) {
		return passing
	}
	left := e.untouched(f)
	return slices.DeleteFunc(passing, func(t gates.Test) bool { return slices.Contains(left, t.ID) })
}

// suite is the passing tests of the files that changed, but for those that are left as they
// were; all, if what changed helps others.
func (e *examination) suite(change gates.Change, f gates.Facts) evidence.Suite {
	declaring := slices.DeleteFunc(change.Sides(), func(side *gates.File) bool { return len(side.Declared) == 0 })
	files := gates.Each(declaring, func(side *gates.File) string { return side.Path })
	tests := e.touched(f)
	if len(files) > 0 && !e.helpsTests(change) {
		tests = slices.DeleteFunc(tests, func(t gates.Test) bool { return t.File != "" && !slices.Contains(files, t.File) })
	}
	return evidence.Suite{Tests: tests, Run: e.runner(e.j.Project, gitx.ID(f.Tree))}
}

// sources are the sources of the commit's tree that its changed tests have to do
// with, the nearest first, with all of their mutants: those that were there before, and then new
// ones, which old tests know only if code moved there.
func (e *examination) sources(ctx context.Context, change gates.Change) ([]evidence.Source, error) {
	var old, fresh []evidence.Source
	if err := e.eachSource(ctx, func(path, content string) {
		s := e.j.Project.source(path, content)
		switch isNew := func(f gates.FileChange) bool { return f.Old == nil && f.New.Path == path }; {
		case len(s.Mutants)+len(s.Near) == 0:
		case slices.ContainsFunc(change.Files, isNew):
			fresh = append(fresh, s)
		default:
			old = append(old, s)
		}
	}); err != nil {
		return nil, err
	}
	changed := slices.DeleteFunc(slices.Clone(change.Files), func(f gates.FileChange) bool { return f.Is().Test == "" })
	tests := gates.Each(changed, func(f gates.FileChange) evidence.File { return evidence.File{Path: f.New.Path, Content: f.New.Test} })
	return append(evidence.Nearest(old, tests), evidence.Nearest(fresh, tests)...), nil
}

// eachSource calls yield with each source of the commit's tree.
func (e *examination) eachSource(ctx context.Context, yield func(path, content string)) error {
	entries, err := e.opts.Repo.Entries(ctx, e.p.Tree)
	for i := 0; err == nil && i < len(entries); i++ {
		entry := &entries[i]
		if e.j.Project.Language.Kind(entry.Path) != gates.KindSource || entry.Mode == gitx.ModeSubmodule || entry.Mode == gitx.ModeSymlink {
			continue
		}
		var content string
		if content, err = e.text(ctx, e.p.Tree, entry.Path); err == nil {
			yield(entry.Path, content)
		}
	}
	return err
}

// syntaxOf reads the language of a file.
func (p *Project) syntaxOf(path string) testrun.Syntax { return p.Language.At(path).Syntax }

// source is a file of sources with all of its mutants, but for those of tests that
// stand in it.
func (p *Project) source(path, content string) evidence.Source {
	reader := p.syntaxOf(path)
	made := func(mutants func(string) []syntax.Mutant) []syntax.Mutant {
		if mutants == nil {
			return nil
		}
		return p.outsideTests(path, content, mutants(content))
	}
	return evidence.Source{Path: path, Content: content, Mutants: made(reader.Mutants), Near: made(reader.Near)}
}

// outsideTests are those of some mutants of a source that are not in the tests that it holds.
func (p *Project) outsideTests(path, content string, list []syntax.Mutant) []syntax.Mutant {
	in := inTests(p.syntaxOf(path), content)
	return slices.DeleteFunc(list, func(m syntax.Mutant) bool { return in(m.Edit.Start) })
}

// inTests reports of a byte of a source whether it lies in a test that the source holds, or
// in what is gone when it runs.
func inTests(reader testrun.Syntax, content string) func(at int) bool {
	var spans []syntax.Span
	for _, find := range []func(string) []syntax.Span{reader.Cuts, reader.Erased} {
		if find != nil {
			spans = append(spans, find(content)...)
		}
	}
	return func(at int) bool {
		return slices.ContainsFunc(spans, func(s syntax.Span) bool { return s.Start <= at && at < s.End })
	}
}
