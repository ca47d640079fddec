package prove

import (
	"maps"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

var (
	// equalPattern matches a line that checks whether two values are the same.
	equalPattern = lazyregexp.New(`(?i)^(?:assert|expect|require|check|if\b|self\.assert|t\.|\$this->assert).*(?:equal|==|!=|\.to(?:be|eq)|\beq\b|_eq)`)
	// lawPattern matches what asks for something else than that, be it that two are not the same.
	lawPattern = lazyregexp.New(`(?i)\b\w*(?:same|not|raise|throw|instance|kind|refute|differ)|\bassert\b.*!=|_ne\b|\bNe\b|\bis\b`)
	// sidePattern matches what stands between the two sides of a check.
	sidePattern = lazyregexp.New(`===?|!==?|, |\)\.(?:to|is)\w*(?:\(|\.\w+\()`)
	// givesPattern matches a line that gives a name its value.
	givesPattern = lazyregexp.New(`^(?:(?:const|let|var|val|auto|final|[A-Z][\w<>]*) )?(\$?\w+)(?:, \w+)?(?: ?: ?[\w<>]+)? ?:?= ?([^=].*)$`)
)

// itself are the added lines of tests that compare what the change computes with what it
// computes: they hold whatever that is. Where small errors were tried, those of a test that
// notices some by what it asserts are laws, such as that what is written reads the same.
func (p *proof) itself() (out []Lines) {
	made := map[string]bool{}
	for _, lines := range p.added {
		for _, line := range lines {
			for _, name := range gates.DeclaredNames(line) {
				made[name] = true
			}
		}
	}
	for _, f := range p.Change.Files {
		added := addedToTests(f)
		given := map[string]string{}
		for _, n := range slices.Sorted(maps.Keys(added)) {
			line := strings.Join(strings.Fields(added[n]), " ")
			if m := givesPattern().FindStringSubmatch(line); m != nil {
				given[m[1]] = m[2]
			} else if equalPattern.MatchString(line) && !lawPattern.MatchString(line) && computed(line, given, made) && !p.decides(f.New, n) {
				out = append(out, Lines{Path: f.Path(), First: n + 1, Last: n + 1, Text: line})
			}
		}
	}
	return out
}

// decides reports whether the test in which a line of a file stands, counted from 0, notices
// a small error by what it asserts.
func (p *proof) decides(f *gates.File, line int) bool {
	return slices.ContainsFunc(f.Declared, func(name string) bool {
		first, last := gates.OwnLines(f.Test, name)
		return first <= line && line < last && slices.ContainsFunc(p.Tests, func(t Test) bool {
			return t.File == f.Path && strings.HasSuffix(t.ID, name) && t.Decides > 0
		})
	})
}

// reading are the tests that notice a comment in the change.
func (p *proof) reading() []Lines {
	return gates.Each(p.measured().Reading, func(id string) Lines {
		t, _ := p.after.Lookup(id)
		return Lines{Path: t.File, First: t.Line, Last: t.Line, Text: id}
	})
}

// computed reports whether all that a check compares comes from calls of some functions: here,
// or where its name was given it. What it says if it fails is not compared.
func computed(check string, given map[string]string, made map[string]bool) bool {
	calls := func(text string) bool {
		return strings.Contains(text, "(") && slices.ContainsFunc(gates.Identifiers(text), func(w string) bool { return made[w] })
	}
	sides := 0
	for _, side := range sidePattern().Split(check, -1) {
		names := gates.Identifiers(side)
		switch {
		case slices.ContainsFunc(gates.Literals(side), func(v string) bool { return strings.Contains(v, " ") }):
		case len(gates.Literals(side)) > 0:
			return false
		case calls(side) || slices.ContainsFunc(names, func(w string) bool { return calls(given[w]) && len(gates.Literals(given[w])) == 0 }):
			sides++
		default:
			return false
		}
	}
	return sides > 1
}
