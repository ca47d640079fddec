package agenthook

import (
	"strings"

	"github.com/git-tdd/git-tdd/agents/presets"
)

// markers are the lines between which a block stands.
func markers(comment string) (begin, end string) {
	if comment == "" {
		return "<!-- git-tdd: begin -->", "<!-- git-tdd: end -->"
	}
	return comment + " git-tdd: begin", comment + " git-tdd: end"
}

// withBlock is a text with the block at its end, or in the place of an older one.
func withBlock(text string, b presets.Block) string {
	begin, end := markers(b.Comment)
	block := begin + "\n" + strings.Join(b.Lines, "\n") + "\n" + end + "\n"
	before, after, ok := aroundBlock(text, b.Comment)
	switch {
	case ok:
		return before + block + after
	case text == "":
		return block
	case !strings.HasSuffix(text, "\n"):
		text += "\n"
	}
	return text + "\n" + block
}

// withoutBlock is a text without the block and the line that was put before it.
func withoutBlock(text string, b presets.Block) string {
	before, after, ok := aroundBlock(text, b.Comment)
	if !ok {
		return text
	}
	if strings.HasSuffix(before, "\n\n") {
		before = strings.TrimSuffix(before, "\n")
	}
	return before + after
}

// aroundBlock is what stands before and after the block.
func aroundBlock(text, comment string) (before, after string, ok bool) {
	begin, end := markers(comment)
	before, rest, ok := strings.Cut(text, begin+"\n")
	if !ok || before != "" && !strings.HasSuffix(before, "\n") {
		return text, "", false
	}
	_, after, ok = strings.Cut(rest, end+"\n")
	return before, after, ok
}

// sets reports whether a text sets one of the block's settings by itself.
func sets(text string, b presets.Block) (setting string, found bool) {
	before, after, _ := aroundBlock(text, b.Comment)
	for line := range strings.Lines(before + after) {
		for _, ours := range b.Lines {
			key, _, isSetting := strings.Cut(ours, ":")
			if isSetting && b.Comment != "" && strings.HasPrefix(line, key+":") {
				return key, true
			}
		}
	}
	return "", false
}
