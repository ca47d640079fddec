package testrun

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

// Dialect is what differs for files of another language that the same tools build, as Kotlin beside Java.
type Dialect struct {
	Idiom, Stub string // as those of [Language], in a project whose sources are mostly such files
	Syntax      Syntax
}

// spoken is the language as its prompts describe it: as most sources of a project are written.
func (l Language) spoken(paths []string) Language {
	files, all := map[string]int{}, 0
	for _, p := range paths {
		if kind := l.Kind(p); len(l.Dialects) > 0 && (kind == gates.KindSource || kind == gates.KindTest) {
			files[path.Ext(p)]++
			all++
		}
	}
	for extension, d := range l.Dialects {
		if 2*files[extension] > all {
			l.Idiom, l.Stub = d.Idiom, d.Stub
		}
	}
	return l
}

// reading is the language with another reader of all its files.
func (l Language) reading(change func(*Syntax)) Language {
	change(&l.Syntax)
	l.Dialects = maps.Clone(l.Dialects)
	for extension, d := range l.Dialects {
		change(&d.Syntax)
		l.Dialects[extension] = d
	}
	return l
}

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
