package scan

import "strings"

// UpTo is the length of a text before a mark, or all of it.
func UpTo(text, mark string) int {
	if i := strings.Index(text, mark); i >= 0 {
		return i
	}
	return len(text)
}

// Unquoted takes the backslashes out of the escaped quotes of a string.
func Unquoted(title string) string {
	return strings.NewReplacer(`\'`, `'`, `\"`, `"`, "\\`", "`", `\\`, `\`).Replace(title)
}
