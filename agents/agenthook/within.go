package agenthook

import (
	"path"
	"slices"
	"strings"
	"unicode"
)

// interprets reports whether a command runs a program in a language of its own.
func interprets(name string) bool {
	name = strings.TrimRight(path.Base(name), "0123456789.")
	return slices.Contains([]string{"python", "perl", "ruby", "node", "php", "deno", "bun"}, name)
}

// calls looks for git in a program that is no shell's, and takes its words from there for a command.
func (s *script) calls(program string, depth int) {
	argv := strings.FieldsFunc(program, func(r rune) bool {
		return !strings.ContainsRune("-_./=", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	if at := slices.Index(argv, "git"); at >= 0 && depth < deepest {
		s.command(argv[at:], depth+1)
	}
}

// within reads what a command runs that is not known for it: from a word that is git
// on, or in an argument that is a script. What only prints or finds its words runs none.
func (s *script) within(argv []string, depth int) {
	if depth > deepest || slices.Contains([]string{"git", "git-tdd", "echo", "printf", "grep", "egrep", "rg", "man", "which", "type"}, argv[0]) {
		return
	}
	if at := slices.IndexFunc(argv, func(a string) bool { return path.Base(a) == "git" }); at > 0 {
		s.command(argv[at:], depth+1)
	}
	for i, a := range argv[1:] {
		switch {
		case slices.Contains([]string{"su", "script", "ssh", "trap", "watch", "flock", "parallel", "tmux", "entr"}, argv[0]):
			s.read(a, depth+1)
		case interprets(argv[0]) && slices.Contains([]string{"-c", "-e", "-r", "--eval", "-E"}, argv[i]):
			s.calls(a, depth)
		}
	}
}

// links takes note of a working tree that git worktree makes.
func (s *script) links(args []string, dir string) {
	at := slices.Index(args, "worktree")
	if at < 0 || at+1 >= len(args) || args[at+1] != "add" {
		return
	}
	for _, a := range args[at+2:] {
		if known(a) && !strings.HasPrefix(a, "-") {
			s.linked[s.from(a)] = dir
		}
	}
}
