package check

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

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

// OnlyRenames reports whether the tests of a change that was taken apart read as they did but
// for what its sources call otherwise, which may be in their titles, too.
func (c *Checker) OnlyRenames(ctx context.Context, d Derived) (bool, error) {
	r, err := c.renamed(ctx, across{project: d.Project, change: d.Change, old: d.Base.Tree, tree: d.Green.Tree})
	same := func(was, now string) bool { return was == now || r.names[was] == now }
	return err == nil && !r.none() && !slices.ContainsFunc(d.Change.Files, func(f gates.FileChange) bool {
		return f.TouchesTest() && (f.Old == nil || f.New == nil ||
			!slices.EqualFunc(wordPattern().FindAllString(f.Old.Test, -1), wordPattern().FindAllString(f.New.Test, -1), same))
	}), err
}
