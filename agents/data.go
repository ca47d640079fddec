package agents

import (
	"strings"

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
