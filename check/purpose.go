package check

import (
	"context"
	"path"
	"slices"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
)

// maxPurposes is how many files of a change are looked up. One that touches more
// is measured as a whole anyway.
const maxPurposes = 20

// purposes finds out what the files of a change are for where their names leave it
// open, by who mentions them: what only tests do is test support, and a document
// that anything mentions may decide what is tested.
func (c *Checker) purposes(ctx context.Context, lang testrun.Language, change *gates.Change, before, after gitx.ID) error {
	looked := 0
	for i := range change.Files {
		f := &change.Files[i]
		tree, known := after, f.New
		if known == nil {
			tree, known = before, f.Old
		}
		word, open := lang.Unsettled(known.Path)
		if !open || looked == maxPurposes {
			continue
		}
		looked++
		paths, err := c.opts.Repo.Mentioning(ctx, tree, word)
		if err != nil {
			return err
		}
		f.Reached = slices.ContainsFunc(paths, func(p string) bool {
			kind := lang.Kind(p) // a manifest only says where the documentation is
			return p != known.Path && kind != gates.KindOther && kind != gates.KindConfig
		})
		if forTestsOnly(lang, known.Path, paths) {
			asSupport(f.Old)
			asSupport(f.New)
		}
	}
	return nil
}

// forTestsOnly reports whether tests mention a file that may help them and no source does,
// but for files beside it that are like it.
func forTestsOnly(lang testrun.Language, file string, mentions []string) bool {
	tests := false
	if !lang.MaySupport(file) {
		return false
	}
	for _, p := range mentions {
		_, open := lang.Unsettled(p)
		switch kind := lang.Kind(p); {
		case p == file, open && path.Dir(p) == path.Dir(file):
		case kind == gates.KindTest, kind == gates.KindSupport:
			tests = true
		case kind == gates.KindSource:
			return false
		}
	}
	return tests
}

// asSupport makes a file test support.
func asSupport(f *gates.File) {
	if f != nil && (f.Kind == gates.KindSource || f.Kind == gates.KindOther) && f.Test == "" {
		f.Kind, f.Test, f.Source = gates.KindSupport, f.Source, ""
	}
}
