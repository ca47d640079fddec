package scan

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// maxPreamble is how many lines an excerpt shows of those before the first declaration.
const maxPreamble = 40

// How many lines a declaration has at most that is not taken to pieces, and a piece.
const (
	maxBlock   = 120
	pieceLines = 40
)

// maxNames is how many names of what is left out an excerpt gives at one place.
const maxNames = 12

// Excerpt is a source in which those declarations are whole that are kept; where others
// are left out, it says what they declare. Like [Outline] it knows no language.
func Excerpt(text string, keep func(Block) bool) string {
	var out strings.Builder
	var gone, names []string // since the last that is shown
	skip := func(lines []string, name string) {
		if gone = append(gone, lines...); name != "" {
			names = append(names, name)
		}
	}
	show := func(lines []string) {
		if len(gone) == 1 {
			out.WriteString(gone[0]) // no longer than what would take its place
		} else if len(gone) > 0 {
			out.WriteString(leftOut(len(gone), names))
		}
		gone, names = nil, nil
		out.WriteString(strings.Join(lines, ""))
	}
	for b := range Blocks(text) {
		switch {
		case keep(b):
			show(b.Lines)
		case b.First == 1 && b.Declared == 0:
			first, end := preamble(b.Lines)
			skip(b.Lines[:first], "")
			show(b.Lines[first:end])
			skip(b.Lines[end:], "")
		default:
			skip(b.Lines, b.Name)
		}
	}
	if len(gone) > 0 {
		out.WriteString("\n")
		show(nil)
	}
	return out.String()
}

// preamble finds what an excerpt shows of what comes before all declarations: from the imports
// on, without the licence and the words above them.
func preamble(lines []string) (first, end int) {
	const above = 3 // lines, as of a package clause
	first = max(0, slices.IndexFunc(lines, importPattern.MatchString))
	for range above {
		if first > 0 && !remarkPattern.MatchString(lines[first-1]) {
			first--
		}
	}
	return first, min(len(lines), first+maxPreamble)
}

func leftOut(lines int, names []string) string {
	names = slices.Compact(names)
	text := strings.Join(names[:min(len(names), maxNames)], ", ")
	switch {
	case len(names) > maxNames:
		text = ": " + text + ", …"
	case text != "":
		text = ": " + text
	}
	return fmt.Sprintf("(%d lines left out%s)\n", lines, text)
}

// Block is a declaration of a source: from the comment above it up to the next one.
type Block struct {
	First    int      // the number of its first line
	Declared int      // that of the line which declares it, or begins a piece; 0 for what comes before all others
	Name     string   // what it declares; empty if that has no name
	Within   []string // the names of the declarations that it stands in, the outermost first
	Lines    []string
}

// Blocks gives each declaration of a source, a very long one in pieces; what comes before the first
// is a block, too.
// What a function declares for itself is part of it.
func Blocks(text string) iter.Seq[Block] {
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	return func(yield func(Block) bool) {
		b := Block{First: 1}
		var around []int // the lines of the declarations that b stands in, and its own
		for _, at := range declarations(lines) {
			first := max(b.First-1, b.Declared, above(lines, at))
			if b.Lines = lines[b.First-1 : first]; !b.pieces(yield) {
				return
			}
			for len(around) > 0 && indentation(lines[around[len(around)-1]]) >= indentation(lines[at]) {
				around = around[:len(around)-1]
			}
			b = Block{First: first + 1, Declared: at + 1, Name: NameOf(lines[at])}
			for _, outer := range around {
				b.Within = append(b.Within, NameOf(lines[outer]))
			}
			around = append(around, at)
		}
		b.Lines = lines[b.First-1:]
		b.pieces(yield)
	}
}

// pieces gives a declaration, or the pieces of a long one.
func (b Block) pieces(yield func(Block) bool) bool {
	for len(b.Lines) > 0 {
		size := len(b.Lines)
		if size > maxBlock {
			size = pieceLines
		}
		piece := b
		piece.Lines = b.Lines[:size]
		if !yield(piece) {
			return false
		}
		b.First, b.Lines = b.First+size, b.Lines[size:]
		b.Declared = b.First
	}
	return true
}

// above is where what belongs to the declaration at a line begins.
func above(lines []string, at int) int {
	for at > 0 && remarkPattern.MatchString(lines[at-1]) {
		at--
	}
	return at
}

// declarations are the lines, counted from 0, that declare something outside functions.
func declarations(lines []string) (out []int) {
	function := -1 // where the function is indented whose lines these are
	for i, line := range lines {
		indent := indentation(line)
		switch outside := indent <= function || function < 0; {
		case outside && begins(line):
			if out, function = append(out, i), -1; functionPattern.MatchString(line) {
				function = indent
			}
		case outside && strings.TrimSpace(line) != "" && !goesOnPattern.MatchString(line):
			function = -1
		}
	}
	return out
}

func indentation(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

var (
	functionPattern = lazyregexp.New(`^\s*(?:(?:pub(?:\([^)]*\))?|async|unsafe|static)\s+)*(?:func|fn|def)\b`)
	// remarkPattern finds what belongs to the declaration below it: comments, attributes, decorators.
	remarkPattern = lazyregexp.New(`^\s*(?://|/\*|\*(?:[\s/]|$)|#(?:[\s\[!]|$)|--\s|@\w)`)
	// goesOnPattern finds what still belongs to the head of a function.
	goesOnPattern = lazyregexp.New(`^\s*(?:[{)\]]|where\b)`)
	importPattern = lazyregexp.New(`^\s*(?:(?:pub\s+)?(?:import|from|use|mod|using|include|require|require_relative|require_once|source|load)\b|#\s*include\b|(?:[\w.]+\s+)?"[^"\s]+"$)|\b(?:require|import)\(|\bfrom\s+['"]`)
	wordPattern   = lazyregexp.New(`[\pL\pN_]{3,}`)
)

// Imports are the words, in small letters, of the lines by which a source seems to
// take in others.
func Imports(text string) map[string]bool {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, " \t\r\n"); importPattern.MatchString(line) {
			lines = append(lines, line)
		}
	}
	return Words(strings.Join(lines, "\n"))
}

// Words are the words of three letters and more of a text, in small letters.
func Words(text string) map[string]bool {
	out := map[string]bool{}
	for _, word := range wordPattern().FindAllString(text, -1) {
		out[strings.ToLower(word)] = true
	}
	return out
}
