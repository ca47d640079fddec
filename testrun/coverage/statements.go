package coverage

import "strings"

// StatementLines finds the lines of a text on which a statement begins. Comments in it are
// blank, and in masked, which is as long, strings are hidden, too, so only brackets of the
// code are seen; no statement begins within a string or between parentheses, or if begins
// says, given the last byte before the line, that the line goes on.
func StatementLines(bare, masked string, begins func(before byte, line string) bool) map[int]bool {
	out := map[int]bool{}
	var open []byte // brackets
	before := byte(';')
	number := 0
	for line := range strings.Lines(bare) {
		number++
		text := strings.TrimSpace(masked[:len(line)])
		masked = masked[len(line):]
		inText := text != "" && !strings.HasPrefix(strings.TrimSpace(line), text[:1])
		inBlock := len(open) == 0 || open[len(open)-1] == '{'
		if text != "" && !inText && inBlock && strings.IndexByte(")]}{.,;", text[0]) < 0 && begins(before, text) {
			out[number] = true
		}
		for i := range len(text) {
			switch c := text[i]; {
			case strings.IndexByte("([{", c) >= 0:
				open = append(open, c)
			case strings.IndexByte(")]}", c) >= 0 && len(open) > 0:
				open = open[:len(open)-1]
			}
		}
		if text != "" {
			before = text[len(text)-1]
		}
	}
	return out
}
