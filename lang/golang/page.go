package golang

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/syntax"
)

// page is the syntax of Go, as far as tests and what they check are concerned.
func page() *syntax.Page {
	p := syntax.CFamily()
	p.Lexis.Forms, p.Lexis.Letters = append(p.Lexis.Forms, syntax.Form{Begins: "`", Raw: true}), ""
	p.Lexis.Signs = strings.Fields("<<= >>= &^= ... && || <- ++ -- == != <= >= := += -= *= /= %= &= |= ^= << >> &^")
	p.Lexis.Before = strings.Fields("return case range else go defer if for switch select chan var const type")
	p.Newlines, p.Insists, p.Gives = true, true, given
	p.Break = func(t *syntax.Tree, i int) bool {
		return (!t.Continues(i-1) || t.Is(i-1, "return")) && !t.Closes(i)
	}
	p.Directive = func(comment string) bool {
		return strings.HasPrefix(comment, "//go:") || strings.HasPrefix(comment, "// +build") || promises(comment)
	}
	v := &p.Values
	v.Literal, v.Core, v.Makes, v.Fields, v.Keys = otherLiteral, core, makes, fields, []string{":"}
	v.Asked = func(f *syntax.Finder, e syntax.Expr) []syntax.Edit {
		if open := f.Opening(e.To - 1); open > e.From && f.Is(open, "(") {
			return f.Last(f.Args(open))
		}
		return nil
	}
	p.Checking = syntax.Checking{Functions: functions, Judges: func(*syntax.Tree, int) bool { return false }, Begin: begin, Visit: visit}
	c := &p.Changing
	maps.Copy(c.Swaps, map[string]string{"&": "|", "|": "&", "<<": ">>", ">>": "<<", "++": "", "--": ""})
	c.Ties = map[string]string{"for i, j := 0, len($1)-1; i < j; i, j = i+1, j-1 { $1[i], $1[j] = $1[j], $1[i] }; ": "Slice SliceStable SortFunc SortStableFunc"}
	c.Range, c.Copying = ":", syntax.Copying{
		Text: "$ = append($[:0:0], $...); ", Functions: functions,
		Writes: "Float64s Ints Strings Sort SortFunc SortStable SortStableFunc Slice SliceStable Stable Reverse",
	}
	c.Angles, c.Words, c.Thrown, c.Bodies, c.Inert = nil, nil, nil, false, inert
	c.Type, c.Returned, c.Condition, c.Constant = results, otherResults, asks, constant
	c.Binary = func(t *syntax.Tree, i int) bool { return t.Adjacent(i) == t.Adjacent(i+1) || t.Broken(i+1) } // no *T, no -x
	c.Returns = func(t *syntax.Tree, i int) syntax.Expr {
		list := syntax.Expr{From: i + 1, To: t.ListEnd(i + 1)}
		if !t.Is(i, "return") || t.Broken(i+1) {
			list.To = list.From
		}
		return list
	}
	return &p
}

// otherLiteral is another literal. It is a constant, too, and fits most types that the old
// one fits.
func otherLiteral(kind syntax.Kind, text string, to syntax.Way) string {
	sum := map[syntax.Way]string{syntax.Up: " + 1<<30", syntax.Down: " - 1<<30"}[to]
	switch {
	case strings.HasPrefix(text, "'"):
		sum = " + 1"
	case kind == syntax.Text:
		sum = ` + "~tdd"`
	case to == syntax.Other:
		return syntax.TypedLiteral(kind, text, to) // what leaves its type does not compile
	}
	return "(" + text + sum + ")"
}

// core is the first operand of an expression, without brackets, and without what only
// borrows it or gives it another type.
func core(t *syntax.Tree, e syntax.Expr) syntax.Expr {
	for !e.Empty() {
		open, behind := t.Opening(e.To-1), t.Group(e.From)
		if t.Is(e.From, "[", "map", "*") {
			behind = typeEnd(t, e.From)
		}
		switch at := t.Find(syntax.Expr{From: behind, To: e.To}, "+", "-", "*"); {
		case t.Is(e.From, "&"):
			e.From++
		case t.Is(e.To-1, "..."):
			e.To--
		case at > 0:
			e.To = at
		case t.Whole(e) && t.Is(open, "("), converts(t, e, open):
			e = t.Inside(open)
		default:
			return e
		}
	}
	return e
}

// converts reports whether a call only gives a value another type.
func converts(t *syntax.Tree, e syntax.Expr, open int) bool {
	if !t.Is(open, "(") || typeEnd(t, e.From) != open || t.Find(t.Inside(open), ",") >= 0 {
		return false
	}
	return t.Is(e.From, "[") || open == e.From+1 && basic(t.Word(e.From))
}

// basic reports whether a type is one of numbers or texts that the language has.
func basic(name string) bool {
	return slices.Contains(strings.Fields("string int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 byte rune float32 float64 uintptr"), name)
}

// makes lists the values of T{1, 2}.
func makes(t *syntax.Tree, e syntax.Expr, _ syntax.Making) ([]syntax.Expr, bool) {
	open := t.Opening(e.To - 1)
	if open <= e.From || !t.Is(open, "{") || typeEnd(t, e.From) != open {
		return nil, false
	}
	return t.Args(open), true
}

// fields are the names of the fields of the structs that stand beside a row.
func fields(t *syntax.Tree, row syntax.Expr) []string {
	of := t.Around(row.From) - 1
	if own := t.Opening(row.To - 1); own > row.From && own < row.To-1 {
		of = own - 1 // T{1, 2}
	}
	open := t.Opening(of)
	for i := 0; t.Named(of) && open == of && i < t.Len(); i++ {
		if t.Word(i) == t.Word(of) && t.Is(i+1, "struct") && t.Is(i+2, "{") {
			open = i + 2
		}
	}
	if !t.Is(open-1, "struct") {
		return nil
	}
	var out []string
	for i := open + 1; i < t.Group(open)-1; i++ {
		for ; t.Is(i+1, ","); i += 2 {
			out = append(out, t.Word(i))
		}
		out = append(out, t.Word(i))
		for i+1 < t.Group(open) && !t.Broken(i+1) && !t.Is(i, ";") {
			i = t.Group(i+1) - 1
		}
	}
	return out
}

// given is what the name at token i is given, alone or with others.
func given(t *syntax.Tree, i int) (value syntax.Expr, declared, ok bool) {
	first, sign := i, i+1
	for t.Is(first-1, ",") && t.Named(first-2) && !t.Is(first-3, ".") {
		first -= 2
	}
	for t.Is(sign, ",") && t.Named(sign+1) {
		sign += 2
	}
	names := (sign-first)/2 + 1
	declared = t.Is(first-1, "var", "const") || t.Is(t.Around(i)-1, "var", "const") && t.Broken(first)
	if declared && !t.Is(sign, "=") && !t.Broken(sign) {
		sign = typeEnd(t, sign)
	}
	s := t.Word(sign)
	if s != "=" && s != ":=" {
		return value, declared, declared || assigns(s) || s == "++" || s == "--"
	}
	values := t.Split(syntax.Expr{From: sign + 1, To: t.ListEnd(sign + 1)}, ",")
	if len(values) != names || t.Is(sign+1, "range") {
		return syntax.Expr{From: i, To: i}, declared || s == ":=", true
	}
	return values[(i-first)/2], declared || s == ":=", true
}

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
		if open := t.Opening(v.To - 1); t.Is(open, "{") && open+2 < v.To && t.Group(open) == v.To && !t.Is(v.From, "[", "map", "func") {
			other = t.Source(syntax.Expr{From: v.From, To: open}) + "{}" // T{1, 2}, which a test may look into
		}
		if other != "" && other != old {
			out = append(out, syntax.Result{At: v, Text: other})
		}
	}
	return append(out, grown(t, e)...)
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
