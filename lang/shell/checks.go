package shell

import (
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
)

// checks finds what decides whether the tests of a file pass: in bats that is every
// command, because the first one that fails ends its test.
func checks(content string, _ gates.Kind) []syntax.Check {
	f := &finder{Finder: page().Finder(content)}
	for range 2 { // the second time it is known what helpers there are
		f.Out = nil
		for _, fn := range functions(f.Tree) {
			f.unheard = nil
			f.function(fn)
			for _, c := range f.unheard {
				f.Add(c)
			}
		}
	}
	return f.Out
}

// finder collects the checks of a file.
type finder struct {
	*syntax.Finder
	unheard []syntax.Check // of the function under way: their status decides nothing
}

// function notes the checks of a test or a function.
func (f *finder) function(fn syntax.Function) {
	f.Test, f.Body = fn.Test, f.Span(fn.Head)
	f.Unit = fn.Name + "@" + strconv.Itoa(f.Body.Start)
	if fn.Test != "" {
		f.Add(syntax.Check{At: syntax.Span{Start: f.Body.Start, End: f.Body.Start}}) // where it is, if it has no check
	}
	from := len(f.Out)
	last := -1 // a command like any other
	for _, line := range f.Lines(fn.Body) {
		final := line.To == fn.Body.To
		for f.Is(line.To-1, ";", ";;") {
			line.To--
		}
		if !line.Empty() && f.statement(line, final) {
			last = len(f.Out) - 1
		}
	}
	found := f.Out[from:]
	if fn.Test == "" && len(found) > 0 {
		f.Helpers[fn.Name] = true
	}
	if slices.ContainsFunc(found, func(c syntax.Check) bool { return !c.Guard }) {
		return
	}
	succeeds := false
	for i := range found { // the status of what it calls is all that it checks
		found[i].Guard = !successPattern.MatchString(f.Text[found[i].At.Start:found[i].At.End])
		succeeds = succeeds || !found[i].Guard
	}
	if last >= 0 && !succeeds {
		f.Out[last].Guard = false
	}
}

var (
	// successPattern is a check of whether what was run ended well.
	successPattern = lazyregexp.New(`^(?:\[\[?|test) +"?\$\{?status\}?"? +(?:-eq|==?) +0(?: +\]|$)|^\(\( *\$?status *== *0 *\)\)|^assert_success\b`)
	// What frames, prepares or ends a test decides nothing.
	framePattern = lazyregexp.New(`(?s)^(?:if|elif|else|fi|for|while|until|case|esac|select|do|done|then|function|local|declare|typeset|export|readonly|unset|shift|` +
		`return|exit|break|continue|set|shopt|trap|source|load|skip|cd|pushd|popd|mkdir|touch|cp|mv|rm|ln|chmod|chown|install|echo|printf|sleep|true|read|eval|exec|` +
		`wait|kill|alias|umask|tee|cat|run|setup\w*|teardown\w*|bats_\w+|common_\w+|[:.{}()]|\w+(?:\[[^\]]*\])?\+?=.*)$`)
	checkPattern = lazyregexp.New(`^(?:!|\[\[?|test|[ef]?grep|diff|cmp|(?:assert|refute)\w*)$`)
	statePattern = lazyregexp.New(`^-\d+$`)
	denyPattern  = lazyregexp.New(`^-\w*[vL]\w*$`)
)

// statement notes the check that a command is. It reports whether that is a command like
// any other, whose failure would end the test.
func (f *finder) statement(e syntax.Expr, last bool) (plain bool) {
	c := syntax.Check{At: f.Span(e)}
	document := f.document(e)
	if document == nil {
		c.Negated = f.Wrap(e, "if ", "; then false; fi") // after "!", errexit would not count
	}
	search := f.search(e)
	skips := f.has(e, "skip")
	switch first := f.Word(e.From); {
	case first == "!" && !last:
		f.ignored(e)
		return false
	case first == "run":
		c.Altered, c.Negated = f.state(e)
	case (search > 0 || f.Is(e.From, "(") && f.Is(e.From+1, "(") && f.Adjacent(e.From+1) || checkPattern.MatchString(first)) && !skips:
		c.Guard = successPattern.MatchString(f.Source(e))
		if c.Altered = document; document == nil {
			c.Altered = f.altered(e, search)
		}
	case framePattern.MatchString(first), skips, f.Is(e.To-1, "{", "("), f.has(e, ";;"), f.Is(e.From+1, ")"):
		return false
	case f.Helpers[first]:
		if c.Call, c.Altered = true, f.first(f.words(e, "")); c.Altered == nil {
			return false
		}
	default:
		c.Guard, plain = true, true
	}
	if c.Altered != nil || c.Negated != nil {
		f.Add(c)
		return plain
	}
	return false
}

// ignored notes a command behind "!" that is not the last one: errexit does not count it,
// whatever it asks.
func (f *finder) ignored(e syntax.Expr) {
	if f.Test != "" && f.document(e) == nil {
		asked := syntax.Expr{From: e.From + 1, To: e.To} // behind a second "!" it would count
		f.unheard = append(f.unheard, syntax.Check{At: f.Span(e), Negated: f.Wrap(asked, "if ", "; then false; fi")})
	}
}

// has reports whether one of the tokens of a command is a word.
func (f *finder) has(e syntax.Expr, word string) bool {
	return e.Where(func(i int) bool { return f.Is(i, word) }) >= 0
}

// search is the place of a command that looks for something, at the beginning or behind a
// pipe; -1 if there is none.
func (f *finder) search(e syntax.Expr) int {
	return e.Where(func(i int) bool {
		return f.Is(i, "grep", "egrep", "fgrep", "diff", "cmp") && (i == e.From || f.Is(i-1, "|"))
	})
}

// state alters with which status a call of run says that the command ends.
func (f *finder) state(e syntax.Expr) (altered, negated []syntax.Edit) {
	i := e.From + 1
	for strings.HasPrefix(f.Word(i), "--") {
		i++
	}
	one := syntax.Expr{From: i, To: i + 1}
	switch at := f.Span(one); {
	case f.Is(i, "!"):
		return nil, f.Replace(one, "-0")
	case statePattern.MatchString(f.Word(i)):
		return other(f.Text, syntax.Span{Start: at.Start + 1, End: at.End}, syntax.Other), nil
	}
	return nil, nil
}

// words lists the words that a command is called with, the last one first, without its
// options, which begin with a sign.
func (f *finder) words(e syntax.Expr, option string) []int {
	var out []int
	for i := e.From + 1; i < e.To && !f.Is(i, "|", "||", "&", "&&", ";", "<", ">", ">>", ">&", "<<<"); i++ {
		if option == "" || !strings.HasPrefix(f.Word(i), option) {
			out = append([]int{i}, out...)
		}
	}
	return out
}

// first alters the first of some words that is written out.
func (f *finder) first(words []int) []syntax.Edit {
	for _, i := range words {
		if edits := f.literal(i, syntax.Other); edits != nil {
			return edits
		}
	}
	return nil
}

// document alters the first line of a here-document.
func (f *finder) document(e syntax.Expr) []syntax.Edit {
	end := f.Span(e).End
	begin := end + strings.IndexByte(f.Text[end:], '\n') + 1
	if begin == end || e.Where(func(i int) bool { return strings.HasPrefix(f.Word(i), "<<") && !f.Is(i, "<<<") }) < 0 {
		return nil
	}
	return []syntax.Edit{{Span: syntax.Span{Start: begin, End: begin}, Text: "~tdd"}}
}
