package scan

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// maxPreamble is how many lines before its first declaration an excerpt shows.
const maxPreamble = 40

// maxNames is how many names of what is left out an excerpt gives at one place.
const maxNames = 12

// Excerpt is a source in which those declarations are whole that are kept; where others
// are left out, it says what they declare. Like [Outline] it knows no language.
func Excerpt(text string, keep func(Block) bool) string {
	var out strings.Builder
	var gone []string
	gap := 0
	show := func(lines []string) {
		if gap > 0 && len(lines) > 0 {
			out.WriteString(leftOut(gap, gone))
			gap, gone = 0, nil
		}
		out.WriteString(strings.Join(lines, ""))
	}
	for b := range Blocks(text) {
		switch {
		case keep(b):
			show(b.Lines)
		case b.First == 1 && b.Declared == 0:
			head := min(len(b.Lines), maxPreamble)
			show(b.Lines[:head])
			gap += len(b.Lines) - head
		default:
			if gap += len(b.Lines); b.Name != "" {
				gone = append(gone, b.Name)
			}
		}
	}
	if gap > 0 {
		out.WriteString("\n" + leftOut(gap, gone))
	}
	return out.String()
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
	Declared int      // that of the line which declares it; 0 for what comes before all others
	Name     string   // what it declares; empty if that has no name
	Within   []string // the names of the declarations that it stands in, the outermost first
	Lines    []string
}

// Blocks gives each declaration of a source; what comes before the first is a block, too.
// What a function declares for itself is part of it.
func Blocks(text string) iter.Seq[Block] {
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	return func(yield func(Block) bool) {
		b := Block{First: 1}
		var around []int // the lines of the declarations that b stands in, and its own
		for _, at := range declarations(lines) {
			first := max(b.First-1, b.Declared, above(lines, at))
			if b.Lines = lines[b.First-1 : first]; len(b.Lines) > 0 && !yield(b) {
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
		yield(b)
	}
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
