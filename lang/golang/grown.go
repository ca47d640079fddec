package golang

import "github.com/git-tdd/git-tdd/syntax"

// grown are copies of what belongs to something else and gets more elements behind it in a value
// that is returned, or in a parameter that is: append may write them where that, too, puts its next
// ones.
func grown(t *syntax.Tree, e syntax.Expr) (out []syntax.Result) {
	of, name := e, ""
	if t.Named(e.From) && e.To == e.From+1 {
		of, name = byValue(t, e.From), t.Word(e.From)
	}
	for i := of.From; i < of.To; i++ {
		if !t.Is(i, "append") || !t.Is(i+1, "(") {
			continue
		}
		args := t.Args(i + 1)
		if len(args) == 0 || name != "" && !t.Is(args[0].From, name) || !t.Is(args[0].From+1, ".") || args[0].Where(func(k int) bool { return !t.Named(k) && !t.Is(k, ".") }) >= 0 {
			continue
		}
		path := t.Source(args[0])
		out = append(out, syntax.Result{At: args[0], Text: path + "[:len(" + path + "):len(" + path + ")]", Near: true, Subtle: true, What: "a copy of " + path})
	}
	return out
}

// byValue is what stands in a function before token i, if that is one of its parameters, or what
// it is a method of, and no pointer.
func byValue(t *syntax.Tree, i int) syntax.Expr {
	for _, fn := range functions(t) {
		given := syntax.Expr{From: fn.Head.From, To: fn.Body.From}
		if fn.Body.From < i && i < fn.Body.To && given.Where(func(k int) bool { return t.Is(k, t.Word(i)) && t.Named(k+1) }) >= 0 {
			return syntax.Expr{From: fn.Body.From, To: i}
		}
	}
	return syntax.Expr{}
}
