package testrun

import (
	"path"
	"slices"
	"strings"
)

// Script reports whether a file without an extension is a program of the language: its
// first line names one of the tools, or a shell where those are bash's.
func (l Language) Script(name string, content []byte) bool {
	line, _, _ := strings.Cut(string(content[:min(len(content), 200)]), "\n")
	if path.Ext(name) != "" || !strings.HasPrefix(line, "#!") {
		return false
	}
	return slices.ContainsFunc(strings.Fields(line[2:]), func(word string) bool {
		program := strings.TrimRight(path.Base(word), "0123456789.")
		return slices.ContainsFunc(l.At(name).Tools, func(tool []string) bool {
			own := strings.TrimRight(tool[0], "0123456789.")
			return program == own || own == "bash" && slices.Contains([]string{"sh", "dash", "ksh", "zsh"}, program)
		})
	})
}
