package check

import (
	"context"
	"fmt"
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
}

func (s selection) has(file string) bool { return s.all || slices.Contains(s.files, file) }

// in reports whether a selection is part of another one.
func (s selection) in(of selection) bool {
	return of.all || !s.all && !slices.ContainsFunc(s.files, func(f string) bool { return !of.has(f) })
}

// Grades says what each passing test of a tree is worth; nothing if that cannot be
// measured.
func (c *Checker) Grades(ctx context.Context, p *Project, plain gates.Facts) (map[string]gates.Grade, error) {
	if !mirrored(p.Language, plain) || !plain.Complete() {
		return nil, nil
	}
	return c.gradesOf(ctx, p, plain, selection{all: true})
}

// gradesOf grades the tests in some files of the tree of some facts: from the
// record, or measured now.
func (c *Checker) gradesOf(ctx context.Context, p *Project, plain gates.Facts, of selection) (map[string]gates.Grade, error) {
	if !of.all && len(of.files) == 0 {
		return nil, nil
	}
	key := sharedKey{fmt.Sprintf("%s graded in %q", p.commands, of.files), gitx.ID(plain.Tree)}
	keep := func(map[string]gates.Grade) bool { return c.opts.Fresh == Anew }
	return c.opts.Shared.grades.of(ctx, key, keep, func() (map[string]gates.Grade, error) { return c.grade(ctx, p, plain, of) })
}

// grade is gradesOf for one checker.
func (c *Checker) grade(ctx context.Context, p *Project, plain gates.Facts, of selection) (map[string]gates.Grade, error) {
	m, tree := p.measurer, gitx.ID(plain.Tree)
	if kept, ok := m.Grades(ctx, tree); ok && c.opts.Fresh != Anew && of.in(selection{kept.Files, kept.Files == nil}) {
		return kept.Grades, nil
	}
	tests, err := c.testFiles(ctx, p.Language, tree, of)
	if err != nil {
		return nil, err
	}
	graded := facts.Graded{Files: of.files}
	graded.Grades, err = evidence.Grades(ctx, tests, plain, runner(p, tree, plain))
	if err != nil {
		return nil, err
	}
	return graded.Grades, m.KeepGrades(ctx, tree, graded)
}

// testFiles reads the files of a tree that hold tests or help them.
func (c *Checker) testFiles(ctx context.Context, lang testrun.Language, tree gitx.ID, of selection) ([]evidence.File, error) {
	entries, err := c.opts.Repo.Entries(ctx, tree)
	if err != nil {
		return nil, err
	}
	var out []evidence.File
	for i := range entries {
		if !holdsTests(lang, &entries[i]) || !of.has(entries[i].Path) {
			continue
		}
		f, err := c.testFile(ctx, lang, &entries[i])
		if err != nil {
			return nil, err
		}
		if f.Content != "" {
			out = append(out, f)
		}
	}
	return out, nil
}

// holdsTests reports whether a file may hold tests, or what helps them.
func holdsTests(lang testrun.Language, entry *gitx.Entry) bool {
	kind := lang.Kind(entry.Path)
	return (kind == gates.KindTest || kind == gates.KindSupport || kind == gates.KindSource && lang.Inline()) &&
		(entry.Mode == gitx.ModeFile || entry.Mode == gitx.ModeExecutable)
}

// testFile reads a file of tests; one without any has no content.
func (c *Checker) testFile(ctx context.Context, lang testrun.Language, entry *gitx.Entry) (evidence.File, error) {
	f, err := c.file(ctx, lang, entry)
	if err != nil || f.Binary || f.Test == "" {
		return evidence.File{}, err
	}
	obj, err := c.opts.Repo.Object(ctx, string(entry.ID))
	if err != nil {
		return evidence.File{}, err
	}
	content := string(obj.Content)
	return evidence.File{
		Path: entry.Path, Content: content, Declared: f.Declared,
		Checks: lang.Syntax.Checks(content, lang.Kind(entry.Path)),
	}, nil
}

// The longest that an altered run may take: so many times the plain one, and a
// margin for what has to be built.
const (
	limitTimes  = 5
	limitMargin = 30 * time.Second
)

// runner runs a tree with files replaced. If few of its tests are asked, only those
// run, where the runner allows it.
func runner(p *Project, tree gitx.ID, plain gates.Facts) evidence.Run {
	total := len(plain.With(gates.StatusPassed))
	return func(ctx context.Context, q evidence.Question) (gates.Facts, error) {
		a := facts.Altered{Files: q.Files, Limit: limitTimes*time.Duration(plain.DurationMS)*time.Millisecond + limitMargin}
		if lang := p.Language; lang.Narrow != nil && 2*len(q.Tests) < total {
			a.Test = lang.Narrow(p.Commands.Test, q.Tests)
		}
		return p.measurer.Alter(ctx, tree, a)
	}
}
