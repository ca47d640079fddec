package check

import (
	"bytes"
	"context"
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
		change.Files = append(change.Files, f)
	}
	return change, nil
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
	if f.Test != "" {
		f.Declared = lang.Declared(f.Test)
		f.Assertions = lang.Assertions(f.Test)
	}
	return f, nil
}
