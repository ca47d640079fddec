package php

import (
	"regexp"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun/scan"
)

// mask returns a text in which comments are blank, and one in which the
// contents of strings and heredocs are hidden, too.
func mask(text string) (bare, masked string) {
	m := scan.NewMasker(text)
	for m.At < len(text) {
		rest := text[m.At:]
		switch c := rest[0]; {
		case strings.HasPrefix(rest, "#["): // an attribute
			m.At += 2
		case c == '#', strings.HasPrefix(rest, "//"):
			m.Blank(scan.UpTo(rest, "\n"))
		case strings.HasPrefix(rest, "/*"):
			m.Blank(2 + scan.UpTo(rest[2:], "*/") + 2)
		case c == '\'' || c == '"' || c == '`':
			m.Quoted(c)
		case c == '<' && heredocPattern.MatchString(rest):
			hit := heredocPattern.FindStringSubmatch(rest)
			end := regexp.MustCompile(`(?m)^[ \t]*` + hit[2] + `\b`).FindStringIndex(rest[len(hit[0]):])
			size := len(rest)
			if end != nil {
				size = len(hit[0]) + end[1]
			}
			m.Hide(m.At+len("<<<"), m.At+size)
			m.At += size
		default:
			m.At++
		}
	}
	return string(m.Bare), string(m.Masked)
}

var (
	expectationPattern = lazyregexp.New(`(?:->|::)(?:assert|expect|fail|markTest|willReturn|with|method|once|never|exactly|should)\w*\(|^return\b` +
		`|^#\[|^(?:yield\b|\[)|^(?:public |private |protected |static |const |readonly |\?\w+ |\w+ )*\$?\w+ ?= ?[-+]?(?:[\d"'\[]|true\b|false\b|null\b|array\b|<<<)`)
	controlPattern = lazyregexp.New(`^\}? ?(?:if|elseif|else|foreach|for|while|do|switch|case|try|catch|finally)\b`)
)

// assertions lists what the tests expect: assertions and expectations with
// all that is chained to them, marks that switch a test off, data of tests, and
// literal values, with the conditions they stand under.
func assertions(test string) []string {
	bare, masked := mask(test)
	lines := scan.Lines(bare, scan.OpenBlocks(masked), func(line, next string) bool {
		return line != "" && strings.IndexByte(";{}]", line[len(line)-1]) < 0 && next != "" && !strings.HasPrefix(next, "}") ||
			strings.HasPrefix(next, "->")
	})
	return append(scan.Expectations(lines, expectationPattern, controlPattern.MatchString), annotations(test)...)
}

var annotationPattern = lazyregexp.New(`@(?:dataProvider|depends|requires|group|testWith|doesNotPerformAssertions|expectedException)\b[^\n*]*`)

// annotations lists the marks in comments that decide how a test is run.
func annotations(test string) []string {
	var out []string
	for _, hit := range annotationPattern.FindAllString(test, -1) {
		out = append(out, strings.TrimSpace(hit))
	}
	return out
}
