package testrun

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

// Project is a part of a tree that is tested by commands of its own.
type Project struct {
	Folder
	Language Language
	Commands Commands
	// Unseen are the folders of other projects that it does not read, and which are not there for it.
	Unseen []string
}

// Sees reports whether a file of the tree is there where the project is measured.
func (p Project) Sees(file string) bool {
	return !slices.ContainsFunc(p.Unseen, func(dir string) bool { return strings.HasPrefix(file, dir+"/") })
}

// Projects are those of one tree.
type Projects []Project

// Language is what is known of all languages of a tree, each in the folder of its project; of
// one project for all of the tree it is that one's. Elsewhere any of them has a say.
func (all Projects) Language() Language {
	if len(all) == 1 && all[0].Dir == "" {
		return all[0].Language
	}
	inward := slices.Clone(all)
	slices.SortStableFunc(inward, func(a, b Project) int { return cmp.Compare(len(b.Dir), len(a.Dir)) })
	l := Language{projects: inward}
	var names, idioms, stubs []string
	for _, p := range all {
		names = gates.Union(names, []string{p.Language.Name})
		at := cmp.Or(p.Dir, "the root")
		idioms = append(idioms, p.Language.Name+" in "+at+": "+p.Language.Idiom)
		stubs = append(stubs, p.Language.Stub+" in "+at)
		l.BuildDirs = append(l.BuildDirs, gates.Each(p.Language.BuildDirs, p.Path)...)
		l.Link = append(l.Link, gates.Each(p.Language.Link, p.Path)...)
	}
	l.Name, l.Idiom, l.Stub = strings.Join(names, ", "), strings.Join(idioms, "\n"), strings.Join(stubs, ", ")
	literal := strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, "]", `\]`, "{", `\{`, "}", `\}`) // matches it alone
	for _, p := range inward {
		p.Dir = literal.Replace(p.Dir)
		for _, r := range p.Language.Rules {
			l.Rules = append(l.Rules, Rule{Pattern: p.Path(r.Pattern), Kind: r.Kind})
		}
		l.Rules = append(l.Rules, Rule{Pattern: p.Path("**"), Kind: gates.KindOther})
		if p.Dir == "" {
			return l
		}
	}
	l.Rules = append(l.Rules, all.outside()...)
	return l
}

// outside are the rules for what lies in no project: the strictest of all languages.
func (all Projects) outside() []Rule {
	strictest := []gates.Kind{gates.KindConfig, gates.KindSupport, gates.KindTest, gates.KindSource}
	var out []Rule
	for _, p := range all {
		out = append(out, p.Language.Rules...)
	}
	out = slices.DeleteFunc(out, func(r Rule) bool { return !slices.Contains(strictest, r.Kind) })
	slices.SortStableFunc(out, func(a, b Rule) int { return slices.Index(strictest, a.Kind) - slices.Index(strictest, b.Kind) })
	return out
}

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

// At is the language that has the say over a path: where there are several
// projects, that of the one in which it lies. Its syntax is that of the file.
func (l Language) At(name string) Language {
	l = l.of(name)
	if d, ok := l.Dialects[path.Ext(name)]; ok {
		l.Syntax = d.Syntax
	}
	return l
}

func (l Language) of(name string) Language {
	if p, ok := gates.Find(l.projects, func(p Project) bool { return p.Holds(name) }); ok {
		return p.Language
	}
	if p, ok := gates.Find(l.projects, func(p Project) bool { return p.Language.Kind(name) != gates.KindOther }); ok {
		return p.Language
	}
	if len(l.projects) > 0 {
		return l.projects[0].Language
	}
	return l
}

// any reports whether something holds of the language, or of one of its projects'.
func (l Language) any(holds func(Language) bool) bool {
	return holds(l) || slices.ContainsFunc(l.projects, func(p Project) bool { return holds(p.Language) })
}

// Mirrored reports whether tests of the language can be made to expect something else.
func (l Language) Mirrored() bool {
	return l.any(func(l Language) bool { return l.Syntax.Checks != nil })
}

// Mutable reports whether sources of the language can be made wrong.
func (l Language) Mutable() bool {
	return l.any(func(l Language) bool { return l.Syntax.Mutants != nil })
}

// LocalID is the id that the runner of its project gives a test of the tree.
func (all Projects) LocalID(id string) string {
	p, _ := gates.Find(all, func(p Project) bool { return p.Holds(id) }) // for the whole tree, if there is none
	return p.localID(id)
}
