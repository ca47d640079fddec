package agenthook

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// script is a shell command as far as it can be read without running it. What a
// shell makes of variables and substitutions is not known, and need not be: git's
// hooks see the result.
type script struct {
	commands [][]string // the words of each command, at any depth
	settings []string   // NAME=value, wherever one is set
	writes   []Write    // files that a command names as what it writes
}

// deepest is how far commands within commands are read.
const deepest = 4

func readScript(text string) script {
	var s script
	s.read(text, 0)
	return s
}

func (s *script) read(text string, depth int) {
	file, err := syntax.NewParser(syntax.KeepComments(false)).Parse(strings.NewReader(text), "")
	if err != nil || depth > deepest {
		return
	}
	syntax.Walk(file, func(node syntax.Node) bool {
		switch n := node.(type) {
		case *syntax.Redirect:
			if n.Op == syntax.RdrOut || n.Op == syntax.AppOut || n.Op == syntax.RdrAll || n.Op == syntax.AppAll || n.Op == syntax.RdrClob {
				s.write(literal(n.Word))
			}
		case *syntax.Assign:
			s.settings = append(s.settings, n.Name.Value+"="+literal(n.Value))
		case *syntax.CallExpr:
			s.command(words(n.Args), depth)
		}
		return true
	})
}

func words(args []*syntax.Word) []string {
	out := make([]string, 0, len(args))
	for _, w := range args {
		out = append(out, literal(w))
	}
	return out
}

// literal is a word as a shell would read it, with nothing in the place of what
// only running it would tell.
func literal(w *syntax.Word) string {
	if w == nil {
		return ""
	}
	var b strings.Builder
	for _, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			b.WriteString(unescaped(p.Value))
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			b.WriteString(literal(&syntax.Word{Parts: p.Parts}))
		}
	}
	return b.String()
}

func unescaped(s string) string { return strings.ReplaceAll(s, `\`, "") }

// wrappers run the command that follows them.
func wrappers() []string {
	return []string{"env", "command", "exec", "nohup", "nice", "time", "sudo", "xargs", "stdbuf", "timeout", "builtin", "then", "busybox"}
}

// command adds one command, and what it runs in its turn.
func (s *script) command(argv []string, depth int) {
	for len(argv) > 0 && (slices.Contains(wrappers(), path.Base(argv[0])) || isSetting(argv[0]) || strings.HasPrefix(argv[0], "-")) {
		if isSetting(argv[0]) {
			s.settings = append(s.settings, argv[0])
		}
		argv = argv[1:]
	}
	if len(argv) == 0 {
		return
	}
	argv[0] = path.Base(argv[0])
	s.commands = append(s.commands, argv)
	switch argv[0] {
	case "sh", "bash", "zsh", "dash", "ksh":
		if at := slices.IndexFunc(argv, func(a string) bool { return strings.HasPrefix(a, "-") && strings.HasSuffix(a, "c") }); at > 0 && at+1 < len(argv) {
			s.read(argv[at+1], depth+1)
		}
	case "eval":
		s.read(strings.Join(argv[1:], " "), depth+1)
	case "find":
		s.found(argv[1:], depth)
	}
	for _, name := range written(argv) {
		s.write(name)
	}
}

// found adds what find does with what it finds: it is asked of where it looks.
func (s *script) found(args []string, depth int) {
	where := "."
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		where = args[0]
	}
	for i, a := range args {
		switch a {
		case "-delete":
			s.write(where)
		case "-exec", "-execdir", "-ok", "-okdir":
			end := slices.IndexFunc(args[i:], func(a string) bool { return a == ";" || a == "+" })
			if end < 0 || depth > deepest {
				return
			}
			inner := slices.Clone(args[i+1 : i+end])
			for j := range inner {
				inner[j] = strings.ReplaceAll(inner[j], "{}", where)
			}
			s.command(inner, depth+1)
		}
	}
}

func isSetting(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && name != "" && strings.IndexFunc(name, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) < 0
}

func (s *script) write(name string) {
	if name != "" && !strings.HasPrefix(name, "/dev/") {
		s.writes = append(s.writes, Write{Path: name})
	}
}

// written lists the files that a command names as what it changes.
func written(argv []string) []string {
	operands := slices.DeleteFunc(slices.Clone(argv[1:]), func(a string) bool { return strings.HasPrefix(a, "-") })
	switch argv[0] {
	case "rm", "unlink", "tee", "truncate", "shred", "touch", "mv", "chmod", "chown":
		return operands
	case "cp", "ln", "install", "rsync":
		return operands[max(0, len(operands)-1):]
	case "git":
		if len(operands) > 0 && (operands[0] == "rm" || operands[0] == "mv") {
			return operands[1:]
		}
	case "sed", "perl", "ruby":
		if slices.ContainsFunc(argv[1:], inPlace) {
			return operands
		}
	case "dd":
		for _, a := range operands {
			if name, ok := strings.CutPrefix(a, "of="); ok {
				return []string{name}
			}
		}
	}
	return nil
}

// inPlace reports whether an option makes sed or perl edit in place.
func inPlace(option string) bool {
	return option == "--in-place" || strings.HasPrefix(option, "--in-place=") ||
		strings.HasPrefix(option, "-") && !strings.HasPrefix(option, "--") && strings.Contains(option, "i")
}
