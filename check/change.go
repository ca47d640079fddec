package check

import (
	"bytes"
	"context"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
)

// maxText is the size above which a file is compared as a whole instead of as
// text.
const maxText = 4 << 20

// Change describes what differs between two trees, in the terms of a language.
func (c *Checker) Change(ctx context.Context, lang testrun.Language, before, after gitx.ID) (gates.Change, error) {
	diffs, err := c.opts.Repo.DiffMoved(ctx, before, after)
	if err != nil {
		return gates.Change{}, err
	}
	sides := make([][2]*gates.File, len(diffs))
	for i, d := range diffs {
		for side, e := range []*gitx.Entry{d.Old, d.New} {
			if sides[i][side], err = c.file(ctx, lang, e); err != nil {
				return gates.Change{}, err
			}
		}
	}
	change := gates.Change{Files: gates.Each(moved(sides), func(f [2]*gates.File) gates.FileChange { return compare(lang, f[0], f[1]) })}
	return change, c.purposes(ctx, lang, &change, before, after)
}

// Edit describes what becomes of one file that is no part of a tree yet. Nil is
// no file.
func Edit(lang testrun.Language, path string, before, after []byte) gates.FileChange {
	side := func(content []byte) *gates.File {
		if content == nil {
			return nil
		}
		return describe(lang, path, gitx.ModeFile, content)
	}
	return compare(lang, side(before), side(after))
}

func compare(lang testrun.Language, was, now *gates.File) gates.FileChange {
	f := gates.FileChange{Old: was, New: now}
	lang = lang.At(f.Path())
	f.Source = countLines(f.Was().Source, f.Is().Source)
	f.Test = countLines(f.Was().Test, f.Is().Test)
	f.Inert = inert(lang, f)
	f.Alters = !f.Inert && was != nil && now != nil && !now.Binary && now.Kind == gates.KindSource && lang.Syntax.Code != nil
	f.Asks = asks(lang, f)
	return f
}

// ofBoth finds the same of what was before and of what is now.
func ofBoth[K, V any](ctx context.Context, was, now K, of func(context.Context, K) (V, error)) (before, after V, err error) {
	if before, err = of(ctx, was); err == nil {
		after, err = of(ctx, now)
	}
	return before, after, err
}

// text reads a file of a tree; one that is not there is empty.
func (c *Checker) text(ctx context.Context, tree gitx.ID, path string) (string, error) {
	text, _, err := c.opts.Repo.Text(ctx, tree, path)
	return string(text), err
}

// file reads one side of a change.
func (c *Checker) file(ctx context.Context, lang testrun.Language, e *gitx.Entry) (*gates.File, error) {
	if e == nil {
		return nil, nil //nolint:nilnil // no entry, no file
	}
	if e.Mode == gitx.ModeSubmodule {
		return &gates.File{Path: e.Path, Mode: e.Mode, Kind: lang.Kind(e.Path)}, nil
	}
	obj, err := c.opts.Repo.Info(ctx, string(e.ID))
	if err != nil {
		return nil, err
	}
	if obj.Size > maxText {
		return &gates.File{Path: e.Path, Mode: e.Mode, Kind: lang.Kind(e.Path), Binary: true}, nil
	}
	if obj, err = c.opts.Repo.Object(ctx, string(e.ID)); err != nil {
		return nil, err
	}
	return describe(lang, e.Path, e.Mode, obj.Content), nil
}

// eachSource reads the sources of a tree; code is what is left without comments.
func (c *Checker) eachSource(ctx context.Context, lang testrun.Language, tree gitx.ID, do func(f *gates.File, code string)) error {
	entries, err := c.opts.Repo.Entries(ctx, tree)
	if err != nil {
		return err
	}
	for i := range entries {
		if lang.Kind(entries[i].Path) != gates.KindSource {
			continue
		}
		f, err := c.file(ctx, lang, &entries[i])
		if err != nil {
			return err
		}
		do(f, codeIn(lang, f.Path, f.Source))
	}
	return nil
}

// codeIn is the text of a file without its comments, where the language can tell them.
func codeIn(lang testrun.Language, path, text string) string {
	if code := lang.At(path).Syntax.Code; code != nil {
		return code(text)
	}
	return text
}

// describe says what a language sees in a file.
func describe(lang testrun.Language, path, mode string, content []byte) *gates.File {
	f := &gates.File{Path: path, Mode: mode, Kind: lang.Kind(path)}
	f.Binary = len(content) > maxText || bytes.IndexByte(content, 0) >= 0 || !utf8.Valid(content)
	if f.Binary {
		return f
	}
	if f.Kind == gates.KindOther && lang.Script(path, content) {
		f.Kind = gates.KindSource
	}
	f.Source, f.Test = lang.Split(path, content)
	lang = lang.At(path)
	if f.Kind == gates.KindSource && lang.Awareness.ForTests(f.Source) {
		asSupport(f)
	}
	if f.Test != "" {
		f.Declared = lang.Declared(f.Test)
		f.Assertions = lang.Assertions(f.Test)
		f.Expected, f.Bare = expected(lang, f, string(content))
	}
	return f
}

// inert reports whether the sources of a file, or what it holds for tests if it is for
// nothing else, differ in comments and layout at most.
func inert(lang testrun.Language, f gates.FileChange) bool {
	was, now := f.Was().Source, f.Is().Source
	if f.ForTests() {
		was, now = f.Was().Test, f.Is().Test
	}
	return was == now || f.Old != nil && f.New != nil && !f.New.Binary && lang.Syntax.Code != nil && lang.Syntax.Code(was) == lang.Syntax.Code(now)
}

// asks lists what a change adds to a source that asks whether it is tested.
func asks(lang testrun.Language, f gates.FileChange) []gates.Asking {
	if f.New == nil || f.New.Kind != gates.KindSource {
		return nil
	}
	had := map[string]bool{}
	for line := range strings.Lines(f.Was().Source) {
		had[strings.TrimSpace(line)] = true
	}
	said, all := lang.Awareness.In(f.New.Source), lines(f.New.Source)
	var out []gates.Asking
	for _, n := range slices.Sorted(maps.Keys(said)) {
		if had[strings.TrimSpace(all[n-1])] {
			continue
		}
		a := gates.Asking{Text: said[n]}
		if f.New.Test == "" {
			a.Line = n
		}
		out = append(out, a)
	}
	return out
}

// expected lists what the tests of a file compare with, and counts their checks
// that compare with nothing that is written out.
func expected(lang testrun.Language, f *gates.File, content string) (values []string, bare int) {
	if lang.Syntax.Checks == nil {
		return nil, 0
	}
	for _, c := range lang.Syntax.Checks(content, f.Kind) {
		var written []string
		for _, at := range c.Written() {
			if at.Start < at.End { // or put around a name: what that stands for is told beside it
				written = append(written, gates.Spelled(content[at.Start:at.End])...)
			}
		}
		switch {
		case c.Guard:
		case len(c.Altered) == 0 && len(c.Negated) > 0, len(c.Altered) > 0 && len(written) == 0:
			bare++
		default:
			values = append(values, written...)
		}
	}
	return values, bare
}

// maxMoved is how many files a change may have if it is looked for those that moved.
const maxMoved = 100

// moved finds among the files of a change, each as it was and as it is, those that moved
// and changed so much that git takes them for others, as a short one does whose names are
// others too.
func moved(sides [][2]*gates.File) [][2]*gates.File {
	for i := range sides {
		if len(sides) > maxMoved || sides[i][0] == nil || sides[i][1] != nil {
			continue
		}
		best, to := 0, -1
		for j := range sides {
			if n := alike(sides[i][0], sides[j]); n > best {
				best, to = n, j
			}
		}
		if to >= 0 {
			sides[i][1], sides[to][1] = sides[to][1], nil
		}
	}
	return slices.DeleteFunc(sides, func(f [2]*gates.File) bool { return f[0] == nil && f[1] == nil })
}

// alike is how many lexemes a file that is gone and one that is new share, if those are
// most of both.
func alike(was *gates.File, other [2]*gates.File) int {
	const few, most = 12, 0.7
	now := other[1]
	if other[0] != nil || now == nil || now.Kind != was.Kind || now.Mode != was.Mode || path.Ext(now.Path) != path.Ext(was.Path) {
		return 0
	}
	a, b := was.Source+was.Test, now.Source+now.Test
	if float64(min(len(a), len(b))) < most/2*float64(max(len(a), len(b))) {
		return 0
	}
	x, y := lexemes(a), lexemes(b)
	n := len(x) - countLines(strings.Join(x, "\n")+"\n", strings.Join(y, "\n")+"\n").Deleted
	if n < few || float64(n) < most*float64(max(len(x), len(y))) {
		return 0
	}
	return n
}
