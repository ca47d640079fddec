package check

import (
	"bytes"
	"context"
	"maps"
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
	diffs, err := c.opts.Repo.Diff(ctx, before, after, gitx.FollowMoves)
	if err != nil {
		return gates.Change{}, err
	}
	var change gates.Change
	for _, d := range diffs {
		var f gates.FileChange
		if f.Old, err = c.file(ctx, lang, d.Old); err != nil {
			return change, err
		}
		if f.New, err = c.file(ctx, lang, d.New); err != nil {
			return change, err
		}
		f.Source = countLines(partOf(f.Old, sourceOf), partOf(f.New, sourceOf))
		f.Test = countLines(partOf(f.Old, testOf), partOf(f.New, testOf))
		f.Inert = inert(lang, f)
		f.Asks = asks(lang, f)
		change.Files = append(change.Files, f)
	}
	return change, c.purposes(ctx, lang, &change, before, after)
}

func sourceOf(f *gates.File) string { return f.Source }
func testOf(f *gates.File) string   { return f.Test }

func partOf(f *gates.File, of func(*gates.File) string) string {
	if f == nil {
		return ""
	}
	return of(f)
}

// file reads one side of a change.
func (c *Checker) file(ctx context.Context, lang testrun.Language, e *gitx.Entry) (*gates.File, error) {
	if e == nil {
		return nil, nil //nolint:nilnil // no entry, no file
	}
	f := &gates.File{Path: e.Path, Mode: e.Mode, Kind: lang.Kind(e.Path)}
	if e.Mode == gitx.ModeSubmodule {
		return f, nil
	}
	obj, err := c.opts.Repo.Object(ctx, string(e.ID))
	if err != nil {
		return nil, err
	}
	f.Size = int64(len(obj.Content))
	f.Binary = len(obj.Content) > maxText || bytes.IndexByte(obj.Content, 0) >= 0 || !utf8.Valid(obj.Content)
	if f.Binary {
		return f, nil
	}
	f.Source, f.Test = lang.Split(e.Path, obj.Content)
	if f.Kind == gates.KindSource && lang.Awareness.ForTests(f.Source) {
		asSupport(f)
	}
	if f.Test != "" {
		f.Declared = lang.Declared(f.Test)
		f.Assertions = lang.Assertions(f.Test)
		f.Expected, f.Bare = expected(lang, f, string(obj.Content))
	}
	return f, nil
}

// inert reports whether the sources of a file differ in comments and layout at
// most.
func inert(lang testrun.Language, f gates.FileChange) bool {
	was, now := partOf(f.Old, sourceOf), partOf(f.New, sourceOf)
	return was == now || f.Old != nil && f.New != nil && !f.New.Binary && lang.Syntax.Code != nil && lang.Syntax.Code(was) == lang.Syntax.Code(now)
}

// asks lists what a change adds to a source that asks whether it is tested.
func asks(lang testrun.Language, f gates.FileChange) []gates.Asking {
	if f.New == nil || f.New.Kind != gates.KindSource {
		return nil
	}
	had := map[string]bool{}
	for line := range strings.Lines(partOf(f.Old, sourceOf)) {
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
		switch {
		case c.Guard:
		case len(c.Altered) == 0 && !c.Call:
			bare++
		default:
			for _, e := range c.Altered {
				values = append(values, strings.Trim(content[e.Start:e.End], "\"'`() "))
			}
		}
	}
	return values, bare
}
