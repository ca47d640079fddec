package shell

import (
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
	"github.com/git-tdd/git-tdd/testrun/scan"
)

// checks finds what decides whether the tests of a file pass: in bats that is every
// command, because the first one that fails ends its test.
func checks(content string, _ gates.Kind) []syntax.Check {
	f := &finder{text: content, functions: functions(content), helpers: map[string]bool{}}
	for range 2 { // the second time it is known what helpers there are
		f.out = nil
		for _, f.fn = range f.functions {
			f.function()
		}
	}
	return f.out
}

// finder collects the checks of a file.
type finder struct {
	text      string
	functions []function
	helpers   map[string]bool // functions of the file, no tests, that check something
	fn        function        // the one under way
	out       []syntax.Check
}

// function is a test or a function.
type function struct {
	name  string
	test  bool
	body  syntax.Span // with its head and its last line
	lines []scan.Line // the statements within
}

// statements cuts a text into its commands.
func statements(text string) []scan.Line {
	bare, masked := mask(text)
	return scan.Lines(bare, scan.OpenBlocks(masked), func(line, _ string) bool {
		return strings.HasSuffix(line, `\`) || strings.HasSuffix(line, "|") || strings.HasSuffix(line, "&&") || strings.HasSuffix(line, "||")
	})
}

var headPattern = lazyregexp.New(`^[ \t]*(?:function[ \t]+([\w:-]+)(?:[ \t]*\(\))?|([\w:-]+)[ \t]*\(\))[ \t]*\{?`)

// functions lists the tests and functions of a file. One ends at the first brace that
// stands alone and no deeper than its head.
func functions(text string) []function {
	var out []function
	open := false
	for _, line := range statements(text) {
		if open {
			fn := &out[len(out)-1]
			fn.body.End = line.Start + len(line.Masked)
			if open = strings.TrimSpace(line.Masked) != "}" || line.Indent > fn.indent(text); open {
				fn.lines = append(fn.lines, line)
			}
			continue
		}
		name, test := headOf(text[line.Start:line.Start+len(line.Masked)], line.Masked)
		if name == "" {
			continue
		}
		fn := function{name: name, test: test, body: syntax.Span{Start: line.Start, End: line.Start + len(line.Masked)}}
		if from, to := strings.IndexByte(line.Masked, '{'), strings.LastIndexByte(line.Masked, '}'); from >= 0 && from < to { // all on one line
			inner := line.Masked[from+1 : to]
			indent := len(inner) - len(strings.TrimLeft(inner, " \t"))
			fn.lines = []scan.Line{{Bare: strings.TrimRight(line.Bare[from+1:to], "; \t"), Masked: strings.TrimRight(inner, "; \t"), Start: line.Start + from + 1, Indent: indent}}
		} else {
			open = true
		}
		out = append(out, fn)
	}
	return out
}

// indent is how far the head of a function is indented.
func (f function) indent(text string) int {
	head := text[f.body.Start:]
	return len(head) - len(strings.TrimLeft(head, " \t\n"))
}

// headOf is the name of the test or function that a line begins.
func headOf(line, masked string) (name string, test bool) {
	if names := declared(line); len(names) > 0 {
		return names[0], true
	}
	hit := headPattern.FindStringSubmatch(masked)
	if hit == nil {
		return "", false
	}
	return hit[1] + hit[2], false
}

// function notes the checks of the function under way.
func (f *finder) function() {
	if f.fn.test {
		f.add(syntax.Check{At: syntax.Span{Start: f.fn.body.Start, End: f.fn.body.Start}}) // where it is, if it has no check
	}
	from := len(f.out)
	last := -1 // a command like any other
	for i, line := range f.fn.lines {
		at := syntax.Span{Start: line.Start + line.Indent, End: line.Start + len(strings.TrimRight(line.Bare, "; \t\n"))}
		if at.End > at.Start && f.statement(at, line.Masked[line.Indent:at.End-line.Start], i == len(f.fn.lines)-1) {
			last = len(f.out) - 1
		}
	}
	found := f.out[from:]
	if !f.fn.test && len(found) > 0 {
		f.helpers[f.fn.name] = true
	}
	if slices.ContainsFunc(found, func(c syntax.Check) bool { return !c.Guard }) {
		return
	}
	succeeds := false
	for i := range found { // the status of what it calls is all that it checks
		if found[i].Guard = !f.succeeds(found[i].At); !found[i].Guard {
			succeeds = true
		}
	}
	if last >= 0 && !succeeds {
		f.out[last].Guard = false
	}
}

// succeeds reports whether a check asks whether what was run ended well.
func (f *finder) succeeds(at syntax.Span) bool {
	return successPattern.MatchString(f.text[at.Start:at.End])
}

var successPattern = lazyregexp.New(`^(?:\[\[?|test) +"?\$\{?status\}?"? +(?:-eq|==?) +0(?: +\]|$)|^\(\( *\$?status *== *0 *\)\)|^assert_success\b`)

// add adds a check of the function under way.
func (f *finder) add(c syntax.Check) {
	c.Body, c.Unit = f.fn.body, f.fn.name+"@"+strconv.Itoa(f.fn.body.Start)
	if f.fn.test {
		c.Test = f.fn.name
	}
	f.out = append(f.out, c)
}

var (
	// What frames, prepares or ends a test decides nothing.
	framePattern = lazyregexp.New(`^(?:if|elif|else|fi|for|while|until|case|esac|select|do|done|then|function|local|declare|typeset|export|readonly|unset|shift|` +
		`return|exit|break|continue|set|shopt|trap|source|load|skip|cd|pushd|popd|mkdir|touch|cp|mv|rm|ln|chmod|chown|install|echo|printf|sleep|true|read|eval|exec|` +
		`wait|kill|alias|umask|tee|cat|run|setup\w*|teardown\w*|bats_\w+|common_\w+)(?:[ \t;]|$)|^[:.][ \t]|^[{}()]|^:$|^\w+(?:\[[^\]]*\])?\+?=|[{(]$|;;|^[^\s(]*\)|\bskip\b`)
	checkPattern       = lazyregexp.New(`^(?:!|\[\[?|test|[ef]?grep|diff|cmp|(?:assert|refute)\w*)[ \t]|^(?:assert|refute)\w*$|^\(\(|\|[ \t]*(?:[ef]?grep|diff|cmp)[ \t]`)
	statusCheckPattern = lazyregexp.New(`^run[ \t](?:.*?[ \t])??(?:-(\d+)|(!))(?:[ \t]|$)`)
	callPattern        = lazyregexp.New(`^([\w:-]+)(?:[ \t]|$)`)
)

// statement notes the check that a command is. plain says that it is a command like
// any other, whose failure would end the test.
func (f *finder) statement(at syntax.Span, masked string, last bool) (plain bool) {
	c := syntax.Check{At: at}
	document := strings.Contains(masked, "<<") && !strings.Contains(masked, "<<<")
	if !document {
		c.Negated = syntax.Around(at, "if ", "; then false; fi") // after "!", errexit would not count
	}
	call := callPattern.FindStringSubmatch(masked)
	switch {
	case strings.HasPrefix(masked, "!") && !last: // errexit does not count it
		return false
	case statusCheckPattern.MatchString(masked):
		f.status(c, masked)
		return false
	case checkPattern.MatchString(masked) && !strings.Contains(masked, "skip"):
		c.Guard = f.succeeds(at)
		if c.Altered = f.altered(at, masked); document {
			c.Altered = f.document(at)
		}
	case framePattern.MatchString(masked):
		return false
	case call != nil && f.helpers[call[1]]:
		if c.Call, c.Altered = true, f.lastOf(words(at.Start, masked)[1:]); c.Altered == nil {
			return false
		}
	default:
		c.Guard, plain = true, true
	}
	if c.Altered != nil || c.Negated != nil {
		f.add(c)
		return plain
	}
	return false
}

// status notes a call of run that says with which status the command is to end.
func (f *finder) status(c syntax.Check, masked string) {
	hit := statusCheckPattern.FindStringSubmatchIndex(masked)
	c.Negated = nil
	if hit[2] >= 0 {
		number := syntax.Span{Start: c.At.Start + hit[2], End: c.At.Start + hit[3]}
		c.Altered = f.literal(number, syntax.Other)
	} else {
		c.Negated = []syntax.Edit{{Span: syntax.Span{Start: c.At.Start + hit[4], End: c.At.Start + hit[5]}, Text: "-0"}}
	}
	f.add(c)
}
