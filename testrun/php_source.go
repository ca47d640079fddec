package testrun

import (
	"regexp"
	"strings"
)

// phpMask returns a text in which comments are blank, and one in which the
// contents of strings and heredocs are hidden, too.
func phpMask(text string) (bare, masked string) {
	m := newMasker(text)
	heredoc := regexp.MustCompile(`^<<<[ \t]*(["']?)(\w+)["']?\r?\n`)
	for m.at < len(text) {
		rest := text[m.at:]
		switch c := rest[0]; {
		case strings.HasPrefix(rest, "#["): // an attribute
			m.at += 2
		case c == '#', strings.HasPrefix(rest, "//"):
			m.blank(upTo(rest, "\n"))
		case strings.HasPrefix(rest, "/*"):
			m.blank(2 + upTo(rest[2:], "*/") + 2)
		case c == '\'' || c == '"' || c == '`':
			m.quoted(c)
		case c == '<' && heredoc.MatchString(rest):
			hit := heredoc.FindStringSubmatch(rest)
			end := regexp.MustCompile(`(?m)^[ \t]*` + hit[2] + `\b`).FindStringIndex(rest[len(hit[0]):])
			size := len(rest)
			if end != nil {
				size = len(hit[0]) + end[1]
			}
			m.hide(m.at+len("<<<"), m.at+size)
			m.at += size
		default:
			m.at++
		}
	}
	return string(m.bare), string(m.masked)
}

// phpDeclared names the methods that are tests: by their name, or by what stands
// before them.
func phpDeclared(test string) []string {
	_, masked := phpMask(test)
	method := regexp.MustCompile(`\bfunction\s+&?(\w+)\s*\(`)
	var out []string
	before := 0
	for _, at := range method.FindAllStringSubmatchIndex(masked, -1) {
		name := test[at[2]:at[3]]
		lead := test[before:at[0]]
		lead = lead[strings.LastIndexAny(lead, ";{}")+1:]
		before = at[1]
		if strings.HasPrefix(name, "test") || regexp.MustCompile(`@test\b|#\[(?:\w+\\)*Test\b`).MatchString(lead) {
			out = append(out, name)
		}
	}
	return out
}

// phpAssertions lists what the tests expect: assertions and expectations with
// all that is chained to them, marks that switch a test off, data of tests, and
// literal values, with the conditions they stand under.
func phpAssertions(test string) []string {
	bare, masked := phpMask(test)
	expects := regexp.MustCompile(`(?:->|::)(?:assert|expect|fail|markTest|willReturn|with|method|once|never|exactly|should)\w*\(|^return\b` +
		`|^#\[|^(?:yield\b|\[)|^(?:public |private |protected |static |const |readonly |\?\w+ |\w+ )*\$?\w+ ?= ?[-+]?(?:[\d"'\[]|true\b|false\b|null\b|array\b|<<<)`)
	control := regexp.MustCompile(`^\}? ?(?:if|elseif|else|foreach|for|while|do|switch|case|try|catch|finally)\b`)
	lines := codeLines(bare, openBlocks(masked), func(line, next string) bool {
		return line != "" && strings.IndexByte(";{}]", line[len(line)-1]) < 0 && next != "" && !strings.HasPrefix(next, "}") ||
			strings.HasPrefix(next, "->")
	})
	return append(expectations(lines, expects, control.MatchString), phpAnnotations(test)...)
}

// phpAnnotations lists the marks in comments that decide how a test is run.
func phpAnnotations(test string) []string {
	var out []string
	for _, hit := range regexp.MustCompile(`@(?:dataProvider|depends|requires|group|testWith|doesNotPerformAssertions|expectedException)\b[^\n*]*`).FindAllString(test, -1) {
		out = append(out, strings.TrimSpace(hit))
	}
	return out
}
