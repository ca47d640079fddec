package scan

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// How much of a file an outline shows.
const (
	outlineLines = 30
	outlineWidth = 120
)

var (
	// keywordPattern finds declarations that a word announces, in any language.
	keywordPattern = lazyregexp.New(`^\s{0,8}(?:(?:export|default|pub(?:\([^)]*\))?|public|private|protected|internal|static|final|abstract|async|unsafe|virtual|override|inline|open|sealed|extern|declare|readonly|const)\s+)*(?:func|fn|def|class|struct|enum|trait|interface|impl|mod|module|namespace|type|function|protocol|record|object)\b(?:\s*[^\s:=.,;)]|\s*$)`)
	// typedPattern finds methods and functions that begin with a type: after a word
	// for who may call them, or at the beginning of a line.
	typedPattern = lazyregexp.New(`^(?:\s{0,8}(?:public|private|protected|internal|static|final|abstract|override|virtual|async|get|set)\s[^=;]*|[A-Za-z_][\w:<>,*&\s]*[\s*&][\w:~]+)\([^;]*$`)
	// namedPattern finds functions of shells, and what arrows point to.
	namedPattern = lazyregexp.New(`^\s{0,8}(?:[\w-]+\s*\(\)\s*\{|(?:export\s+)?(?:const|let|var)\s+\w+\s*=\s*(?:async\s*)?(?:\([^)]*\)|\w+)\s*=>)`)
	// memberPattern finds methods that no word announces, in languages of braces: only the
	// indentation tells those over several lines from calls.
	memberPattern = lazyregexp.New(`^(?: {2,4}|\t)(?:async\s+|\*\s*)?(?:[\w$#]+(?:<[^>]*>)?\([^()]*\)\s*(?::[^=]*)?\{|[\w$]+\()$`)
	// testPattern finds what is called with a title, as tests are.
	testPattern = lazyregexp.New("^\\s*(?:RSpec\\.)?(?:x|f)?(?:describe|context|specify|scenario|it|test)(?:\\.\\w+)*[ (]+(?:['\"`](.+?)['\"`]|([A-Z][\\w:]*))|^\\s*@test ['\"](.+?)['\"]")
	// statementPattern finds what only looks like a declaration.
	statementPattern = lazyregexp.New(`^\s*(?:return|if|else|for|while|switch|case|throw|new|delete|await|yield|assert|expect)\b`)
	// namePattern finds the name that a declaration declares.
	namePattern = lazyregexp.New(`\b(?:func|fn|def|class|struct|enum|trait|interface|type|function|record|object|protocol)\b\s*(?:\([^)]*\)\s*|self\.)?([A-Za-z_]\w*)|^\s*(?:export\s+)?(?:const|let|var)\s+(\w+)|([A-Za-z_][\w-]*)\s*\(`)
)

// declares reports whether a line declares something, as far as it can be told without
// knowing the language.
func declares(line string) bool {
	return !statementPattern.MatchString(line) && (keywordPattern.MatchString(line) || typedPattern.MatchString(line) || namedPattern.MatchString(line))
}

// begins reports whether a line seems to begin something that can be shown by itself.
func begins(line string) bool {
	line = strings.TrimRight(line, " \t\r\n")
	return declares(line) || testPattern.MatchString(line) || memberPattern.MatchString(line) && !statementPattern.MatchString(line)
}

// Names are the names that the declarations of a source declare, each with the number
// of its first line. Like [Outline] it knows no language.
func Names(text string) map[string]int {
	out := map[string]int{}
	n := 0
	for line := range strings.Lines(text) {
		n++
		if name := NameOf(line); name != "" && out[name] == 0 && declares(strings.TrimRight(line, " \t\r\n")) {
			out[name] = n
		}
	}
	return out
}

// NameOf is the name that a line declares, or seems to declare as a method; empty if
// there is none.
func NameOf(line string) string {
	if !begins(line) {
		return ""
	}
	if hit := testPattern().FindStringSubmatch(line); hit != nil {
		return cmp.Or(hit[1:]...)
	}
	if hit := namePattern().FindStringSubmatch(line); hit != nil {
		return cmp.Or(hit[1:]...)
	}
	return ""
}

// Outline lists the declarations of a source, as their lines have them: names and
// signatures, no bodies. It knows no language, so that something may be missing,
// or too much.
func Outline(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n")
		if !declares(line) {
			continue
		}
		line = strings.TrimRight(line, " \t{:")
		if runes := []rune(line); len(runes) > outlineWidth {
			line = string(runes[:outlineWidth-1]) + "…"
		}
		out = append(out, line)
	}
	if more := len(out) - outlineLines; more > 0 {
		out = append(out[:outlineLines:outlineLines], fmt.Sprintf("(%d more)", more))
	}
	return out
}
