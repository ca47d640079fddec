package javascript

import "github.com/git-tdd/git-tdd/testrun"

// nearValues are values that differ from the one that they are called with by no more
// than a loose comparison lets pass: the next number, the other case, another order;
// the number before, a blank in front, another first element; a number as a text.
func nearValues() []string {
	return []string{
		`((v) => Number.isInteger(v) ? v + 1 : typeof v === "number" ? v + 0.05 * Math.abs(v) + 0.05 : typeof v === "string" ` +
			`? [...v].map((c) => c === c.toUpperCase() ? c.toLowerCase() : c.toUpperCase()).join("") : Array.isArray(v) ? [...v].reverse() : v)`,
		`((v) => Number.isInteger(v) ? v - 1 : typeof v === "number" ? v - 0.05 * Math.abs(v) - 0.05 : typeof v === "string" ` +
			`? "\n" + v : Array.isArray(v) && v.length ? [null, ...v.slice(1)] : v)`,
		`((v) => typeof v === "number" ? String(v) : v)`,
	}
}

// near lists what functions return, as values that are hardly other ones.
func near(content string) []testrun.Mutant {
	m := mutator{code: newCode(content)}
	var out []testrun.Mutant
	for i := range m.toks {
		if m.at(i) == "throw" && m.at(i+1) == "new" && m.kind(i+2) == wordKind && m.at(i+3) == "(" {
			at, other := m.span(part{i + 2, i + 3}), "RangeError"
			if m.at(i+2) == other {
				other = "TypeError"
			}
			out = append(out, testrun.MutantOf(content, testrun.Edit{Span: at, Text: other}, other+" for "+m.at(i+2)))
		}
		arrow := m.kind(i) == signKind && m.at(i) == "=>" && m.at(i+1) != "{"
		gives := m.kind(i) == wordKind && m.at(i) == "return" && m.at(i-1) != "." && !m.key(i) && !m.broken(i+1)
		value := part{i + 1, m.expressionEnd(i + 1)}
		if !arrow && !gives || value.empty() {
			continue
		}
		at, text := m.span(value), m.text(value)
		for _, close := range nearValues() {
			out = append(out, testrun.MutantOf(content, testrun.Edit{Span: at, Text: close + "(" + text + ")"}, "a value close to "+text))
		}
	}
	return out
}
