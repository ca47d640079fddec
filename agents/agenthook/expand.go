package agenthook

import (
	"io"
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
