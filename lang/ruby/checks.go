package ruby

import (
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
	"github.com/git-tdd/git-tdd/testrun/scan"
)

// finder collects the checks of a file.
type finder struct {
	text, masked string
	lines        []scan.Line
	helpers      map[string]bool // methods of the file that check something
	fn           frame           // the test or helper under way
	out          []syntax.Check
}

// frame is a test, or a method that is none.
type frame struct {
	test   string // as Declared has it; empty for a helper
	indent int
	body   syntax.Span
}

// checks finds what decides whether the tests of a file pass.
func checks(content string, _ gates.Kind) []syntax.Check {
	_, masked := mask(content)
	f := &finder{text: content, masked: masked, lines: statements(content), helpers: map[string]bool{}}
	f.find()
	for _, c := range f.out {
		if method := methodNamePattern.FindStringSubmatch(content[c.Body.Start:c.Body.End]); c.Test == "" && method != nil {
			f.helpers[method[1]] = true
		}
	}
	if len(f.helpers) > 0 {
		f.out, f.fn = nil, frame{}
		f.find() // now that it is known what helpers there are
	}
	return f.out
}

// find finds the checks of all tests and helpers.
func (f *finder) find() {
	for i, line := range f.lines {
		if line.Start >= f.fn.body.End {
			f.fn = frame{}
		}
		if name, isTest := testName(line); isTest || f.fn.body.End == 0 && helperPattern.MatchString(line.Masked) {
			f.fn = frame{test: name, indent: line.Indent, body: f.body(i)}
			if isTest {
				f.add(syntax.Check{At: syntax.Span{Start: f.fn.body.Start, End: f.fn.body.Start}}) // where it is, if it has no check
			}
		}
		if f.fn.body.End > 0 {
			f.statement(line)
		}
	}
}

var (
	methodNamePattern = lazyregexp.New(`^\s*(?:\w+ +)?def +(?:self\.)?(\w+[?!]?)`)
	callPattern       = lazyregexp.New(`^\s*(\w+[?!]?)[ (]`)
)

var helperPattern = lazyregexp.New(`^\s*(?:\w+ +)?def +|^\s*(?:before|after|around|setup|teardown)\b`)

// testName is the name of the test that a line begins, as Declared has it.
func testName(line scan.Line) (string, bool) {
	names := declared(line.Bare)
	if len(names) == 0 {
		return "", false
	}
	return names[0], true
}

// body is the text of the block that a line begins: what is indented more, and the
// line that closes it.
func (f *finder) body(index int) syntax.Span {
	first := f.lines[index]
	out := syntax.Span{Start: first.Start, End: first.Start + len(first.Masked)}
	for _, line := range f.lines[index+1:] {
		if line.Indent <= first.Indent && !blockEndPattern.MatchString(line.Masked) || line.Indent < first.Indent {
			break
		}
		out.End = line.Start + len(line.Masked)
		if line.Indent == first.Indent {
			break
		}
	}
	return out
}

var blockEndPattern = lazyregexp.New(`^\s*(?:end\b|\}|rescue\b|ensure\b)`)

// add adds a check of the test or helper under way.
func (f *finder) add(c syntax.Check) {
	c.Test, c.Unit, c.Body = f.fn.test, f.fn.test+"@"+strconv.Itoa(f.fn.body.Start), f.fn.body
	f.out = append(f.out, c)
}

var (
	assertPattern  = lazyregexp.New(`(?:^|[\s{(;|])((?:assert|refute)(?:_\w+)?[?!]?)(?:\(|[ \t]|$)`)
	expectsPattern = lazyregexp.New(`\.((?:must|wont)_\w+)[ (]?|(?:\.|\b)(to|not_to|to_not|should|should_not)[ (]`)
)

// statement finds the checks of a statement.
func (f *finder) statement(line scan.Line) {
	end := line.Start + len(line.Masked)
	if hit := assertPattern.FindStringSubmatchIndex(line.Masked); hit != nil {
		f.assertion(syntax.Span{Start: line.Start + hit[2], End: line.Start + hit[3]}, end)
		return
	}
	if call := callPattern.FindStringSubmatchIndex(line.Masked); call != nil && f.helpers[line.Masked[call[2]:call[3]]] {
		c := syntax.Check{Call: true, At: syntax.Span{Start: line.Start + call[2], End: end}}
		if c.Altered, c.Values = f.firstOf(f.arguments(line.Start+call[3], end)); c.Altered != nil {
			f.add(c)
		}
		return
	}
	hit := expectsPattern.FindStringSubmatchIndex(line.Masked)
	switch {
	case hit == nil:
	case hit[2] >= 0:
		f.must(syntax.Span{Start: line.Start + hit[2], End: line.Start + hit[3]}, end)
	case strings.Contains(line.Masked, "expect") || strings.Contains(line.Masked, "end.") || strings.Contains(line.Masked, "}.") || strings.Contains(line.Masked, "should"):
		f.matcher(syntax.Span{Start: line.Start + hit[4], End: line.Start + hit[5]}, end)
	}
}

// read is a part of the text.
func (f *finder) read(at syntax.Span) string { return f.text[at.Start:at.End] }

// arguments are those of a call whose name ends at a place, in brackets or not.
func (f *finder) arguments(at, end int) []syntax.Span {
	if at < end && f.masked[at] == '(' {
		return f.split(at+1, min(end, scan.Closing(f.masked, at))-1)
	}
	if cut := argumentsEndPattern.FindStringIndex(f.masked[at:end]); cut != nil {
		end = at + cut[0]
	}
	return f.split(at, end)
}

var argumentsEndPattern = lazyregexp.New(`\s(?:do\b|if\b|unless\b|\{\s*\|)|;`)

// split divides a part of the text at its outermost commas.
func (f *finder) split(start, end int) []syntax.Span {
	var out []syntax.Span
	add := func(from, to int) {
		for from < to && strings.IndexByte(" \t\n", f.masked[from]) >= 0 {
			from++
		}
		for from < to && strings.IndexByte(" \t\n", f.masked[to-1]) >= 0 {
			to--
		}
		if from < to {
			out = append(out, syntax.Span{Start: from, End: to})
		}
	}
	from := start
	for at := start; at < end; {
		switch f.masked[at] {
		case '(', '[', '{':
			at = scan.Closing(f.masked, at)
			continue
		case ',':
			add(from, at)
			from = at + 1
		}
		at++
	}
	add(from, max(from, end))
	return out
}

// negation turns a condition round.
func negation(at syntax.Span) []syntax.Edit {
	return []syntax.Edit{
		{Span: syntax.Span{Start: at.Start, End: at.Start}, Text: "!("},
		{Span: syntax.Span{Start: at.End, End: at.End}, Text: ")"},
	}
}

// assertion notes an assertion of minitest or test-unit.
func (f *finder) assertion(name syntax.Span, end int) {
	args := f.arguments(name.End, end)
	c := syntax.Check{At: syntax.Span{Start: name.Start, End: end}}
	if len(args) == 0 {
		return
	}
	switch called := f.read(name); called {
	case "assert", "assert_true", "refute", "assert_not", "assert_false":
		if called == "assert" || called == "assert_true" {
			c.Altered, c.Values = f.compared(args[0])
		}
		c.Negated = negation(args[0])
	case "assert_equal", "assert_in_delta", "assert_in_epsilon", "assert_same":
		c.Altered, c.Values = f.firstOf(args[:min(2, len(args))])
		c.Negated = another(f, args[0])
	case "assert_raises", "assert_raise":
		for _, class := range args {
			c.Altered = append(c.Altered, f.noError(class)...)
		}
	case "assert_includes":
		if len(args) > 1 {
			c.Altered, c.Values = f.altered(args[1], syntax.Other)
		}
		c.Negated = f.renamed(name)
	default:
		c.Negated = f.renamed(name)
	}
	c.Guard = f.read(name) == "refute_nil" || f.read(name) == "assert_not_nil"
	f.add(c)
}

// firstOf alters the first of some arguments that is written out.
func (f *finder) firstOf(args []syntax.Span) ([]syntax.Edit, []syntax.Span) {
	for _, a := range args {
		if edits, values := f.altered(a, syntax.Other); edits != nil {
			return edits, values
		}
	}
	return nil, nil
}

// noError is a class in the place of one of errors, which nothing raises.
func (f *finder) noError(class syntax.Span) []syntax.Edit {
	if text := f.read(class); text[0] < 'A' || text[0] > 'Z' {
		return nil
	}
	return []syntax.Edit{{Span: class, Text: "Class.new(StandardError)"}}
}

// renamed turns an assertion into its contrary.
func (f *finder) renamed(name syntax.Span) []syntax.Edit {
	called := f.read(name)
	for _, pair := range [][2]string{{"assert_not_", "assert_"}, {"refute_", "assert_"}, {"assert_", "refute_"}, {"must_", "wont_"}, {"wont_", "must_"}} {
		if rest, ok := strings.CutPrefix(called, pair[0]); ok && !slices.Contains([]string{"silent", "output", "throws", "raise", "raises", "mock"}, rest) {
			return []syntax.Edit{{Span: name, Text: pair[1] + rest}}
		}
	}
	return nil
}

// must notes an expectation of minitest's.
func (f *finder) must(name syntax.Span, end int) {
	c := syntax.Check{At: syntax.Span{Start: name.Start, End: end}, Negated: f.renamed(name)}
	args := f.arguments(name.End, end)
	switch called := f.read(name); {
	case len(args) == 0 || strings.HasPrefix(called, "wont"):
	case called == "must_raise":
		c.Altered = f.noError(args[0])
	default:
		c.Altered, c.Values = f.altered(args[0], syntax.Other)
	}
	f.add(c)
}

// compared alters what a condition compares with.
func (f *finder) compared(cond syntax.Span) ([]syntax.Edit, []syntax.Span) {
	masked := f.masked[cond.Start:cond.End]
	hit := comparisonPattern.FindStringSubmatchIndex(masked)
	if hit == nil {
		return nil, nil
	}
	left := syntax.Span{Start: cond.Start, End: cond.Start + hit[2] - 1}
	right := syntax.Span{Start: cond.Start + hit[3] + 1, End: cond.End}
	toLeft, toRight := syntax.Other, syntax.Other
	switch masked[hit[2]] {
	case '<':
		toLeft, toRight = syntax.Up, syntax.Down
	case '>':
		toLeft, toRight = syntax.Down, syntax.Up
	}
	if edits, values := f.altered(right, toRight); edits != nil {
		return edits, values
	}
	return f.altered(left, toLeft)
}

var comparisonPattern = lazyregexp.New(`^[^&|?]*? (==|<=?|>=?) [^&|?]*$`)

var (
	raisePattern    = lazyregexp.New(`^\s*\(?\s*raise_error[ (]+([A-Z][\w:]*)`)
	ofPattern       = lazyregexp.New(`\.(?:of|by|by_at_least|by_at_most|with|to)[ (]`)
	relationPattern = lazyregexp.New(`^\s*be\s*(<=?|>=?|==)\s*`)
	matcherPattern  = lazyregexp.New(`^\s*\(?\s*(?:eq|eql|equal|be|include|start_with|end_with|match_array|contain_exactly|match|have_attributes|output|have_key|have_value|be_between|cover)[ (]`)
)
