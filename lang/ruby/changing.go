package ruby

import (
	"strings"

	"github.com/git-tdd/git-tdd/syntax"
)

// changing is how a source in Ruby is changed a little.
func changing() syntax.Changing {
	return syntax.Changing{
		Inert: inert, Returns: returns, Returned: returned, Condition: condition, Constant: constant,
		Errors: [2]string{"IndexError", "TypeError"}, Thrown: raised, Range: ".. ...", Handled: map[string]string{"StandardError": "ArgumentError SystemCallError"}, Words: map[string]string{"true": "false", "false": "true"},
		Swaps: map[string]string{
			"==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "+": "-", "-": "+", "*": "+", "**": "*", "/": "*", "%": "*",
			"&&": "||", "||": "&&", "+=": "-=", "-=": "+=", "*=": "+=", "..": "...", "...": "..",
		},
		Angles: strings.Fields("+ - * ** / % < >"),
		Puts:   func(text string) string { return map[bool]string{true: "#{"}[text[0] == '"'] },
		Copying: syntax.Copying{
			Functions: methods,
			Text:      "(->(v) { [Array, Hash, String].include?(v.class) ? v.dup : nil }).call($)",
			Writes: "<< push append unshift prepend insert concat replace clear delete delete_at delete_if keep_if pop shift store update fill " +
				"collect! compact! downcase! filter! flatten! gsub! map! merge! reject! reverse! rotate! select! shuffle! slice! sort! sort_by! squeeze! strip! sub! swapcase! tr! uniq! upcase! capitalize! chomp!",
		},
		Ties: map[string]string{".to_a.reverse": "sort_by sort min_by max_by", ".reverse!": "sort_by! sort!"},
	}
}

// methods lists the methods of a source, with their parameters.
func methods(t *syntax.Tree) (out []syntax.Function) {
	for i := range t.Len() {
		if behind := parameters(t, i); t.Is(i, "def") && t.Is(behind-1, ")") {
			out = append(out, syntax.Function{Params: t.Inside(t.Opening(behind - 1)), Body: syntax.Expr{From: behind, To: t.Group(i)}})
		}
	}
	return out
}

// inert is the place behind what only declares, or says what went wrong, at token i; i if
// it does something. Of an error that is raised, only when is behaviour.
func inert(t *syntax.Tree, i int) int {
	switch {
	case t.Is(i-1, "def"):
		return parameters(t, i-1)
	case !t.Starts(i):
	case t.Is(i, "raise", "fail"):
		return end(t, i)
	case t.Is(i+1, "=", "[", "+=", "-="):
	case t.Is(i, "class", "module"):
		for i++; i < t.Len() && !t.Starts(i); i++ {
		}
	case strings.HasPrefix(t.Word(i), "attr_"), t.Is(i, strings.Fields(`require require_relative include extend prepend alias alias_method
		private_class_method private_constant puts print warn p pp rescue in logger using autoload gem def_delegator def_delegators`)...):
		return t.LineEnd(i)
	}
	return i
}

// condition is what an if asks, before or behind a statement.
func condition(t *syntax.Tree, i int) syntax.Expr {
	if !t.Is(i, "if", "elsif", "unless") || none(t, i) {
		return syntax.Expr{}
	}
	e := syntax.Expr{From: i + 1, To: end(t, i+1)}
	if t.Whole(e) && t.Is(i+1, "(") {
		return t.Inside(i + 1)
	}
	return e
}

// raised is the class of an error that is raised.
func raised(t *syntax.Tree, i int) syntax.Expr {
	if !t.Starts(i) || !t.Is(i, "raise", "fail") {
		return syntax.Expr{}
	}
	if i++; t.Is(i, "(") {
		i++
	}
	return class(t, i)
}

// class is the name of a class or of another constant at token i; empty if it is none.
func class(t *syntax.Tree, i int) syntax.Expr {
	e := syntax.Expr{From: i, To: i}
	for w := t.Word(e.To); w != "" && 'A' <= w[0] && w[0] <= 'Z'; w = t.Word(e.To) {
		if e.To++; t.Is(e.To, "::") {
			e.To++
		}
	}
	return e
}

// parameters is the place behind the name and the parameters of the method at a def.
func parameters(t *syntax.Tree, def int) int {
	at := name(t, def) + 1
	for t.Adjacent(at) && !t.Is(at, "(", ";") { // ==
		at++
	}
	if t.Is(at, "(") && !t.Broken(at) {
		return t.Group(at)
	}
	return at
}

// returns is what a method returns: by a return, as its single expression or as its last
// statement.
func returns(t *syntax.Tree, i int) syntax.Expr {
	e := syntax.Expr{From: i, To: end(t, i)}
	def := t.Around(i)
	switch {
	case endless(t, i):
		return syntax.Expr{From: t.Find(syntax.Expr{From: i, To: t.Len()}, "=") + 1, To: e.To}
	case !t.Starts(i) || t.Closes(i):
	case t.Is(i, "return"):
		return syntax.Expr{From: i + 1, To: e.To}
	case !t.Is(def, "def") || !t.Closes(e.To) || t.Find(syntax.Expr{From: def + 1, To: e.To}, "ensure") >= 0,
		t.Is(i, strings.Fields("if unless case while until for begin when in else elsif rescue yield next break loop")...),
		t.Is(def+1, "initialize"), t.Find(e, "=", "+=", "-=", "*=", "/=", "||=", "&&=", "<<=", "|=", "%=", "**=") >= 0:
	default:
		return e
	}
	return syntax.Expr{}
}

// returned are other values than one that a method returns, and values close to it, as those
// of [syntax.Changing.Close].
func returned(t *syntax.Tree, e syntax.Expr, _ string) []syntax.Result {
	value := "((" + t.Source(e) + "))"
	out := []syntax.Result{{Text: anotherValue + value, What: "another value", Done: "(" + value + "; nil)"}}
	for _, near := range []string{
		`->(v) { case v; when Integer then v + 1; when Float then v + 0.05 * v.abs + 0.05; when String, Symbol then v.swapcase; ` +
			`when Array then v.reverse; else v; end }`,
		`->(v) { case v; when Integer then v - 1; when Float then v - 0.05 * v.abs - 0.05; when String then "\n" + v; ` +
			`when Array then v.empty? ? v : [Object.new] + v[1..-1]; else v; end }`,
	} {
		out = append(out, syntax.Result{Text: near + ".call" + value, Near: true, What: "a close value"})
	}
	return out
}

// constant is another number, or another text that stands alone.
func constant(t *syntax.Tree, i int) string {
	text := t.Word(i)
	switch {
	case t.Is(i+1, ":") && t.Adjacent(i+1):
	case t.Kind(i) == syntax.Number:
		return "(" + text + " + 1)"
	case t.Kind(i-1) == syntax.Text && !t.Starts(i), t.Kind(i+1) == syntax.Text && !t.Starts(i+1):
	case strings.IndexByte(`"'`, text[0]) >= 0:
		return "(" + text + ` + "~")`
	}
	return ""
}
