package agenthook

import (
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"github.com/git-tdd/git-tdd/internal/envvar"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// script is a shell command as far as it can be read without running it.
type script struct {
	commands []command
	settings []setting // NAME=value, wherever one is set
	writes   []Write   // files that a command names as what it writes

	dir     string // where the next command runs
	vars    map[string]string
	environ []string
}

// command is the words of one command, at any depth, and where it runs.
type command struct {
	dir  string
	argv []string
}

// setting is a variable that is set, and where.
type setting struct{ dir, name, value string }

// deepest is how far commands within commands are read.
const deepest = 4

// readScript reads a script that begins in a folder.
func readScript(text, dir string, environ []string) script {
	s := script{dir: dir, vars: map[string]string{}, environ: environ}
	s.read(text, 0)
	return s
}

func (s *script) read(text string, depth int) {
	file, err := syntax.NewParser(syntax.KeepComments(false)).Parse(strings.NewReader(text), "")
	if err != nil || depth > deepest {
		return
	}
	var within []string // the folders to which what runs by itself goes back
	syntax.Walk(file, func(node syntax.Node) bool {
		if node == nil {
			if back := within[len(within)-1]; back != "" {
				s.dir = back
			}
			within = within[:len(within)-1]
			return true
		}
		back := ""
		switch node.(type) {
		case *syntax.Subshell, *syntax.CmdSubst, *syntax.ProcSubst:
			back = s.dir
		}
		within = append(within, back)
		s.visit(node, depth)
		return true
	})
}

// visit takes what one node of a script does.
func (s *script) visit(node syntax.Node, depth int) {
	switch n := node.(type) {
	case *syntax.Redirect:
		if n.Op == syntax.RdrOut || n.Op == syntax.AppOut || n.Op == syntax.RdrAll || n.Op == syntax.AppAll || n.Op == syntax.RdrClob {
			s.write(Write{Path: s.literal(n.Word)})
		}
	case *syntax.Assign:
		if n.Name != nil && !n.Naked {
			s.set(n.Name.Value, s.literal(n.Value))
		}
	case *syntax.WordIter:
		s.vars[n.Name.Value] = strings.Join(s.words(n.Items), " ")
	case *syntax.CallExpr:
		s.command(s.words(n.Args), depth)
	}
}

// set takes note of a variable.
func (s *script) set(name, value string) {
	s.settings = append(s.settings, setting{s.dir, name, value})
	s.vars[name] = value
}

// from is a path as seen from where the script is.
func (s *script) from(name string) string {
	if !filepath.IsAbs(name) && s.dir != "" {
		return filepath.Join(s.dir, filepath.FromSlash(name))
	}
	return name
}

func shells() []string { return []string{"sh", "bash", "zsh", "dash", "ksh"} }

// wrappers run the command that follows them.
func wrappers() []string {
	return []string{"env", "command", "exec", "nohup", "nice", "time", "sudo", "xargs", "stdbuf", "timeout", "builtin", "then", "busybox", "setsid", "chronic", "doas"}
}

// command adds one command, and what it runs in its turn.
func (s *script) command(argv []string, depth int) {
	argv = s.unwrapped(argv)
	if len(argv) == 0 {
		return
	}
	argv[0] = path.Base(argv[0])
	dir := s.dir
	if argv[0] == "git" {
		dir = s.gitDir(argv[1:])
	}
	s.commands = append(s.commands, command{dir, argv})
	switch {
	case argv[0] == "cd" || argv[0] == "pushd":
		s.enter(argv[1:])
	case slices.Contains(shells(), argv[0]):
		if at := slices.IndexFunc(argv, func(a string) bool { return strings.HasPrefix(a, "-") && strings.HasSuffix(a, "c") }); at > 0 && at+1 < len(argv) {
			s.read(argv[at+1], depth+1)
		}
	case argv[0] == "eval":
		s.read(strings.Join(argv[1:], " "), depth+1)
	}
	for _, w := range written(argv) {
		if !filepath.IsAbs(w.Path) && known(w.Path) && dir != "" {
			w.Path = filepath.Join(dir, w.Path)
		}
		s.write(w)
	}
}

// unwrapped is a command without what only starts it.
func (s *script) unwrapped(argv []string) []string {
	for len(argv) > 0 && (slices.Contains(wrappers(), path.Base(argv[0])) || settingPattern.MatchString(argv[0]) || strings.HasPrefix(argv[0], "-")) {
		if settingPattern.MatchString(argv[0]) {
			name, value, _ := strings.Cut(argv[0], "=")
			s.set(name, value)
		}
		wrapper := path.Base(argv[0])
		argv = argv[1:]
		at := slices.IndexFunc(argv, func(a string) bool {
			return path.Base(a) == "git" || path.Base(a) == "git-tdd" || slices.Contains(shells(), path.Base(a))
		})
		if wrapper == "xargs" {
			argv = append(slices.Clone(argv), strings.Fields(anything)...)
		}
		if slices.Contains(wrappers(), wrapper) && at > 0 && !slices.ContainsFunc(argv[:at], settingPattern.MatchString) {
			argv = argv[at:]
		}
	}
	return argv
}

// enter goes to another folder, if it is known to which.
func (s *script) enter(args []string) {
	args = slices.DeleteFunc(slices.Clone(args), func(a string) bool { return strings.HasPrefix(a, "-") })
	if len(args) == 0 {
		args = []string{envvar.Get(s.environ, "HOME")}
	}
	if known(args[0]) && args[0] != "" {
		s.dir = s.from(args[0])
	}
}

// gitDir is where a git command does its work.
func (s *script) gitDir(args []string) string {
	back := s.dir
	defer func() { s.dir = back }()
	for i, a := range args {
		name, value, joined := strings.Cut(a, "=")
		if !joined && i+1 < len(args) {
			value = args[i+1]
		}
		switch {
		case !strings.HasPrefix(a, "-") && (i == 0 || !globalValue(args[i-1])):
			return s.dir
		case !known(value):
		case a == "-C" || name == "--work-tree":
			s.dir = s.from(value)
		case name == "--git-dir":
			s.dir = s.from(strings.TrimSuffix(filepath.ToSlash(value), "/.git"))
		}
	}
	return s.dir
}

// settingPattern finds a word that sets a variable.
var settingPattern = lazyregexp.New(`^\w+=`)

// What stands in a word for what only running the script would tell: anything, as
// many words as it likes, or a name that is no option.
const (
	anything = "\uE000 \uE000"
	aName    = "\uE001"
)

// known reports whether a word is what it will be.
func known(word string) bool { return !strings.ContainsAny(word, anything[:3]+aName) }

// config is how words are expanded: what is set is known; nothing is run.
func (s *script) config() *expand.Config {
	return &expand.Config{
		Env: expand.FuncEnviron(func(name string) string {
			if value, ok := s.vars[name]; ok {
				return value
			}
			switch value := envvar.Get(s.environ, name); {
			case name == "IFS":
				return ""
			case name == "PWD":
				return s.dir
			case value != "":
				return value
			}
			return anything
		}),
		CmdSubst: func(w io.Writer, c *syntax.CmdSubst) error {
			_, err := io.WriteString(w, output(c))
			return err
		},
		ProcSubst: func(*syntax.ProcSubst) (string, error) { return aName, nil },
		ReadDir2:  list,
	}
}

// words are the words of a command, as a shell would make them.
func (s *script) words(args []*syntax.Word) []string {
	fields, err := expand.Fields(s.config(), args...)
	if err != nil {
		return nil
	}
	return fields
}

// literal is one word.
func (s *script) literal(w *syntax.Word) string {
	if w == nil {
		return ""
	}
	text, err := expand.Literal(s.config(), w)
	if err != nil {
		return anything
	}
	return text
}

// output stands for what a command prints into a word: a name, if it is known for that.
func output(c *syntax.CmdSubst) string {
	if len(c.Stmts) != 1 {
		return anything
	}
	call, ok := c.Stmts[0].Cmd.(*syntax.CallExpr)
	names := []string{"git", "mktemp", "date", "pwd", "basename", "dirname", "whoami", "hostname"}
	if ok && len(call.Args) > 0 && slices.Contains(names, call.Args[0].Lit()) {
		return aName
	}
	return anything
}
