package python

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/testrun"
)

// function is a function that stands in no other one.
type function struct {
	name        string
	head        int   // the index of its statement
	decorators  []int // the indices of theirs
	at          testrun.Span
	values      map[string][]expr // what its variables are given; nil for what cannot be known
	rows, cells map[string][]expr // of its variables that go through a table: the rows, or a column of them
}

// isTest reports whether a function is a test.
func (f function) isTest() bool { return strings.HasPrefix(f.name, "test") }

// body goes through the statements of a function.
func (s *source) body(f function, visit func(index int)) {
	for i := f.head + 1; i <= s.statements[f.head].last; i++ {
		visit(i)
	}
}

// functions lists the functions of a text.
func (s *source) functions() []function {
	var out []function
	end := -1
	for i, st := range s.statements {
		def := slices.IndexFunc(st.expr, func(t token) bool { return s.of(t.Span) == "def" })
		if i <= end || def < 0 || def > 1 || def+1 >= len(st.expr) {
			continue
		}
		f := function{name: s.of(st.expr[def+1].Span), head: i, at: st.span()}
		end = st.last
		f.at.End = s.statements[end].span().End
		for d := i - 1; d >= 0 && s.is(s.statements[d].expr, 0, "@"); d-- {
			f.decorators = append(f.decorators, d)
			f.at.Start = s.statements[d].span().Start
		}
		s.learn(&f)
		out = append(out, f)
	}
	return out
}

// learn notes what the variables of a function are given.
func (s *source) learn(f *function) {
	f.values, f.rows, f.cells = map[string][]expr{}, map[string][]expr{}, map[string][]expr{}
	s.body(*f, func(i int) { s.assigned(f, s.statements[i].expr) })
	for _, d := range f.decorators {
		s.parameters(f, s.statements[d].expr)
	}
}

// assigned notes what a statement gives variables.
func (s *source) assigned(f *function, e expr) {
	if s.is(e, 0, "for") || s.is(e, 0, "async") && s.is(e, 1, "for") {
		e = e[slices.IndexFunc(e, func(t token) bool { return s.of(t.Span) == "for" })+1:]
		if in := slices.IndexFunc(e, func(t token) bool { return s.of(t.Span) == "in" }); in > 0 {
			s.columns(f, s.targets(e[:in]), e[in+1:])
		}
		return
	}
	for i, t := range e {
		switch sign := s.of(t.Span); {
		case t.kind == group || t.kind == quoted:
		case sign == "=" && i == 1 && !slices.ContainsFunc(e[2:], func(t token) bool { return s.of(t.Span) == "=" }):
			f.give(s.of(e[0].Span), e[2:])
		case sign == "=" && s.is(e, 1, ":"):
			f.give(s.of(e[0].Span), e[i+1:])
		case strings.HasSuffix(sign, "=") && i > 0 && !slices.Contains([]string{"==", "!=", "<=", ">="}, sign), sign == "as":
			for _, name := range s.names(append(slices.Clone(e[:i]), e[i+1:]...)) {
				f.give(name, nil)
			}
		}
	}
}

// targets are the variables that a loop gives values; one that is taken apart
// further has no name.
func (s *source) targets(e expr) []string {
	if len(e) == 1 && e[0].kind == group {
		e = s.inner(e[0])
	}
	var out []string
	for _, part := range s.split(e, ",") {
		name := ""
		if len(part) == 1 && part[0].kind == word {
			name = s.of(part[0].Span)
		}
		out = append(out, name)
	}
	return out
}

// give notes that a variable is given a value.
func (f *function) give(name string, value expr) {
	f.values[name] = append(f.values[name], value)
}

// names are the names among the tokens of an expression, in brackets too.
func (s *source) names(e expr) []string {
	var out []string
	for _, t := range e {
		switch t.kind {
		case word:
			out = append(out, s.of(t.Span))
		case group:
			out = append(out, s.names(s.inner(t))...)
		case number, quoted, special:
		}
	}
	return out
}

// parameters notes the table that a decorator gives a test.
func (s *source) parameters(f *function, decorator expr) {
	if len(decorator) < 3 || decorator[len(decorator)-1].kind != group {
		return
	}
	args := s.split(s.inner(decorator[len(decorator)-1]), ",")
	switch called := s.of(decorator[len(decorator)-2].Span); {
	case called == "parametrize" && len(args) >= 2:
		s.columns(f, s.parameterNames(args[0]), s.keyword(args[1], "argvalues"))
	case called == "expand" && len(args) >= 1:
		names := s.names(s.statements[f.head].expr)
		if at := slices.Index(names, f.name); at+1 < len(names) {
			names = slices.DeleteFunc(names[at+1:], func(n string) bool { return n == "self" })
		}
		s.columns(f, names, args[0])
	}
}

// parameterNames are the names that parametrize is given: as one string, or as
// several.
func (s *source) parameterNames(arg expr) []string {
	var out []string
	arg = s.keyword(arg, "argnames")
	for _, t := range arg {
		switch t.kind {
		case quoted:
			out = append(out, s.words(testrun.Span{Start: t.Start + len(prefix(s.text, t.Start)), End: t.End})...)
		case group:
			out = append(out, s.parameterNames(s.inner(t))...)
		case word, number, special:
		}
	}
	return out
}

// keyword is an argument without the given name in front of it.
func (s *source) keyword(arg expr, name string) expr {
	if s.is(arg, 0, name) && s.is(arg, 1, "=") {
		return arg[2:]
	}
	return arg
}

// columns notes that variables go through the rows of a table.
func (s *source) columns(f *function, names []string, table expr) {
	rows := s.elements(s.resolved(*f, table))
	for column, name := range names {
		f.give(name, nil)
		if len(names) == 1 {
			f.rows[name] = rows
		}
		for _, row := range rows {
			cells := expr(nil)
			if parts := s.elements(row); len(names) == 1 && !s.isParam(row) {
				cells = row
			} else if column < len(parts) {
				cells = parts[column]
			}
			if len(cells) > 0 {
				f.cells[name] = append(f.cells[name], cells)
			}
		}
	}
}

// isParam reports whether a row is a call of pytest.param.
func (s *source) isParam(row expr) bool {
	return len(row) > 1 && row[len(row)-1].kind == group && s.of(row[len(row)-2].Span) == "param"
}

// elements are the elements of a table or row that is written out: in brackets, or
// as the arguments of a call.
func (s *source) elements(e expr) []expr {
	if len(e) == 0 || e[len(e)-1].kind != group || len(e) > 1 && !s.isParam(e) {
		return nil
	}
	inner := s.inner(e[len(e)-1])
	if slices.ContainsFunc(inner, func(t token) bool { return s.of(t.Span) == "for" }) {
		return nil
	}
	parts := s.split(inner, ",")
	if s.masked[e[0].Start] == '{' {
		for i, p := range parts {
			if pair := s.split(p, ":"); len(pair) == 2 {
				parts[i] = pair[1]
			}
		}
	}
	return slices.DeleteFunc(parts, func(p expr) bool { return len(p) > 1 && s.is(p, 1, "=") })
}

// resolved is what a variable was given, if an expression is one that was given a
// value once, in the function or in its file.
func (s *source) resolved(f function, e expr) expr {
	if len(e) != 1 || e[0].kind != word {
		return e
	}
	name := s.of(e[0].Span)
	given, ok := f.values[name]
	if !ok {
		given = s.globals()[name]
	}
	if len(given) != 1 || len(given[0]) == 0 {
		return e
	}
	return given[0]
}

// globals is what the variables of the file are given.
func (s *source) globals() map[string][]expr {
	if s.constants == nil {
		f := function{values: map[string][]expr{}}
		for _, st := range s.statements {
			if st.parent < 0 && !s.is(st.expr, 0, "for", "async") {
				s.assigned(&f, st.expr)
			}
		}
		s.constants = f.values
	}
	return s.constants
}
