package prove

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// A formula is so many tokens, and so much arithmetic among them, or a sum that a loop adds up.
const formulaTokens, formulaSteps = 12, 3

// mostPairs bounds the time that looking for formulas takes, to a fraction of a second.
const mostPairs = 50_000_000

var (
	// formulaPattern matches a token of a formula: a text, a name, a number, or a sign.
	formulaPattern = lazyregexp.New(`"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[\pL_$][\pL\pN_$]*|\d[\w.]*|\*\*|//|[^\s\w]`)
	// stepPattern matches arithmetic between two values; a hyphen or a slash between letters
	// may also be part of a name or a path.
	stepPattern = lazyregexp.New(`[\w)\]] ?(?:[*+%]|\*\*)(?: ?[\w(]|$)|[\w)\]] (?:-|//?)(?: |$)|[\d)\]](?:-|//?)(?:[\w(]|$)`)
	// addsUpPattern matches what follows the sign of an assignment that adds something up, and
	// does not count.
	addsUpPattern = lazyregexp.New(`^= *[\pL_$(]`)
)

// piece is a token of a formula as it reads whatever variables are called, with its line.
type piece struct {
	text  string
	line  int
	steps int // how much arithmetic it is
}

// pieces are the tokens of some lines, in their order.
func pieces(text map[int]string) (out []piece) {
	for _, n := range slices.Sorted(maps.Keys(text)) {
		line := text[n]
		for _, at := range formulaPattern().FindAllStringIndex(line, -1) {
			p := piece{text: line[at[0]:at[1]], line: n}
			switch first := []rune(p.text)[0]; {
			case strings.ContainsRune("*+%-/", first):
				p.steps = arithmetic(line, at)
			case (unicode.IsLetter(first) || first == '_' || first == '$') && !strings.HasPrefix(line[at[1]:], "(") && !strings.HasSuffix(line[:at[0]], "."):
				p.text = "v"
			}
			out = append(out, p)
		}
	}
	return out
}

// arithmetic is how much arithmetic the sign at a place of a line is.
func arithmetic(line string, at []int) int {
	switch rest := line[at[1]:]; {
	case addsUpPattern.MatchString(rest):
		return formulaSteps
	case stepPattern.MatchString(line[max(0, at[0]-2):min(len(line), at[1]+2)]):
		return 1
	}
	return 0
}

// copied are the added lines that compute something as an added line of a test does: what a
// test expects so is right whatever the formula is.
func (p *proof) copied() []Lines {
	tests := slices.Concat(gates.Each(p.Change.Files, func(f gates.FileChange) []piece { return pieces(addedToTests(f)) })...)
	var out []Lines
	for _, path := range slices.Sorted(maps.Keys(p.added)) {
		for _, line := range commonFormulas(pieces(p.added[path]), tests) {
			out = append(out, Lines{Path: path, First: line, Last: line, Text: p.added[path][line]})
		}
	}
	return out
}

// addedToTests are the lines that a change adds to what a file holds for tests, by their number
// in that.
func addedToTests(f gates.FileChange) map[int]string {
	was, added := strings.Split(f.Was().Test, "\n"), map[int]string{}
	for n, line := range strings.Split(f.Is().Test, "\n") {
		if !slices.Contains(was, line) {
			added[n] = line
		}
	}
	return added
}

// commonFormulas are the lines of one list of tokens in which a formula begins that stands
// in another list, too.
func commonFormulas(a, b []piece) (lines []int) {
	if len(a)*len(b) > mostPairs {
		return nil
	}
	type run struct{ tokens, steps int }
	last := make([]run, len(b)+1)
	for i := range a {
		now := make([]run, len(b)+1)
		for k := range b {
			if a[i].text != b[k].text {
				continue
			}
			r := last[k]
			r.tokens++
			r.steps += min(a[i].steps, b[k].steps)
			now[k+1] = r
			if first := a[i+1-r.tokens].line; r.tokens >= formulaTokens && r.steps >= formulaSteps && !slices.Contains(lines, first) {
				lines = append(lines, first)
			}
		}
		last = now
	}
	return lines
}

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
