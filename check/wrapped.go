package check

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// qualifiedPattern matches a lexeme, or names that are joined to one.
var qualifiedPattern = lazyregexp.New(`[\pL_][\pL\d_]*(?:::[\pL_][\pL\d_]*)*|\S`)

// wrap finds what a change puts into a module or namespace that it adds: tests call a by
// the name b::a, and sources mention a as often as before: there is no second one. It is for
// changes after which tests that say a find nothing of that name.
func (r renaming) wrap(change gates.Change) {
	votes, was, now := map[[2]string]int{}, map[string]int{}, map[string]int{}
	for _, f := range change.Files {
		for _, name := range lexemes(f.Was().Source) {
			was[name]++
		}
		for _, name := range lexemes(f.Is().Source) {
			now[name]++
		}
		vote(votes, f.Was().Test, f.Is().Test, qualifiedPattern)
	}
	for _, p := range slices.SortedFunc(maps.Keys(votes), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		within, name, ok := strings.Cut(p[1], "::")
		if name = name[strings.LastIndexByte(name, ':')+1:]; ok && namePattern.MatchString(p[0]) && name == cmp.Or(r.names[p[0]], p[0]) &&
			was[p[0]] > 0 && was[p[0]] == now[name] && now[within] > was[within] {
			r.names[p[0]] = p[1]
		}
	}
}

// onlyLacksNames reports whether tests fail, or do not compile, because of names that nothing
// has, and for no other reason.
func onlyLacksNames(f gates.Facts) bool {
	failed := f.With(gates.StatusFailed)
	return len(failed)+len(f.Diagnostics) > 0 && !slices.ContainsFunc(failed, func(t gates.Test) bool { return t.Class != gates.ClassMissingSymbol }) &&
		!slices.ContainsFunc(f.Diagnostics, func(d gates.Diagnostic) bool { return d.Class != gates.ClassMissingSymbol })
}
