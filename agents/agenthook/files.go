package agenthook

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// list is a folder, for patterns; what cannot be read holds nothing.
func list(dir string) ([]fs.DirEntry, error) {
	if !filepath.IsAbs(dir) {
		return nil, fs.ErrNotExist
	}
	return os.ReadDir(dir)
}

func (s *script) write(name string) { s.writeAs(Write{Path: name}) }

// writeAs adds a file that is written, as far as its path is known.
func (s *script) writeAs(w Write) {
	if !known(w.Path) {
		w.Path, _ = path.Split(w.Path[:strings.IndexAny(w.Path, anything[:3]+aName)])
	}
	if w.Path != "" && !strings.HasPrefix(w.Path, "/dev/") {
		w.Path = s.from(w.Path)
		s.writes = append(s.writes, w)
	}
}

// mostFound is how many files a search is followed to.
const mostFound = 1000

// found adds what find does with what it finds.
func (s *script) found(args []string, depth int) {
	where := "."
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		where = args[0]
	}
	names := s.matches(where, args)
	for i, a := range args {
		switch a {
		case "-delete":
			for _, name := range names {
				s.writeAs(Write{Path: name, below: true})
			}
		case "-exec", "-execdir", "-ok", "-okdir":
			end := slices.IndexFunc(args[i:], func(a string) bool { return a == ";" || a == "+" })
			if end < 0 || depth > deepest {
				return
			}
			s.command(filled(args[i+1:i+end], names, where), depth+1)
		}
	}
}

// filled is a command of find's with what it found, and where it looked, in their place.
func filled(command, names []string, where string) []string {
	var out []string
	for _, word := range command {
		if word == "{}" {
			out = append(out, names...)
			continue
		}
		out = append(out, strings.ReplaceAll(word, "{}", where))
	}
	return out
}

// matches are the files that find finds by their names alone; where it asks for
// more, or looks into what is git's, they are the folder in which it looks.
func (s *script) matches(where string, args []string) []string {
	at := slices.Index(args, "-name")
	asks := func(a string) bool {
		return slices.Contains([]string{"-o", "-or", "!", "-not", "(", "-path", "-regex", "-iname", "-prune"}, a)
	}
	if at < 0 || at+1 == len(args) || slices.Contains(args[at+1:], "-name") || slices.ContainsFunc(args, asks) ||
		strings.Contains(where, ".git") || !filepath.IsAbs(s.from(where)) {
		return []string{where}
	}
	var names []string
	err := filepath.WalkDir(s.from(where), func(name string, d fs.DirEntry, err error) error {
		switch ok, bad := path.Match(args[at+1], filepath.Base(name)); {
		case err != nil || d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case bad != nil || len(names) > mostFound:
			return fs.ErrInvalid
		case ok:
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		return []string{where}
	}
	return names
}

// written lists the files that a command names as what it changes.
func written(argv []string) (all []Write) {
	operands := slices.DeleteFunc(slices.Clone(argv[1:]), func(a string) bool { return strings.HasPrefix(a, "-") })
	switch argv[0] {
	case "rm", "unlink", "shred":
		return each(Write{below: true}, operands)
	case "mv":
		last := max(0, len(operands)-1)
		return append(each(Write{below: true}, operands[:last]), each(Write{}, operands[last:])...)
	case "tee", "truncate", "touch", "chmod", "chown":
		return each(Write{}, operands)
	case "cp", "ln", "install", "rsync":
		return each(Write{}, operands[max(0, len(operands)-1):])
	case "git":
		if len(operands) > 0 && (operands[0] == "rm" || operands[0] == "mv") {
			return each(Write{below: true}, operands[1:])
		}
	case "sed", "perl", "ruby":
		if slices.ContainsFunc(argv[1:], inPlace) {
			return each(Write{}, operands)
		}
	case "dd":
		for _, a := range operands {
			if name, ok := strings.CutPrefix(a, "of="); ok {
				return each(Write{}, []string{name})
			}
		}
	}
	return nil
}

// each is the same write of several files.
func each(w Write, names []string) (all []Write) {
	for _, name := range names {
		w.Path = name
		all = append(all, w)
	}
	return all
}

// inPlace reports whether an option makes sed or perl edit in place.
func inPlace(option string) bool {
	return option == "--in-place" || strings.HasPrefix(option, "--in-place=") ||
		strings.HasPrefix(option, "-") && !strings.HasPrefix(option, "--") && strings.Contains(option, "i")
}

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
