package commitmsg

import "strings"

// AppendTrailers adds trailers to a message that a person wrote and leaves the
// rest unchanged, as far as git reads it: up to a NUL byte. They join existing
// trailers, or make a new last paragraph; the comments, the conflict list and
// the scissors part that git strips stay below them. The trailers of the
// result end with the added trailers, even after git has stripped the
// comments.
//
// Keys and values are written as by [Message.String]. If git takes the subject
// itself for a trailer, because a comment or a blank line precedes "fix: it",
// the new trailers do not join it.
func AppendTrailers(text string, trailers []Trailer) string {
	added := formatTrailers(trailers)
	if added == "" {
		return text
	}
	text = beforeNUL(text)
	b := locate(text)
	if b.empty() && strings.HasPrefix(text, conflictsHeading) {
		// To git, a list at the start of the message continues until a comment and
		// text below it end it. Our blank line and text would end it, too.
		b = block{start: scissors(text), end: scissors(text)}
	}
	s := subjectOf(text[:b.end])
	if s.empty() {
		return "\n" + added + text
	}
	at := s.end + lastLineEnd(text[s.end:b.end])
	head, tail := text[:at], text[at:]
	if !strings.HasSuffix(head, "\n") {
		head += "\n"
	}
	if b.empty() || b.start < s.end {
		head += "\n"
	}
	return head + added + tail
}

// lastLineEnd returns where the last line ends that is neither blank nor a comment; 0 if there is none.
func lastLineEnd(text string) int {
	end, pos := 0, 0
	for line := range strings.Lines(text) {
		pos += len(line)
		if !isBlank(line) && line[0] != comment {
			end = pos
		}
	}
	return end
}
