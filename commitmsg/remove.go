package commitmsg

import (
	"slices"
	"strings"
)

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
