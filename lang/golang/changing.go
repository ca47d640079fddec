package golang

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/syntax"
)

// inert is the place behind what begins at token i and does nothing: an import, a type, the
// head of a function, a call that only puts a message together.
func inert(t *syntax.Tree, i int) int {
	switch {
	case t.Is(i, "map"), t.Is(i, "[") && (t.Continues(i-1) || !t.Adjacent(i)):
		return typeEnd(t, i)
	case t.Is(i, "import", "package", "type") && !t.Is(i+1, ")"):
		return t.LineEnd(i)
	case t.Is(i, "func"):
		_, _, body := signature(t, i)
		return body
	case t.Is(i, "panic", "Errorf", "New", "Println", "Printf", "Print", "Fatal", "Fatalf") && t.Is(i+1, "("):
		return t.Group(i + 1)
	}
	return i
}

// results are the types of what the function returns that token i begins, one a line.
func results(t *syntax.Tree, i int) (of string, body int) {
	if !t.Is(i, "func") {
		return "", -1
	}
	_, e, body := signature(t, i)
	if !t.Is(body, "{") {
		return "", -1
	}
	list := []syntax.Expr{e}
	if t.Whole(e) {
		list = t.Args(e.From)
	}
	types, named := make([]string, len(list)), false
	for k, one := range slices.Backward(list) {
		switch types[k] = t.Source(one); {
		case t.Named(one.From) && typeEnd(t, one.From) < one.To: // (sum int)
			named, types[k] = true, t.Source(syntax.Expr{From: one.From + 1, To: one.To})
		case named: // (low, high int)
			types[k] = types[k+1]
		}
	}
	return strings.Join(types, "\n"), body
}

// asks is the condition of an if, or the next one of a case.
func asks(t *syntax.Tree, i int) syntax.Expr {
	switch {
	case t.Is(i, "if"):
		_, cond, _ := head(t, i)
		return cond
	case t.Is(i, "case", ","):
		cond, _ := clause(t, i)
		for _, e := range t.Split(cond, ",") {
			if compares(t, e) {
				return e
			}
		}
	}
	return syntax.Expr{}
}

// otherResults are other values than those that a function returns: of its first result
// that is no error, or of the error if there is nothing else.
func otherResults(t *syntax.Tree, e syntax.Expr, of string) []syntax.Result {
	types, values := strings.Split(of, "\n"), t.Split(e, ",")
	if len(types) != len(values) {
		return nil
	}
	var out []syntax.Result
	for k, v := range values {
		old := t.Source(v)
		other := otherValue(types[k], old)
		if types[k] == "error" {
			if len(values) > 1 || !t.Named(v.From) || v.To > v.From+1 {
				continue
			}
			other = "nil"
		}
		if other != "" && other != old {
			out = append(out, syntax.Result{At: v, Text: other})
		}
	}
	return out
}

// otherValue is another value of a type than one that is written as a text.
func otherValue(of, old string) string {
	switch {
	case of == "bool":
		return cmp.Or(map[string]string{"true": "false", "false": "true"}[old], "!("+old+")")
	case of == "string":
		return "(" + old + ` + "~")`
	case basic(of):
		return "(" + old + " + 1)"
	case strings.HasPrefix(of, "[]"), strings.HasPrefix(of, "*"), strings.HasPrefix(of, "map["):
		return "nil"
	}
	return ""
}

// constant is another literal than token i.
func constant(t *syntax.Tree, i int) string {
	text := t.Kind(i) == syntax.Text && t.Word(i)[0] != '\''
	return "(" + t.Word(i) + map[bool]string{true: ` + "~")`, false: " + 1)"}[text]
}
