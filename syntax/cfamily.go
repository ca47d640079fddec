package syntax

import (
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// CFamily is the page of a language whose text looks like that of C and whose values
// have types: a value is altered where it is given to a name, and stays of its type.
func CFamily() Page {
	return Page{
		Lexis: Lexis{
			Lines: []string{"//"}, Blocks: [][2]string{{"/*", "*/"}}, Forms: []Form{{Begins: `" '`, Line: true}}, Letters: "$",
			Signs:  strings.Fields(">>>= <<= >>= >>> ... <=> ->* :: -> ++ -- <= >= == != && || += -= *= /= %= &= |= ^= <<"),
			Before: strings.Fields("return case throw new else do typeof in"),
		},
		Values: Values{
			Literal: TypedLiteral, Words: map[string]string{"true": "false", "false": "true"}, Keys: []string{"="},
		},
		Changing: Changing{
			Swaps: map[string]string{
				"-": "+", "*": "+", "/": "*", "%": "*", "+": "-", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
				"&&": "||", "||": "&&", "^": "&", "+=": "-=", "-=": "+=", "*=": "+=", "/=": "*=", "%=": "*=", "|=": "&=", "&=": "|=", "^=": "&=",
				"++": "--", "--": "++",
			},
			Angles: []string{"<", ">", "&&", "*"}, Words: map[string]string{"true": "false", "false": "true"}, Typed: true, Bodies: true,
			Returns: returnedValue, Constant: typedConstant, Thrown: thrownClass, Condition: bracketed, Returned: TypedResults, Blank: `"\n"`,
		},
	}
}

// returnedValue is what a return returns.
func returnedValue(t *Tree, i int) Expr {
	if !t.Named(i) || !t.Is(i, "return") || t.Is(i-1, ".") {
		return Expr{}
	}
	return Expr{i + 1, t.End(i + 1)}
}

// bracketed is the condition of an if that stands in brackets, and declares or assigns
// nothing.
func bracketed(t *Tree, i int) Expr {
	if !t.Is(i, "if") || !t.Is(i+1, "(") || t.Find(t.Inside(i+1), ";", "=") >= 0 {
		return Expr{}
	}
	return t.Inside(i + 1)
}

// thrownClass is the class of the error that a throw throws.
func thrownClass(t *Tree, i int) Expr {
	if !t.Is(i, "throw") {
		return Expr{}
	}
	from := i + 1
	if t.Is(from, "new") {
		from++
	}
	to := from
	for t.Named(to) || t.Is(to, "::", ".") {
		to++
	}
	if !t.Is(to, "(", "{") {
		return Expr{}
	}
	return Expr{from, to}
}

// typedConstant is another literal of the same type, for a mutant.
func typedConstant(t *Tree, i int) string {
	old := t.Word(i)
	if strings.HasSuffix(old, `"`) && !strings.HasSuffix(old, `"""`) && !strings.Contains(old, `R"`) {
		return old[:len(old)-1] + `~"`
	}
	return TypedLiteral(t.Kind(i), old, Other)
}

// Compares reports whether an expression compares or negates and chooses nothing.
func Compares(t *Tree, e Expr) bool {
	return (t.Is(e.From, "!") || t.Find(e, "==", "!=", "<=", ">=", "&&", "||") > 0) && t.Find(e, "?") < 0
}

// TypedLiteral is another literal of the same type, as far away as any type allows that
// the old one fits. It is only ever any other.
func TypedLiteral(_ Kind, old string, to Way) string {
	switch {
	case to != Other:
		return ""
	case old[0] == '"' && moreDigits(old) != "":
		return moreDigits(old)
	case strings.HasSuffix(old, `"""`):
		return strings.TrimSuffix(old, `"""`) + `~tdd"""`
	case strings.Contains(old, `R"`): // of C++: what ends it is its own
		end := strings.LastIndexByte(old, ')')
		return old[:max(end, 0)] + "~tdd" + old[max(end, 0):]
	case strings.HasSuffix(old, `"`):
		return old[:len(old)-1] + `~tdd"`
	case strings.HasSuffix(old, "'"):
		if strings.Contains(old, "~") {
			return "'#'"
		}
		return old[:strings.IndexByte(old, '\'')] + "'~'"
	}
	sign := old[:len(old)-len(strings.TrimLeft(old, "-+ "))]
	return sign + otherNumber(old[len(sign):])
}

// What tells the type of a number is its suffix, as in 1uL, 1_u8 and 1.5f64.
var (
	integerPattern = lazyregexp.New(`^(0[xX][\da-fA-F_']+?|0[bB][01_']+?|0[oO][0-7_']+?|[\d_']+?)_*([uUlLzZ]*|[iu](?:8|16|32|64|128|size))$`)
	floatPattern   = lazyregexp.New(`(?s)^(.*?)_*(f32|f64|[fFdDlL]*)$`)
)

// otherNumber is a number of the same type that is far away. It fits whatever type the
// old one fits.
func otherNumber(old string) string {
	const step, limit, large = 41, 127 - 41, 1e30
	plain := strings.NewReplacer("_", "", "'", "")
	hit := integerPattern().FindStringSubmatch(old)
	if hit == nil {
		hit = floatPattern().FindStringSubmatch(old)
		v, err := strconv.ParseFloat(plain.Replace(hit[1]), 64)
		if err != nil || v > large {
			v = 0
		}
		text := strconv.FormatFloat(v*3+41.5, 'f', -1, 64)
		if !strings.Contains(text, ".") {
			text += ".0"
		}
		return text + hit[2]
	}
	v, err := strconv.ParseUint(plain.Replace(hit[1]), 0, 64)
	switch {
	case err != nil:
		v = step
	case v <= limit:
		v += step
	default:
		v -= step
	}
	return strconv.FormatUint(v, 10) + hit[2]
}

// Braced lists the functions of a file whose bodies stand in braces. Named reports
// whether token i is the name of one, behind which stand its parameters, and what may
// stand between these and the body.
func Braced(t *Tree, named func(i int) bool, between ...string) []Function {
	var out []Function
	from := 0
	for i := 0; i < t.Len(); i++ {
		if t.Is(i, ";", "{", "}") {
			from = i + 1
		}
		if end := Annotation(t, i); end > i {
			i = end - 1
			continue
		}
		if !t.Named(i) || !t.Is(i+1, "(") || !named(i) {
			continue
		}
		at := t.Group(i + 1)
		for t.Named(at) || t.Is(at, between...) {
			at++
		}
		if !t.Is(at, "{") {
			continue
		}
		body := Expr{at, t.Group(at)}
		out = append(out, Function{Name: t.Word(i), Head: Expr{from, i}, Params: t.Inside(i + 1), Body: body})
		i, from = body.To-1, body.To
	}
	return out
}

// ByBodies are the types that functions return, for [Changing.Type]: the word before the
// name of a function whose body token i opens; "?" if it does not show.
func ByBodies(t *Tree, i int) (of string, body int) {
	if !t.Is(i, "{") {
		return "", -1
	}
	at := i - 1
	for ; at > 0 && !t.Is(at, ")"); at-- {
		if t.Is(at, "->", "]") {
			return "?", i // a lambda's
		}
		if !t.Named(at) && !t.Is(at, ",", ".") {
			return "", i
		}
	}
	name := t.Opening(at) - 1
	switch {
	case t.Is(name, "]"):
		return "?", i
	case name < 1 || !t.Named(name) || t.Is(name, "if", "for", "while", "switch", "catch", "synchronized"):
		return "", i
	}
	for name--; t.Is(name, "::"); name -= 2 {
	}
	for t.Is(name, "&", "const") {
		name--
	}
	return t.Word(name), i
}

// InertC is [Changing.Inert] for languages like C: annotations and lines of the
// preprocessor, imports and labels, calls that only tell something.
func InertC(telling ...string) func(t *Tree, i int) int {
	return func(t *Tree, i int) int {
		switch {
		case t.Is(i, "#"):
			for i++; i < t.Len() && !t.Broken(i); i++ {
			}
			return i
		case t.Is(i, "@"):
			return Annotation(t, i)
		case t.Named(i) && t.Is(i, "throw", "import", "package", "using", "static_assert", "case"):
			for n := 0; i < t.Len() && n < most && !t.Is(i, ";", ":", "->") && !t.Closes(i); n++ {
				i = t.Group(i)
			}
			return i
		case t.Is(i+1, "(") && slices.Contains(telling, t.Word(i)):
			return t.Group(i + 1)
		}
		return i
	}
}

// TypedResults are other values than one that a function returns, by its text or by the
// type of the function.
func TypedResults(t *Tree, e Expr, of string) []Result {
	blank, in := t.page.Changing.Blank, "("+t.Source(e)+")"
	var out []Result
	near := map[string]string{
		"double": in + " * 1.05 + 0.05", "float": in + " * 1.05f + 0.05f", "int": in + " - 1", "long": in + " - 1",
		"String": blank + " + " + in, "string": blank + " + " + in,
	}[of]
	if near != "" {
		out = append(out, Result{Text: near, Near: true})
	}
	const least = 4
	truth, number := Compares(t, e), t.Find(e, "?", "<<") < 0 && t.Find(Expr{e.From + 1, e.To}, "-", "*", "/", "%") > 0
	switch {
	case (truth || number) && strings.Contains(in, "\n"):
		return out // it has smaller parts
	case truth:
		return append(out, Result{Text: "!" + in})
	case number:
		return append(out, Result{Text: in + " + 1"})
	case e.To == e.From+1 && t.Literal(e.From):
		return out // a mutant by itself
	}
	switch of {
	case "bool", "boolean":
		out = append(out, Result{Text: "!" + in, Rank: least})
	case "int", "long", "short", "double", "float", "size_t", "unsigned", "Integer", "Long", "Double":
		out = append(out, Result{Text: in + " + 1", Rank: least})
	case "String", "string":
		out = append(out, Result{Text: in + ` + "~"`, Rank: least})
	}
	return out
}

// Annotation is the place behind the annotation that begins at token i; i if none does.
func Annotation(t *Tree, i int) int {
	if !t.Is(i, "@") || t.Is(i+1, "interface") {
		return i
	}
	for i++; t.Named(i) && !t.Broken(i+1) || t.Is(i, ".", ":"); i++ {
		if t.Named(i) && t.Named(i+1) {
			return i + 1
		}
	}
	if t.Named(i) {
		i++
	}
	if t.Is(i, "(") && !t.Broken(i) {
		return t.Group(i)
	}
	return i
}
