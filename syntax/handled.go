package syntax

import "strings"

// handled notes, of the handler of errors that token i begins, that it handles less: in the place
// of a class of errors of the language's own, one that extends it; or, where a handler is given
// whatever comes, no error of the program itself, if it passes none on.
func (m *mutator) handled(i int) {
	if len(m.Handled) == 0 || !m.Is(i, "except", "rescue", "catch") {
		return
	}
	for k := i + 1; k < m.End(i) && !m.Is(k, "{", ":"); k++ {
		for heir := range strings.FieldsSeq(m.Handled[m.Tree.Word(k)]) {
			m.instead(&m.near, 0, Expr{k, k + 1}, heir).Subtle = true
		}
	}
	if pass := m.Handled[anyError]; pass != "" {
		m.passed(i, pass)
	}
}

// anyError stands in [Changing.Handled] for whatever is thrown.
const anyError = "*"

// passed notes that the handler that token i begins passes some errors on, by a statement.
func (m *mutator) passed(i int, pass string) {
	at, block := Expr{i + 1, i + 2}, i+1
	if m.Is(i+1, "(") {
		block = m.Group(i + 1)
	}
	text := ""
	switch pass = strings.ReplaceAll(pass, "$", "error"); {
	case m.Is(i-1, ".") && block > i+3: // of a promise
		at = m.Inside(i + 1)
		text = "(error) => { " + pass + "return (" + m.Source(at) + ")(error); }"
	case !m.Is(block, "{") || (Expr{block, m.Group(block)}).Where(func(k int) bool { return m.Is(k, "throw") }) >= 0:
		return
	case block == i+1:
		text = "(error) { " + pass
	case m.Named(i + 2):
		at = Expr{block, block + 1}
		text = "{ " + strings.ReplaceAll(pass, "error", m.Tree.Word(i+2))
	default:
		return
	}
	made := m.instead(&m.near, 0, at, text)
	made.Subtle, made.What = true, "not for errors of the program itself"
	made.Shown = m.Source(at) + " (" + made.What + ")"
}
