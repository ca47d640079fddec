package javascript

import (
	"slices"
	"strings"
)

// given is what a name is given at a place.
type given struct {
	at       int
	declared bool
	value    part
}

// resolved is what a name stands for that is given a value in one place only, as it
// is seen from another place; anything else as it is.
func (c *code) resolved(p part, use int) part {
	if p.to != p.from+1 || c.kind(p.from) != wordKind {
		return p
	}
	if value, ok := c.value(c.at(p.from), use); ok {
		return c.bare(value)
	}
	return p
}

// value is what a name was given, as it is seen from a place.
func (c *code) value(name string, use int) (part, bool) {
	if c.given == nil {
		c.assignments()
	}
	block, found := -2, part{}
	for _, g := range c.given[name] {
		inner := c.block[g.at]
		if !g.declared || inner < block || inner >= 0 && (use < inner || use > c.mate[inner]) {
			continue
		}
		block, found = inner, g.value
	}
	if block == -2 {
		return part{}, false
	}
	times := 0
	for _, g := range c.given[name] {
		if block < 0 || block < g.at && g.at < c.mate[block] {
			times++
		}
	}
	return found, times == 1 || block < 0 && c.once(name)
}

// once reports whether a name is declared at the top of a file, and given nothing
// later: functions may have others of that name.
func (c *code) once(name string) bool {
	top := 0
	for _, g := range c.given[name] {
		if !g.declared {
			return false
		}
		if c.block[g.at] < 0 {
			top++
		}
	}
	return top == 1
}

// assignments notes what all names are given.
func (c *code) assignments() {
	c.given = map[string][]given{}
	for i := range c.toks {
		if c.kind(i) != wordKind || c.at(i-1) == "." {
			continue
		}
		declared := slices.Contains([]string{"const", "let", "var"}, c.at(i-1))
		at := i + 1
		if declared && c.at(at) == ":" { // its type
			if at = c.find(part{i + 2, min(len(c.toks), i+40)}, "=", ";"); at < 0 {
				continue
			}
		}
		switch s := c.at(at); {
		case s == "=":
			c.given[c.at(i)] = append(c.given[c.at(i)], given{i, declared, part{at + 1, c.expressionEnd(at + 1)}})
		case strings.HasSuffix(s, "=") && len(s) > 1 && strings.IndexByte("=!<>", s[0]) < 0, s == "++", s == "--":
			c.given[c.at(i)] = append(c.given[c.at(i)], given{at: i})
		}
	}
}

// expressionEnd is the place behind the expression that begins at a place.
func (c *code) expressionEnd(at int) int {
	for i := at; i < len(c.toks); i++ {
		switch s := c.at(i); {
		case s == "," || s == ";" || s == ")" || s == "]" || s == "}":
			return i
		case i > at && c.broken(i) && c.begins(i) && !c.continues(i-1):
			return i
		case s == "(" || s == "[" || s == "{":
			i = max(i, c.mate[i])
		}
	}
	return len(c.toks)
}

// broken reports whether a line ends before a token.
func (c *code) broken(i int) bool {
	return i > 0 && strings.Contains(c.src[c.toks[i-1].end:c.toks[i].start], "\n")
}

// begins reports whether a statement can begin with a token.
func (c *code) begins(i int) bool {
	switch s := c.at(i); c.kind(i) {
	case wordKind:
		return !slices.Contains([]string{"in", "of", "instanceof", "as", "satisfies"}, s)
	case signKind:
		return s == "{" || s == "++" || s == "--" || s == "}"
	case numberKind, textKind, templateKind, patternKind, commentKind:
	}
	return true
}

// continues reports whether something must follow a token.
func (c *code) continues(i int) bool {
	switch s := c.at(i); c.kind(i) {
	case wordKind:
		return slices.Contains([]string{"in", "of", "instanceof", "as", "satisfies", "return", "typeof", "await", "new", "void", "yield"}, s)
	case signKind:
		return !slices.Contains([]string{")", "]", "}", "++", "--"}, s)
	case numberKind, textKind, templateKind, patternKind, commentKind:
	}
	return false
}
