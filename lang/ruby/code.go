package ruby

import (
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

var (
	magicPattern = lazyregexp.New(`(?m)^#(?:!.*|.*coding[:=].*|\s*(?:frozen_string_literal|warn_indent|shareable_constant_value)\s*:.*)$`)
	dataPattern  = lazyregexp.New(`(?ms)^__END__\r?$.*`)
)

// code is a source without its comments and its layout: each statement with single
// spaces. Comments that Ruby reads, and what a source reads as its data, stay.
func code(content string) string {
	var out strings.Builder
	for _, magic := range magicPattern.FindAllString(content, -1) {
		out.WriteString(magic + "\n")
	}
	for _, line := range statements(content) {
		spaced := true
		for i := range len(line.Masked) {
			if strings.IndexByte(" \t\r\n", line.Masked[i]) >= 0 {
				spaced = true
				continue
			}
			if spaced {
				out.WriteByte(' ')
			}
			spaced = false
			out.WriteByte(line.Bare[i])
		}
		out.WriteByte('\n')
	}
	out.WriteString(dataPattern.FindString(content))
	return out.String()
}
