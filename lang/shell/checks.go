package shell

import (
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/scan"
)

var (
	checkPattern   = lazyregexp.New(`^(?:!|\[\[?|\(\(|(?:test|assert\w*|refute\w*|grep|egrep|diff|cmp|fail)\b|run +(?:-\d+|!)(?:\s|$))|\|\s*grep\b`)
	successPattern = lazyregexp.New(`^\[\[? +"?\$\{?status\}?"? +(?:-eq|=|==) +0 +\]|^\(\( *status *== *0 *\)\)|^assert_success\b`)
	openerPattern  = lazyregexp.New(`^(?:if|elif|else|fi|for|while|until|case|esac|do|done|then|function|return|exit|skip|load|source|\.|local|export|declare|readonly|setup|cd|[\w:-]+ *\(\)|[}{])(?:\W|$)`)
	givesPattern   = lazyregexp.New(`^\w+\+?=`)
	comparePattern = lazyregexp.New(` (=~|==?|-eq|-lt|-le|-gt|-ge|<|>) +`)
	exitPattern    = lazyregexp.New(`^run +-(\d+)`)
	numberPattern  = lazyregexp.New(`^-?\d+$`)
)

// checks finds what decides whether the tests of a file pass. Each command may: a test
// without any that compares is decided by its last.
func checks(test string, _ gates.Kind) []testrun.Check {
	f := finder{src: test}
	f.bare, f.masked = mask(test)
	var out []testrun.Check
	blocks := f.blocks()
	for _, b := range blocks {
		if b.function != "" {
			f.functions = append(f.functions, b.function)
		}
	}
	for _, b := range blocks {
		out = append(out, f.block(b)...)
	}
	return out
}

// finder collects the checks of a file.
type finder struct {
	src, bare, masked string
	functions         []string // that the file has
}

// block is a test, or a function.
type block struct {
	test     string // its name if it is a test
	function string // its name if it is none
	body     testrun.Span
}

var functionPattern = lazyregexp.New(`(?m)^[ \t]*(?:function[ \t]+)?([\w:-]+)[ \t]*(?:\(\))[ \t]*\{`)

// blocks are the tests and the functions of a file, by their places.
func (f finder) blocks() []block {
	var out []block
	add := func(test, function string, at, open int) {
		out = append(out, block{test, function, testrun.Span{Start: at, End: f.end(open)}})
	}
	for _, at := range testPattern.FindAllStringSubmatchIndex(f.masked, -1) {
		for i := 2; i < len(at); i += 2 {
			if at[i] >= 0 {
				add(strings.TrimSpace(scan.Unquoted(f.src[at[i]:at[i+1]])), "", at[0], at[1])
			}
		}
	}
	tests := testFunctionPattern.FindAllStringSubmatchIndex(f.src, -1)
	for _, at := range tests {
		add(f.src[at[2]:at[3]], "", at[0], at[0]+strings.IndexByte(f.src[at[0]:at[1]], '{')+1)
	}
	for _, at := range functionPattern.FindAllStringSubmatchIndex(f.masked, -1) {
		if !slices.ContainsFunc(tests, func(t []int) bool { return t[0] == at[0] }) {
			add("", f.src[at[2]:at[3]], at[0], at[1])
		}
	}
	return out
}

// end is where the block ends whose contents begin at a place: at a line that is a
// closing brace, indented no more than the line that opens it.
func (f finder) end(open int) int {
	start := 1 + strings.LastIndexByte(f.masked[:open], '\n')
	first := f.masked[start:open]
	indent := len(first) - len(strings.TrimLeft(first, " \t"))
	for at := open; at < len(f.masked); {
		size := scan.UpTo(f.masked[at:], "\n")
		line := f.masked[at : at+size]
		if rest := strings.TrimLeft(line, " \t"); strings.HasPrefix(rest, "}") && len(line)-len(rest) <= indent {
			return at
		}
		at = min(at+size+1, len(f.masked))
	}
	return len(f.masked)
}

// block lists the checks of a test or a function.
func (f finder) block(b block) []testrun.Check {
	inside := testrun.Span{Start: b.body.Start + 1 + strings.IndexByte(f.masked[b.body.Start:b.body.End], '\n'), End: b.body.End}
	if inside.Start <= b.body.Start {
		return nil
	}
	var out []testrun.Check
	var last testrun.Check
	for _, line := range scan.Lines(f.bare[inside.Start:inside.End], scan.OpenBlocks(f.masked[inside.Start:inside.End]), goesOn) {
		trimmed := strings.TrimSpace(line.Masked)
		start := inside.Start + line.Start + line.Indent
		c := f.statement(trimmed, testrun.Span{Start: start, End: start + len(trimmed)})
		if len(c.Altered)+len(c.Negated) == 0 {
			continue
		}
		c.Test, c.Unit, c.Body = b.test, b.test+"@"+strconv.Itoa(b.body.Start), b.body
		if last = c; c.Call || checkPattern.MatchString(trimmed) {
			out = append(out, c)
		}
	}
	if len(out) == 0 && b.test != "" && len(last.Negated) > 0 {
		out = append(out, last)
	}
	if !slices.ContainsFunc(out, func(c testrun.Check) bool { return !c.Guard }) {
		for i := range out {
			out[i].Guard = false // its status is what the test is about
		}
	}
	return out
}

// statement is what a statement checks.
func (f finder) statement(trimmed string, at testrun.Span) testrun.Check {
	c := testrun.Check{At: at, Guard: successPattern.MatchString(f.bare[at.Start:at.End])}
	name := trimmed[:wordSize(trimmed)]
	switch {
	case openerPattern.MatchString(trimmed) || givesPattern.MatchString(trimmed) && !strings.Contains(trimmed, " "):
	case slices.Contains(f.functions, name):
		c.Call, c.Altered = true, f.written(testrun.Span{Start: at.Start + len(name), End: at.End})
	case name == "run":
		if hit := exitPattern.FindStringSubmatchIndex(trimmed); hit != nil {
			number := testrun.Span{Start: at.Start + hit[2], End: at.Start + hit[3]}
			c.Altered = []testrun.Edit{{Span: number, Text: shifted(f.src[number.Start:number.End])}}
		} else if strings.HasPrefix(trimmed, "run !") {
			c.Negated = []testrun.Edit{{Span: testrun.Span{Start: at.Start, End: at.Start + len("run !")}, Text: "run -0"}}
		}
	case strings.Contains(trimmed, "<<") && !strings.Contains(trimmed, "<<<"):
		c.Altered = f.document(at)
	default:
		c.Altered = f.altered(at, trimmed)
		c.Negated = testrun.Around(at, "if ", "; then false; fi")
	}
	return c
}

// goesOn reports whether a statement goes on behind a line.
func goesOn(line, _ string) bool {
	return strings.HasSuffix(line, `\`) || strings.HasSuffix(line, "|") || strings.HasSuffix(line, "&&")
}

// altered alters the value that a statement compares with, if it is written out.
func (f finder) altered(at testrun.Span, trimmed string) []testrun.Edit {
	if strings.HasPrefix(trimmed, "!") || strings.HasPrefix(trimmed, "refute") {
		return nil
	}
	if hit := comparePattern.FindStringSubmatchIndex(trimmed); hit != nil {
		way := map[string]testrun.Way{"-lt": testrun.Down, "-le": testrun.Down, "<": testrun.Down, "-gt": testrun.Up, "-ge": testrun.Up, ">": testrun.Up}[trimmed[hit[2]:hit[3]]]
		if trimmed[hit[2]:hit[3]] == "=~" {
			return f.expression(at.Start + hit[1])
		}
		return f.word(at.Start+hit[1], at.End, way)
	}
	if !strings.HasPrefix(trimmed, "assert") || strings.HasPrefix(trimmed, "assert_success") {
		return nil
	}
	return f.written(testrun.Span{Start: at.Start + scan.UpTo(trimmed, " "), End: at.End})
}

// written alters the first of some words that is written out, and no option.
func (f finder) written(at testrun.Span) []testrun.Edit {
	for from := at.Start; from < at.End; {
		for from < at.End && f.masked[from] == ' ' {
			from++
		}
		size := wordSize(f.masked[from:at.End])
		if edits := f.word(from, at.End, testrun.Other); edits != nil && f.masked[from] != '-' {
			return edits
		}
		from += max(1, size)
	}
	return nil
}

// wordSize is how long the word is that a masked text begins with.
func wordSize(masked string) int {
	return len(masked) - len(strings.TrimLeftFunc(masked, func(r rune) bool { return !strings.ContainsRune(" \t\n;&|])", r) }))
}

// word alters the word at a place, if it is written out.
func (f finder) word(start, end int, to testrun.Way) []testrun.Edit {
	at := testrun.Span{Start: start, End: start + wordSize(f.masked[start:end])}
	text := f.src[at.Start:at.End]
	switch {
	case text == "" || strings.ContainsAny(text, "$`"):
		return nil
	case numberPattern.MatchString(text) && to == testrun.Down:
		return []testrun.Edit{{Span: at, Text: "-99999999"}}
	case numberPattern.MatchString(text) && to == testrun.Up:
		return []testrun.Edit{{Span: at, Text: "99999999"}}
	case numberPattern.MatchString(text):
		return []testrun.Edit{{Span: at, Text: shifted(text)}}
	case len(text) > 1 && strings.ContainsAny(text[:1], `"'`) && text[len(text)-1] == text[0]:
		inner := text[1 : len(text)-1]
		if numberPattern.MatchString(inner) {
			return []testrun.Edit{{Span: testrun.Span{Start: at.Start + 1, End: at.End - 1}, Text: shifted(inner)}}
		}
		return []testrun.Edit{{Span: testrun.Span{Start: at.End - 1, End: at.End - 1}, Text: "~tdd"}}
	}
	return []testrun.Edit{{Span: testrun.Span{Start: at.End, End: at.End}, Text: "~tdd"}}
}

// expression alters the regular expression at a place, so that nothing matches it.
func (f finder) expression(at int) []testrun.Edit {
	if at < len(f.src) && strings.IndexByte(`"'`, f.src[at]) >= 0 {
		at++
	}
	return []testrun.Edit{{Span: testrun.Span{Start: at, End: at}, Text: "tdd~"}}
}

// shifted is another number.
func shifted(number string) string {
	n, err := strconv.Atoi(number)
	if err != nil {
		return number + "41"
	}
	return strconv.Itoa(n + 41)
}

// document alters the first line of a here-document.
func (f finder) document(at testrun.Span) []testrun.Edit {
	line := strings.IndexByte(f.src[at.Start:at.End], '\n')
	if line < 0 {
		return nil
	}
	begin := at.Start + line + 1
	return []testrun.Edit{{Span: testrun.Span{Start: begin, End: begin}, Text: "~tdd"}}
}
