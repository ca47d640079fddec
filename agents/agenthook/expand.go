package agenthook

import (
	"io"
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"github.com/git-tdd/git-tdd/internal/envvar"
)

// What stands in a word for what only running the script would tell: anything, as
// many words as it likes, or a name that is no option.
const (
	anything = "\uE000 \uE000"
	aName    = "\uE001"
)

// known reports whether a word is what it will be.
func known(word string) bool { return !strings.ContainsAny(word, anything[:3]+aName) }

// config is how words are expanded: what is set or printed in place is known; nothing is run.
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
			text := anything
			if len(c.Stmts) == 1 {
				text = s.output(c.Stmts[0])
			}
			_, err := io.WriteString(w, text)
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

// output is what a statement prints, where that can be told.
func (s *script) output(stmt *syntax.Stmt) string {
	call, ok := stmt.Cmd.(*syntax.CallExpr)
	if !ok {
		return anything
	}
	argv := s.words(call.Args)
	if len(argv) == 0 {
		return anything
	}
	switch name, args := path.Base(argv[0]), argv[1:]; name {
	case "echo", "printf":
		return printed(name, args)
	case "cat":
		for _, r := range stmt.Redirs {
			switch {
			case r.Hdoc != nil:
				return s.literal(r.Hdoc)
			case r.Op == syntax.WordHdoc:
				return s.literal(r.Word)
			}
		}
	case "which", "command", "type":
		if last := argv[len(argv)-1]; last == "git" || last == "git-tdd" {
			return last
		}
	case "git", "mktemp", "date", "pwd", "basename", "dirname", "whoami", "hostname":
		return aName
	}
	return anything
}

// printed is what echo or printf prints, where no format has a say in it.
func printed(name string, args []string) string {
	for len(args) > 0 && (name == "echo" && slices.Contains([]string{"-n", "-e", "-E", "-ne"}, args[0]) || name == "printf" && args[0] == "--") {
		args = args[1:]
	}
	if name == "printf" && len(args) == 2 && slices.Contains([]string{"%s", `%s\n`}, args[0]) {
		return args[1]
	}
	text := strings.Join(args, " ")
	if strings.ContainsAny(text, `\`) || name == "printf" && (len(args) > 1 || strings.Contains(text, "%")) {
		return anything
	}
	return text
}
