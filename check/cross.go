package check

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// cross measures the new sources with the old tests, if a refactoring changed
// tests.
func (c *Checker) cross(ctx context.Context, p Proposal, j *Judgement) (err error) {
	k := j.Case
	switch {
	case !k.After.Complete():
		return nil
	case k.Merge:
		k.Merged, err = c.sides(ctx, p, j)
		return err
	case !k.Preserves() && !k.Retires():
		k.Reversed, err = c.weakened(ctx, p, j)
		return err
	}
	all := across{project: j.Project, change: k.Change, before: k.Before, old: j.parent, tree: p.Tree}
	if k.Retires() {
		if k.Vanished, err = c.vanished(ctx, p, j); err != nil {
			return err
		}
	}
	found, err := c.crossing(ctx, all)
	if err != nil || found.facts.Tree == "" {
		return err
	}
	k.Crossed = &found.shown
	changing, err := c.unsteady(ctx, j, gates.Uncrossed(k))
	k.Unsteady = append(k.Unsteady, changing...)
	switch {
	case err != nil:
	case !k.Retires():
		k.Reversed, err = c.reverse(ctx, p, j)
	case !found.facts.Complete():
		err = c.crossRest(ctx, all, k)
	}
	return err
}

// crossRest asks the old tests that mention nothing of what a retirement takes away, but
// for what it only calls otherwise: others kept them from running.
func (c *Checker) crossRest(ctx context.Context, a across, k *gates.Case) error {
	r, err := c.renamed(ctx, a)
	if err != nil {
		return err
	}
	gone := func(text string) bool {
		return slices.ContainsFunc(gates.Identifiers(text), func(word string) bool { return k.Vanished[word] && r.names[word] == "" })
	}
	a.change.Files = slices.Clone(a.change.Files)
	for i, f := range a.change.Files {
		if f.Old != nil {
			a.change.Files[i].Old = withoutTests(f.Old, gone)
		}
	}
	a.change.Files = slices.DeleteFunc(a.change.Files, func(f gates.FileChange) bool {
		return f.Old != nil && (gone(f.Old.Test) || emptied(f.Old))
	})
	rest, err := c.crossing(ctx, a)
	if err == nil && rest.facts.Tree != "" {
		k.Crossed = &rest.shown
	}
	return err
}

// emptied reports whether a file that declares tests has the text of none left.
func emptied(f *gates.File) bool {
	return len(f.Declared) > 0 && !slices.ContainsFunc(f.Declared, func(name string) bool {
		first, last := gates.OwnLines(f.Test, name)
		return first < last
	})
}

// withoutTests is a file without those of its tests whose text is of some kind.
func withoutTests(f *gates.File, kind func(text string) bool) *gates.File {
	left := *f
	for _, name := range f.Declared {
		all := strings.Split(left.Test, "\n")
		first, last := gates.OwnLines(left.Test, name)
		if last < len(all) && closingPattern.MatchString(all[last]) {
			last++
		}
		if kind(strings.Join(all[first:last], "\n")) {
			left.Test = strings.Join(slices.Delete(all, first, last), "\n")
		}
	}
	return &left
}

// closingPattern finds the line that closes a block.
var closingPattern = lazyregexp.New(`^\s*(?:[})]|end\b)`)

// across is two trees, of which the one of now is asked by the tests of before.
type across struct {
	project *Project
	change  gates.Change
	before  gates.Facts
	old     gitx.ID // the tree of before
	tree    gitx.ID // that of now

	configured bool // as before
}

// crossing is what the tests of before show under the sources of now; the zero value if no
// test changed.
type crossing struct {
	facts gates.Facts
	shown gates.Facts // the same, by the ids of before
}

// crossing puts the tests of before under the sources of now: as they were, or, if one of
// them does not pass then, in the words of now.
func (c *Checker) crossing(ctx context.Context, a across) (crossing, error) {
	found, err := c.crossed(ctx, a, renaming{})
	if err != nil || found.facts.Tree == "" || a.passing(found.shown) == len(a.before.With(gates.StatusPassed)) {
		return found, err
	}
	r, err := c.renamed(ctx, a)
	if err != nil {
		return found, err
	}
	if r.onlyReimports(a.change) { // they are those of now
		result, err := c.Of(ctx, a.project, a.tree)
		return crossing{result.Facts, calledAs(result.Facts, a.change.Before(a.before, result.Facts))}, err
	}
	if onlyLacksNames(found.facts) {
		r.wrap(a.change)
	}
	if r.none() {
		return found, nil
	}
	renamed, err := c.crossed(ctx, a, r)
	if err != nil {
		return found, err
	}
	if renamed.shown = r.shown(a, renamed.facts); a.passing(renamed.shown) > a.passing(found.shown) {
		return renamed, nil
	}
	return found, nil
}

// settled is crossing; where the tests of before cannot be run so, with the settings of before.
func (c *Checker) settled(ctx context.Context, a across) (crossing, error) {
	found, err := c.crossing(ctx, a)
	if err == nil && !found.facts.Complete() && slices.ContainsFunc(a.change.Files, gates.FileChange.Configures) {
		a.configured = true
		return c.crossing(ctx, a)
	}
	return found, err
}

// passing counts the tests of before that passed and do so still.
func (a across) passing(now gates.Facts) int {
	n := 0
	if !now.Complete() {
		return -1
	}
	followed := a.change.Followed(a.before, now)
	for _, t := range a.before.With(gates.StatusPassed) {
		if now.StatusOf(followed[t.ID]) == gates.StatusPassed {
			n++
		}
	}
	return n
}

func (c *Checker) crossed(ctx context.Context, a across, r renaming) (found crossing, err error) {
	edits, err := c.restoreTests(ctx, a, r)
	if err != nil || len(edits) == 0 {
		return found, err
	}
	tree, err := c.opts.Repo.WriteTree(ctx, a.tree, edits)
	if err != nil {
		return found, fmt.Errorf("put the old tests under the new sources: %w", err)
	}
	result, err := c.Of(ctx, a.project, tree)
	return crossing{result.Facts, result.Facts}, err
}

// restoreTests lists the edits that bring back the tests as they were, or as they follow what is
// called otherwise now. Deletions come first, because what is restored may need their place.
func (c *Checker) restoreTests(ctx context.Context, a across, r renaming) ([]gitx.TreeEdit, error) {
	was, err := c.byPath(ctx, a.old)
	if err != nil {
		return nil, err
	}
	var gone, back []gitx.TreeEdit
	for _, f := range a.change.Files {
		switch whole := !f.TouchesTest(); {
		case whole && (!a.configured || !f.Configures()):
			continue
		case f.New == nil:
		case whole, f.Is().ForTests():
			gone = append(gone, gitx.TreeEdit{Path: f.New.Path, Delete: true})
		case f.New.Test != inlineTests(f.Was()):
			content, err := c.text(ctx, a.tree, f.New.Path)
			if err != nil {
				return nil, err
			}
			back = append(back, r.inline(f, content))
		}
		if f.Old != nil && (f.Was().ForTests() || !f.TouchesTest()) {
			back = append(back, r.restored(f, was[f.Old.Path]))
		}
	}
	return append(gone, back...), nil
}

// inline is a source as it is, with the tests in it as they were, or as they follow what is
// called otherwise now.
func (r renaming) inline(f gates.FileChange, content string) gitx.TreeEdit {
	tests := inlineTests(f.Was())
	if f.Old != nil && !r.none() {
		tests = r.follow(f, tests, f.New.Path)
	}
	return gitx.TreeEdit{Path: f.New.Path, Mode: f.New.Mode, Content: withTests(content, f.New, tests)}
}

// restored is a file of tests as it was; where things are called otherwise now, where
// the change has it.
func (r renaming) restored(f gates.FileChange, e gitx.Entry) gitx.TreeEdit {
	if r.none() || f.Old.Binary || f.Old.IsData() || !f.TouchesTest() {
		return gitx.TreeEdit{Path: e.Path, Mode: e.Mode, Blob: e.ID}
	}
	to := e.Path
	if f.Is().ForTests() {
		to = f.New.Path
	}
	return gitx.TreeEdit{Path: to, Mode: e.Mode, Content: []byte(r.follow(f, f.Old.Test, to))}
}

// shown has facts of tests that follow a renaming by the ids that the tests had.
func (r renaming) shown(a across, facts gates.Facts) gates.Facts {
	moved, was := a.change.Renames(), map[string]string{}
	for _, t := range a.before.Tests {
		id := t.ID
		if to := moved[t.File]; to != "" {
			id = strings.Replace(id, t.File, to, 1)
		}
		if id = r.renames(id); id != t.ID {
			was[id] = t.ID
		}
	}
	return calledAs(facts, was)
}

// calledAs has facts by the ids that tests had.
func calledAs(facts gates.Facts, was map[string]string) gates.Facts {
	facts.Tests = slices.Clone(facts.Tests)
	for i := range facts.Tests {
		t := &facts.Tests[i]
		t.ID = cmp.Or(was[t.ID], t.ID)
	}
	return facts
}

// inlineTests is the part of a source file that holds tests.
func inlineTests(f gates.File) string {
	if f.ForTests() {
		return ""
	}
	return f.Test
}

// withTests puts other tests into a source file: in place of its own if those
// are in one place, so that they see the same names; otherwise at the end.
func withTests(content string, f *gates.File, tests string) []byte {
	for at := 0; f.Test != ""; at++ {
		next := strings.Index(content[at:], f.Test)
		if next < 0 {
			break
		}
		at += next
		before, after := content[:at], content[at+len(f.Test):]
		if before+after == f.Source {
			return []byte(before + ended(tests) + after)
		}
	}
	return []byte(ended(f.Source) + ended(tests))
}

// ended is the text with a line break at its end.
func ended(text string) string {
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
}
