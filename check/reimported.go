package check

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun/scan"
)

// importingPattern matches a line that begins to say what a file needs of others, and nothing else.
var importingPattern = lazyregexp.New(`^\s*(?:(?:import|from|use|using|require(?:_relative|_once)?|#\s*include|include_once)\s+[^\s(=]` +
	`|(?:const|let|var)\s[^=]*=\s*(?:await\s+)?(?:require|import)\s*\()`)

// splitImports takes the statements out of a text that say what it needs of others; blank lines
// are left out of both.
func splitImports(text string) (imports, rest []string) {
	open := 0 // brackets of a statement that goes on
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n")
		switch within := open > 0; {
		case line == "":
		case within || importingPattern.MatchString(line):
			for _, r := range line {
				open += strings.Count("([{", string(r)) - strings.Count(")]}", string(r))
			}
			if within {
				imports[len(imports)-1] += " " + line
			} else {
				imports = append(imports, line)
			}
		default:
			rest = append(rest, line)
		}
	}
	return imports, rest
}

// onlyReimports reports whether the tests of a change say what they said, wherever they
// stand now, but for where they import names from that moved to other sources. What uses
// such a name uses it as often as before, so that none but the one that the program uses
// is tested.
func (r renaming) onlyReimports(change gates.Change) bool {
	return len(r.moved) > 0 && sameTexts(change) && importsMoved(change, r.moved)
}

// movedNames are the names that sources of a change no longer declare and others now do,
// each with the path of these, and that code mentions as often as before.
func movedNames(change gates.Change) map[string]string {
	gone, come, mentions := map[string]bool{}, map[string]string{}, map[string]int{}
	for _, f := range change.Files {
		was, now := declaredIn(f.Old, mentions, -1), declaredIn(f.New, mentions, 1)
		for name := range was {
			gone[name] = gone[name] || now[name] == 0
		}
		for name := range now {
			if was[name] == 0 {
				come[name] = f.New.Path
			}
		}
	}
	maps.DeleteFunc(come, func(name, _ string) bool { return !gone[name] || mentions[name] != 0 })
	return come
}

// declaredIn are the names that a source declares. What its code mentions is counted.
func declaredIn(f *gates.File, mentions map[string]int, by int) map[string]int {
	if f == nil || f.Kind != gates.KindSource {
		return nil
	}
	_, rest := splitImports(f.Source)
	for _, name := range lexemes(strings.Join(rest, "\n")) {
		mentions[name] += by
	}
	return scan.Names(f.Source)
}

// sameTexts reports whether the files of tests of a change have the lines that they had but
// for what they import, each where it stood among the others, and each test its own.
func sameTexts(change gates.Change) bool {
	var was, now []string
	own, owned := map[string][]string{}, map[string][]string{}
	for _, f := range change.Files {
		if f.TouchesTest() && (f.Kind() == gates.KindSupport || f.Was().Binary || f.Is().Binary) || !keepsOrder(f, change) {
			return false
		}
		was, now = append(was, restOf(f.Was())...), append(now, restOf(f.Is())...)
		ownTexts(owned, f.Was())
		ownTexts(own, f.Is())
	}
	same := func(a, b []string) bool {
		return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
	}
	return same(was, now) && maps.EqualFunc(owned, own, same)
}

// keepsOrder reports whether a file of tests only lost lines, or only got some that stand
// in this order in another one of before.
func keepsOrder(f gates.FileChange, change gates.Change) bool {
	was, now := restOf(f.Was()), restOf(f.Is())
	if _, lost := gates.Within(now, was); lost {
		return true
	}
	come, kept := gates.Within(was, now)
	return kept && slices.ContainsFunc(change.Files, func(other gates.FileChange) bool { _, all := gates.Within(come, restOf(other.Was())); return all })
}

func restOf(f gates.File) []string {
	_, rest := splitImports(f.Test)
	return rest
}

// ownTexts adds the texts of the tests of a file, by name.
func ownTexts(out map[string][]string, f gates.File) {
	lines := strings.Split(f.Test, "\n")
	for _, name := range f.Declared {
		first, last := gates.OwnLines(f.Test, name)
		_, rest := splitImports(strings.Join(lines[first:last], "\n"))
		out[name] = append(out[name], strings.Join(rest, "\n"))
	}
}

// importsMoved reports whether what tests import now and did not before is names that
// moved, from where they are.
func importsMoved(change gates.Change, moved map[string]string) bool {
	known := map[string]bool{}
	for name, file := range moved {
		known[name] = true
		for part := range strings.SplitSeq(strings.TrimSuffix(file, path.Ext(file)), "/") {
			known[part] = true
		}
	}
	var fresh []string
	for _, f := range change.Files {
		was, _ := splitImports(f.Was().Test)
		for _, word := range wordsOf(was) {
			known[word] = true
		}
		now, _ := splitImports(f.Is().Test)
		fresh = append(fresh, now...)
	}
	return !slices.ContainsFunc(wordsOf(fresh), func(word string) bool { return !known[word] })
}

// wordsPattern finds the words of an import, also of a path in quotes.
var wordsPattern = lazyregexp.New(`[\pL_][\pL\d_-]*`)

func wordsOf(imports []string) []string {
	return wordsPattern().FindAllString(strings.Join(imports, "\n"), -1)
}

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
