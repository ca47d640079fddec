package shell

import (
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun/scan"
)

var heredocPattern = lazyregexp.New(`^<<-?[ \t]*(["']?)([A-Za-z_]\w*)["']?`)

// mask returns a text in which comments are blank, and one in which the
// contents of strings and here-documents are hidden, too.
func mask(text string) (bare, masked string) {
	m := scan.NewMasker(text)
	var pending []string
	for m.At < len(text) {
		rest := text[m.At:]
		switch c := rest[0]; {
		case c == '\\':
			m.At += min(2, len(rest))
		case c == '#' && (m.At == 0 || strings.IndexByte(" \t\n;(", text[m.At-1]) >= 0):
			m.Blank(scan.UpTo(rest, "\n"))
		case c == '\'':
			size := scan.UpTo(rest[1:], "'")
			m.Hide(m.At+1, m.At+1+size)
			m.At = min(m.At+size+2, len(text))
		case c == '"':
			end := textEnd(text, m.At+1)
			m.Hide(m.At+1, end)
			m.At = min(end+1, len(text))
		case strings.HasPrefix(rest, "<<<"):
			m.At += len("<<<")
		case c == '<' && heredocPattern.MatchString(rest):
			hit := heredocPattern.FindStringSubmatch(rest)
			pending = append(pending, hit[2])
			m.At += len(hit[0])
		case c == '\n' && len(pending) > 0:
			for _, name := range pending {
				m.HereDocument(name)
			}
			pending = nil
		default:
			m.At++
		}
	}
	return string(m.Bare), string(m.Masked)
}

// textEnd is where a text in double quotes ends that begins at a place. A command whose
// output is put into it has quotes of its own.
func textEnd(text string, at int) int {
	for depth, sub := 0, []int(nil); at < len(text); at++ { // sub: the depths at which texts within commands began
		switch c := text[at]; {
		case c == '\\':
			at++
		case strings.HasPrefix(text[at:], "$("):
			depth, at = depth+1, at+1
		case depth == 0 && c == '"':
			return at
		case depth == 0:
		case c == '"' && len(sub) > 0 && sub[len(sub)-1] == depth:
			sub = sub[:len(sub)-1]
		case c == '"':
			sub = append(sub, depth)
		case len(sub) > 0 && sub[len(sub)-1] == depth:
		case c == '\'':
			at += 1 + scan.UpTo(text[at+1:], "'")
		case c == '(':
			depth++
		case c == ')':
			depth--
		}
	}
	return len(text)
}

var (
	testPattern         = lazyregexp.New(`(?m)^[ \t]*@test[ \t]+(?:"(_*)"|'(_*)'|(\S+))[ \t]+\{`)
	testFunctionPattern = lazyregexp.New(`(?m)^[ \t]*(?:function[ \t]+)?([\w:-]+)[ \t]*(?:\(\))?[ \t]*\{[ \t]*#[ \t]*@test[ \t]*$`)

	expectationPattern = lazyregexp.New(`^(?:!|\[|\(\(|(?:test|run|skip|fail|false|grep|diff|cmp|assert\w*|refute\w*|return|exit|bats_require_minimum_version)\b)` +
		`|^(?:local |declare |export |readonly )?\w+\+?=["'\d(]`)
	controlPattern = lazyregexp.New(`^(?:if|elif|else|for|while|until|case)\b`)
)

// declared names the tests of a file.
func declared(test string) []string {
	_, masked := mask(test)
	var out []string
	for _, at := range testPattern.FindAllStringSubmatchIndex(masked, -1) {
		for i := 2; i < len(at); i += 2 {
			if at[i] >= 0 {
				out = append(out, strings.TrimSpace(scan.Unquoted(test[at[i]:at[i+1]])))
			}
		}
	}
	for _, hit := range testFunctionPattern.FindAllStringSubmatch(test, -1) {
		out = append(out, hit[1])
	}
	return out
}

// assertions lists what the tests expect: conditions, what they run and
// compare, marks that switch a test off, and literal values, with the
// conditions that they stand under.
func assertions(test string) []string {
	bare, masked := mask(test)
	lines := scan.Lines(bare, scan.OpenBlocks(masked), func(line, _ string) bool {
		return strings.HasSuffix(line, `\`) || strings.HasSuffix(line, "|") || strings.HasSuffix(line, "&&")
	})
	return scan.Expectations(lines, expectationPattern, controlPattern.MatchString)
}
