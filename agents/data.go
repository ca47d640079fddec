package agents

import (
	"strings"
	"unicode"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// dataBlock puts untrusted text between fences longer than any run of backticks in it.
func dataBlock(content string) string {
	content = defang(strings.ToValidUTF8(content, "\uFFFD"))
	ticks := 3
	for _, run := range strings.FieldsFunc(content, func(r rune) bool { return r != '`' }) {
		ticks = max(ticks, len(run)+1)
	}
	fence := strings.Repeat("`", ticks)
	if content != "" && !strings.HasSuffix(content, "\n") {
		content += "\n"
	}
	return fence + "text\n" + content + fence
}

var tokenPattern = lazyregexp.New(`<[|｜]([^\s<>|｜]{1,40})[|｜]>|<(/?(?:start_of_turn|end_of_turn|system|user|assistant)/?)>|\[(/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS))\]|<<(/?SYS)>>`)

// defang breaks up the control tokens of chat templates, which some servers obey inside a fence too.
func defang(s string) string {
	if !strings.ContainsAny(s, "<[") {
		return s
	}
	return tokenPattern().ReplaceAllStringFunc(s, func(token string) string {
		return token[:1] + " " + token[1:]
	})
}

var escapePattern = lazyregexp.New(`\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|.)`)

// visible removes escape sequences and other control characters from a line.
func visible(line string) string {
	if strings.ContainsRune(line, '\x1b') {
		line = escapePattern().ReplaceAllString(line, "")
	}
	return strings.Map(func(r rune) rune {
		if r != '\t' && invisible(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(line, "\uFFFD"))
}

// maxItem is the length, in runes, of one line made of untrusted text.
const maxItem = 200

// oneLine puts untrusted text on one line: without invisible characters, at most limit runes.
func oneLine(text string, limit int) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case invisible(r):
			return -1
		}
		return r
	}, text)
	return clip(strings.Join(strings.Fields(text), " "), limit)
}

// invisible reports whether a reader cannot see the character.
func invisible(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

func clip(text string, limit int) string {
	runes := []rune(text)
	if len(runes) <= limit {
		return text
	}
	return strings.TrimRight(string(runes[:limit-1]), " ") + "…"
}
