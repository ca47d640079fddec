package gates

import (
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// originPattern finds where an import has its names from: what stands in quotes, what Python
// says first, or a path without its last part.
var originPattern = lazyregexp.New(`^[^"'<]*(?:["']([^"']+)["']|<([^>]+)>)|^from ([\w.]+) |^(?:import|use|using)(?: static)? ([\w.:\\]+?)(?:(?:::|[.\\])[\w*]+)?(?:::|\\)?(?: as \w+|[ {;].*)?$`)

// blockImportPattern matches a line of Go's import ( … ).
var blockImportPattern = lazyregexp.New(`^(?:[\w.]+ )?"[^"]+"$`)

// origins are the places from which a file of tests imports names.
func origins(f *File) (out []string) {
	for line := range strings.SplitSeq(sideOf(f).Test, "\n") {
		text := strings.Join(strings.Fields(line), " ")
		if !importingPattern.MatchString(text) && !blockImportPattern.MatchString(text) {
			continue
		}
		if m := originPattern().FindStringSubmatch(text); m != nil {
			out = append(out, m[1]+m[2]+m[3]+m[4])
		}
	}
	return out
}

// importsFromElsewhere reports whether a file of tests that was there before no longer imports
// from where it did, and from somewhere else instead.
func (c FileChange) importsFromElsewhere() bool {
	if c.Old == nil || c.New == nil || c.Renamed() || len(c.Old.Declared) == 0 {
		return false
	}
	was, now := origins(c.Old), origins(c.New)
	return len(without(was, now)) > 0 && len(without(now, was)) > 0
}
