package check

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/git-tdd/git-tdd/evidence"
	"github.com/git-tdd/git-tdd/facts"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
)

// selection is some files of a tree, or all.
type selection struct {
	files []string
	all   bool
	but   []string // the ids of tests in them that are not asked
}

func (s selection) has(file string) bool { return s.all || slices.Contains(s.files, file) }

// asks reports whether a test is among those that are asked, whatever more is on record.
func (s selection) asks(t gates.Test) bool {
	return (t.File == "" || s.has(t.File)) && !slices.Contains(s.but, t.ID)
}

// in reports whether a selection is part of another one.
func (s selection) in(of selection) bool {
	return of.all || !s.all && !slices.ContainsFunc(s.files, func(f string) bool { return !of.has(f) })
}

// oldPaths is where some files were before.
func (e *examination) oldPaths(files []string) []string {
	out := slices.Clone(files)
	for _, f := range e.j.Case.Change.Files {
		if f.Renamed() && slices.Contains(files, f.New.Path) {
			out = append(out, f.Old.Path)
		}
	}
	return out
}

// Grades says what each passing test of a tree is worth; nothing if that cannot be
// measured.
func (c *Checker) Grades(ctx context.Context, p *Project, plain gates.Facts) (map[string]gates.Grade, error) {
	if !mirrored(p.Language, plain) || !plain.Complete() {
		return nil, nil
	}
	return c.gradesOf(ctx, p, plain, selection{all: true})
}

// gradesOf grades the selected tests of the tree of some facts: from the record, or
// measured now.
func (c *Checker) gradesOf(ctx context.Context, p *Project, plain gates.Facts, of selection) (map[string]gates.Grade, error) {
	if !of.all && len(of.files) == 0 {
		return nil, nil
	}
	out := map[string]gates.Grade{}
	_, err := c.whole(ctx, p, gitx.ID(plain.Tree), func(part *part, seen gitx.ID) (testrun.Result, error) {
		own := part.selected(of)
		r, err := c.partOf(ctx, part, seen)
		if err != nil || !own.all && len(own.files) == 0 || !mirrored(part.Language, r.Facts) {
			return r, err
		}
		key := sharedKey{fmt.Sprintf("%s graded in %q but %q", part.key, own.files, own.but), seen}
		keep := func(map[string]gates.Grade) bool { return c.opts.Fresh == Anew }
		found, err := c.opts.Shared.grades.of(key, keep, func() (map[string]gates.Grade, error) {
			return c.grade(ctx, p, part, r.Facts, own)
		})
		for _, t := range r.Facts.Tests {
			if grade, known := found[t.ID]; known && own.asks(t) {
				out[t.ID] = grade
			}
		}
		return r, err
	})
	return out, err
}

// KnownGrades returns what is on record of what the tests of a tree are worth, without
// running anything.
func (p *Project) KnownGrades(ctx context.Context, tree gitx.ID) map[string]gates.Grade {
	out := map[string]gates.Grade{}
	_, err := p.checker.whole(ctx, p, tree, func(part *part, seen gitx.ID) (testrun.Result, error) {
		if e, ok := part.measurer.Known(seen); ok {
			graded, _ := part.measurer.KnownGrades(seen, e)
			maps.Copy(out, graded.Grades)
		}
		return testrun.Result{}, nil
	})
	if err != nil {
		return nil
	}
	return out
}

// Cost is how long the tests of a tree ran, and how long it took to find out what they
// are worth, as far as that is on record.
func (p *Project) Cost(ctx context.Context, tree gitx.ID) (run, worth time.Duration) {
	_, _ = p.checker.whole(ctx, p, tree, func(part *part, seen gitx.ID) (testrun.Result, error) { // what cannot be read is not on record
		if e, ok := part.measurer.Known(seen); ok {
			run += time.Duration(e.Result.Facts.DurationMS) * time.Millisecond
			worth += part.measurer.Cost(seen, e)
		}
		return testrun.Result{}, nil
	})
	return run, worth
}

// selected is what of a selection lies in a part.
func (p *part) selected(of selection) selection {
	of.files = slices.DeleteFunc(slices.Clone(of.files), func(f string) bool { _, ok := p.Within(f); return !ok })
	return of
}

// grade grades the tests of a part for one checker. The facts are those of the part,
// and of its own tree.
func (c *Checker) grade(ctx context.Context, p *Project, part *part, plain gates.Facts, of selection) (map[string]gates.Grade, error) {
	m, seen := part.measurer, gitx.ID(plain.Tree)
	kept, known := m.Grades(ctx, seen)
	if known = known && c.opts.Fresh != Anew; known && of.in(selectionOf(kept)) {
		return kept.Grades, nil
	}
	graded := facts.Graded{Hasty: c.opts.Evidence == gates.EvidenceChanged && !alterable(plain)}
	asked := plain
	if !known || of.all {
		kept = facts.Graded{}
	}
	if !of.all {
		of.files = slices.DeleteFunc(of.files, selectionOf(kept).has)
		graded.Files = slices.Concat(kept.Files, of.files)
		asked.Tests = slices.DeleteFunc(slices.Clone(plain.Tests), func(t gates.Test) bool { return !of.asks(t) })
	}
	tests, err := c.testFiles(ctx, p.Language, seen, of)
	if err == nil && !of.all && evidence.Helped(tests, asked) {
		tests, err = c.testFiles(ctx, p.Language, seen, selection{all: true})
	}
	if err != nil {
		return nil, err
	}
	tests = slices.DeleteFunc(tests, func(f evidence.File) bool { _, ok := part.Within(f.Path); return !ok })
	started := time.Now()
	graded.Grades, err = evidence.Grades(ctx, tests, asked, func(ctx context.Context, q evidence.Question) (gates.Facts, error) {
		return m.Alter(ctx, seen, altered(plain, q))
	})
	if err != nil {
		return nil, err
	}
	graded.Took = kept.Took + time.Since(started)
	if !of.all {
		maps.Copy(graded.Grades, kept.Grades)
	}
	if len(of.but) > 0 {
		return graded.Grades, nil
	}
	return graded.Grades, m.KeepGrades(ctx, seen, graded)
}

// selectionOf is the files whose tests were graded.
func selectionOf(g facts.Graded) selection {
	return selection{files: g.Files, all: g.Grades != nil && g.Files == nil}
}

// testFiles reads the files of a tree that hold tests or help them. What a source that goes by
// the name of a helper is for is found out as if all of them were new.
func (c *Checker) testFiles(ctx context.Context, lang testrun.Language, tree gitx.ID, of selection) ([]evidence.File, error) {
	entries, err := c.opts.Repo.Entries(ctx, tree)
	if err != nil {
		return nil, err
	}
	entries = slices.DeleteFunc(entries, func(e gitx.Entry) bool {
		return lang.At(e.Path).Syntax.Checks == nil || !of.has(e.Path) || e.Mode != gitx.ModeFile && e.Mode != gitx.ModeExecutable
	})
	var files []*gates.File
	var open gates.Change
	for i := range entries {
		f, err := c.file(ctx, lang, &entries[i])
		if err != nil {
			return nil, err
		}
		if _, unsettled := lang.Unsettled(f.Path); unsettled && lang.Kind(f.Path) == gates.KindSource {
			open.Files = append(open.Files, gates.FileChange{New: f})
		} else if f.Test == "" {
			continue
		}
		files = append(files, f)
	}
	if err := c.purposes(ctx, lang, &open, "", tree); err != nil {
		return nil, err
	}
	var out []evidence.File
	for _, f := range slices.DeleteFunc(files, func(f *gates.File) bool { return f.Test == "" }) {
		content, err := c.text(ctx, tree, f.Path)
		if err != nil {
			return nil, err
		}
		out = append(out, evidence.File{Path: f.Path, Content: content, Declared: f.Declared, Checks: lang.At(f.Path).Syntax.Checks(content, f.Kind)})
	}
	return out, nil
}

// The longest that an altered run may take: so many times the plain one, and a margin.
// What has to be built anew, or has no luck with the machine, is run once more with
// more of both. Of a few tests that are run by themselves it is their own time.
const (
	limitTimes   = 5
	limitMargin  = 2 * time.Second
	longerTimes  = 10
	longerMargin = 8 * time.Second
)

// runner runs a tree with files replaced: those parts of it whose tests are asked,
// and that see what is replaced. What the others show is what they showed.
func (c *Checker) runner(p *Project, tree gitx.ID) evidence.Run {
	return func(ctx context.Context, q evidence.Question) (gates.Facts, error) {
		r, err := c.whole(ctx, p, tree, func(part *part, seen gitx.ID) (testrun.Result, error) {
			own := part.asked(q)
			r, err := c.partOf(ctx, part, seen)
			if err != nil || len(own.Tests) == 0 || len(q.Files) > 0 && len(own.Files) == 0 {
				return r, err
			}
			r.Facts, err = part.measurer.Answer(ctx, seen, altered(r.Facts, own))
			return r, err
		})
		return r.Facts, err
	}
}

// asked is what of a question concerns a part.
func (p *part) asked(q evidence.Question) evidence.Question {
	q.Files, q.Tests = maps.Clone(q.Files), slices.Clone(q.Tests)
	maps.DeleteFunc(q.Files, func(file, _ string) bool { return !p.Sees(file) })
	q.Tests = slices.DeleteFunc(q.Tests, func(t gates.Test) bool { return !p.Holds(t.ID) })
	return q
}

// altered is how a tree is run for a question. If few of its tests are asked, only
// those run, where the runner allows it.
func altered(plain gates.Facts, q evidence.Question) facts.Altered {
	took, alone := time.Duration(plain.SuiteMS())*time.Millisecond, time.Duration(plain.AloneMS)*time.Millisecond
	within := func(times, margin time.Duration) facts.Limit {
		limit := facts.Limit{Any: times*took + margin}
		if alone > 0 {
			limit.Alone = times*alone + margin
		}
		return limit
	}
	a := facts.Altered{Files: q.Files, Limit: within(limitTimes, limitMargin), For: q.For}
	if !q.Hasty {
		a.Longer = within(longerTimes, longerMargin)
	}
	if few(q.Tests, plain) {
		a.Tests = q.Tests
		if q.Took > 0 { // what has to be built may take as long as all of it took
			a.Limit.Any = min(a.Limit.Any, took+limitTimes*q.Took+limitMargin)
		}
	}
	return a
}

// few reports whether some tests are so few that they are run by themselves.
func few(tests []gates.Test, plain gates.Facts) bool {
	return 2*len(tests) < len(plain.With(gates.StatusPassed))
}
