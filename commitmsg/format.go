package commitmsg

import (
	"slices"
	"strings"
)

// String returns the canonical text: the subject, the body, a last paragraph of
// trailers, and a final newline. Parsing it gives the same sections and
// trailers. Line breaks in places that cannot have any are replaced by spaces,
// so that no part of a value can become a line of its own.
//
// Sections are written where there is no Body. Lines among the trailers that are not
// trailers, such as "(cherry picked from commit …)", are not kept.
func (m Message) String() string {
	text := unfold(m.Subject) + "\n"
	if isNotice(text) {
		text = " " + text
	}
	if body := m.body(); body != "" {
		text += "\n" + body + "\n"
	}
	if trailers := formatTrailers(m.Trailers); trailers != "" {
		return text + "\n" + trailers
	}
	return defuse(text)
}

func (m Message) body() string {
	lines := strings.Split(m.Body, "\n")
	lines = slices.DeleteFunc(lines, func(line string) bool { return strings.TrimRight(line, space) == cutLine })
	if body := trimBlankLines(strings.Join(lines, "\n")); body != "" {
		return body
	}
	return formatSections(m.Sections)
}

// defuse indents the last lines of a message without trailers if git would take
// them for trailers, or for its old conflict list.
func defuse(text string) string {
	start := locate(text).start
	var safe strings.Builder
	safe.WriteString(text[:start])
	for line := range strings.Lines(text[start:]) {
		if !isIndented(line) && line[0] != comment {
			safe.WriteByte(' ')
		}
		safe.WriteString(line)
	}
	return safe.String()
}

// formatTrailers writes one line for each trailer. A byte that is not allowed
// in a key becomes a hyphen; a trailer without a key is left out.
func formatTrailers(trailers []Trailer) string {
	var lines strings.Builder
	for _, t := range trailers {
		if t.Key != "" {
			lines.WriteString(formatTrailer(t) + "\n")
		}
	}
	return lines.String()
}

func formatTrailer(t Trailer) string {
	key := []byte(t.Key)
	for i, c := range key {
		if strings.IndexByte(keyBytes, c) < 0 {
			key[i] = '-'
		}
	}
	value := unfold(t.Value)
	switch {
	case value != "":
		return string(key) + ": " + value
	case string(key) == "Conflicts":
		return "Conflicts :" // a bare "Conflicts:" is git's old conflict list
	}
	return string(key) + ":"
}

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

// RemoveTrailers takes the trailers with these keys out of a message, in any case of letters, and
// leaves the rest of it as it is.
func RemoveTrailers(text string, keys ...string) string {
	b := locate(beforeNUL(text))
	var kept strings.Builder
	dropping := false
	for line := range strings.Lines(b.of(text)) {
		if !isIndented(line) {
			key := line[:keyLen(line)]
			dropping = separator(line) > 0 && slices.ContainsFunc(keys, func(k string) bool { return strings.EqualFold(k, key) })
		}
		if !dropping {
			kept.WriteString(line)
		}
	}
	if kept.Len() == b.end-b.start {
		return text
	}
	return strings.TrimRight(text[:b.start]+kept.String(), "\n") + "\n" + text[b.end:]
}
