package rust

import (
	"strconv"

	"github.com/git-tdd/git-tdd/testrun"
)

// binding notes what a let or a const at i gives to a name.
func (f *checkFinder) binding(i int, values map[string][]expr) {
	at := i + 1
	if f.is(at, "mut") {
		at++
	}
	stop := at
	for stop < len(f.tokens) && !f.is(stop, ";") && !f.operator(stop, "=") && !f.closes(stop) {
		stop = f.next(stop)
	}
	if !f.is(stop, "=") || stop != at+1 && !f.is(at+1, ":") {
		return
	}
	end := f.find(expr{stop + 1, len(f.tokens)}, ";")
	if end > 0 {
		values[f.text(at)] = append(values[f.text(at)], expr{stop + 1, end})
	}
}

// loop notes what the variables of a for get from a table that is written out.
func (f *checkFinder) loop(i int) {
	in := f.find(expr{i + 1, len(f.tokens)}, "in")
	if in < 0 {
		return
	}
	open := f.find(expr{in + 1, len(f.tokens)}, "{")
	if open < 0 {
		return
	}
	rows := f.table(expr{in + 1, open})
	pattern := f.core(expr{i + 1, in})
	if f.is(pattern.from, "(") {
		for column, name := range f.split(expr{pattern.from + 1, pattern.to - 1}, ",") {
			name = f.core(name)
			if name.to == name.from+1 {
				f.column(f.text(name.from), rows, column)
			}
		}
		return
	}
	if pattern.to == pattern.from+1 {
		f.rows[f.text(pattern.from)] = rows
	}
}

// table lists the rows of a table: in place, or where a variable gets it.
func (f *checkFinder) table(e expr) []expr {
	e = f.core(e)
	if given := f.given(f.text(e.from)); e.to == e.from+1 && len(given) == 1 {
		e = f.core(given[0])
	}
	if f.is(e.from, "vec") && f.is(e.from+1, "!") {
		e.from += 2
	}
	if f.is(e.from, "[") && f.group(e.from) == e.to {
		return f.split(expr{e.from + 1, e.to - 1}, ",")
	}
	return nil
}

// column notes that a variable gets a column of some rows.
func (f *checkFinder) column(name string, rows []expr, column int) {
	for _, row := range rows {
		if row = f.core(row); !f.is(row.from, "(") {
			continue
		}
		if values := f.split(expr{row.from + 1, row.to - 1}, ","); column < len(values) {
			f.cells[name] = append(f.cells[name], values[column])
		}
	}
}

// cell alters a field of the rows that a variable goes through.
func (f *checkFinder) cell(name, field string) []testrun.Edit {
	rows := f.rows[name]
	if given := f.values[name]; rows == nil && len(given) == 1 {
		rows = given
	}
	var values []expr
	for _, row := range rows {
		if e, ok := f.fieldOf(f.core(row), field); ok {
			values = append(values, e)
		}
	}
	return f.each(values)
}

// fieldOf is the value that a row gives a field: by its name or its number.
func (f *checkFinder) fieldOf(row expr, field string) (expr, bool) {
	open := row.from
	for open < row.to && !f.opens(open) {
		open++
	}
	if open >= row.to || f.group(open) != row.to {
		return expr{}, false
	}
	values := f.split(expr{open + 1, row.to - 1}, ",")
	if n, err := strconv.Atoi(field); err == nil {
		if n < len(values) && f.is(open, "(") {
			return values[n], true
		}
		return expr{}, false
	}
	for _, e := range values {
		if f.is(e.from, field) && f.is(e.from+1, ":") && f.is(open, "{") {
			return expr{e.from + 2, e.to}, true
		}
	}
	return expr{}, false
}

// cases notes what the parameters of a test get from its attributes: from
// #[case(…)], and from #[test_case(…; "name")], whose name would otherwise tell the
// values. What follows => in that is a check by itself.
func (f *checkFinder) cases(fn function) {
	params := f.split(fn.params, ",")
	for _, a := range fn.attributes {
		open := f.find(a, "(")
		if open < 0 {
			continue
		}
		inner := expr{open + 1, f.group(open) - 1}
		switch {
		case f.is(a.from, "case"):
			f.parameters(params, f.split(inner, ","))
		case f.is(open-1, "test_case"):
			if named := f.split(inner, ";"); len(named) == 2 {
				sides := f.split(named[0], "=>")
				f.parameters(params, f.split(sides[0], ","))
				if result := sides[len(sides)-1]; len(sides) == 2 && f.literalEnd(f.core(result).from) == result.to {
					f.note(result, f.altered(result), nil)
				}
			}
		}
	}
}

// parameters notes the values that those of a test get.
func (f *checkFinder) parameters(params, values []expr) {
	k := 0
	for _, p := range params {
		colon := f.find(p, ":")
		if colon < 1 || k >= len(values) || f.is(p.from, "#") && !f.is(p.from+2, "case") {
			continue
		}
		f.cells[f.text(colon-1)] = append(f.cells[f.text(colon-1)], values[k])
		k++
	}
}
