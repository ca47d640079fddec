package cpp

import (
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/csyntax"
	"github.com/git-tdd/git-tdd/testrun/scan"
)

// checks finds what decides whether the tests of a file pass: the assertions of
// GoogleTest, Catch2, doctest and Boost.Test.
func checks(content string, _ gates.Kind) []testrun.Check {
	f := &checkFinder{Code: csyntax.Parse(content), helpers: map[string]bool{}}
	blocks := f.blocks()
	for _, b := range blocks {
		f.helpers[b.name] = !b.test && f.judges(b.body)
	}
	for _, b := range blocks {
		f.block(b)
	}
	return f.out
}

// block is a test or a function.
type block struct {
	name string
	test bool
	body csyntax.Expr // with its braces
}

// checkFinder collects the checks of a file.
type checkFinder struct {
	*csyntax.Code
	helpers    map[string]bool // functions that check something
	out        []testrun.Check
	test, unit string // under way
}

// blocks lists the tests and the functions.
func (f *checkFinder) blocks() []block {
	var out []block
	for i := 0; i < f.Len(); i++ {
		if !f.Named(i) || !f.Is(i+1, "(") {
			continue
		}
		at := f.Group(i + 1)
		for slices.Contains([]string{"const", "noexcept", "override", "final"}, f.Word(at)) {
			at++
		}
		if !f.Is(at, "{") || slices.Contains([]string{"if", "for", "while", "switch", "catch", "SECTION", "SUBCASE"}, f.Word(i)) {
			continue
		}
		b := block{name: f.Word(i), body: csyntax.Expr{From: at, To: f.Group(at)}}
		if testPattern.MatchString(f.Word(i) + "(") {
			b.test, b.name = true, f.title(i)
		}
		out = append(out, b)
		i = b.body.To - 1
	}
	return out
}

// title is the name of the test that the macro at i declares.
func (f *checkFinder) title(i int) string {
	inside := f.Inside(i + 1)
	for k := inside.From; k < inside.To; k++ {
		if w := f.Word(k); strings.HasSuffix(w, `"`) && len(w) > 1 {
			return scan.Unquoted(w[strings.IndexByte(w, '"')+1 : len(w)-1])
		}
	}
	return macroName(f.Word(i), f.Source(inside))
}

// judges reports whether a part of a source checks something.
func (f *checkFinder) judges(e csyntax.Expr) bool {
	for i := e.From; i < e.To; i++ {
		if stem, _ := assertion(f.Word(i)); stem != "" && f.Is(i+1, "(") {
			return true
		}
	}
	return false
}

// block collects the checks of a test or of a helper.
func (f *checkFinder) block(b block) {
	f.test, f.unit = "", b.name+"@"+strconv.Itoa(b.body.From)
	if b.test {
		f.test = b.name
	}
	f.Values = map[string][]csyntax.Expr{}
	for i := b.body.From; i < b.body.To; i++ {
		f.given(i, b.body.To)
	}
	for i := b.body.From + 1; i < b.body.To; i++ {
		if f.Named(i) && f.Is(i+1, "(") {
			f.call(i)
		}
	}
}

// given notes what a name is given at i, if that happens once.
func (f *checkFinder) given(i, end int) {
	if !f.Named(i) || !f.Is(i+1, "=") {
		return
	}
	typed := f.Named(i-1) || f.Is(i-1, ">") || f.Is(i-1, "&") || f.Is(i-1, "*")
	stop := f.Find(csyntax.Expr{From: i + 2, To: end}, ";")
	if _, again := f.Values[f.Word(i)]; !typed || stop < 0 || again {
		f.Values[f.Word(i)] = nil
		return
	}
	f.Values[f.Word(i)] = []csyntax.Expr{{From: i + 2, To: stop}}
}

// assertion divides the name of an assertion into what it asks and what stands
// before that: EXPECT_ and EQ, BOOST_CHECK_ and EQUAL. Both are empty for any other.
func assertion(name string) (prefix, asks string) {
	for _, p := range []string{"EXPECT", "ASSERT", "CHECK", "REQUIRE", "BOOST_TEST", "BOOST_CHECK", "BOOST_REQUIRE"} {
		rest, ok := strings.CutPrefix(name, p)
		if ok && (rest == "" || rest[0] == '_') {
			return p, rest
		}
	}
	return "", ""
}

// opposite is what an assertion asks that says the contrary; ok is false where there
// is none.
func opposite(asks string) (to string, ok bool) {
	for _, pair := range [][2]string{
		{"_EQ", "_NE"},
		{"_LT", "_GE"},
		{"_GT", "_LE"},
		{"_ANY_THROW", "_NO_THROW"},
		{"_STREQ", "_STRNE"},
		{"_STRCASEEQ", "_STRCASENE"},
		{"_EQUAL", "_NE"},
		{"_THROWS", "_NOTHROW"},
	} {
		for k := range pair {
			if asks == pair[k] {
				return pair[1-k], true
			}
		}
	}
	return "", false
}

// call notes what an assertion, or a call of a helper, checks.
func (f *checkFinder) call(i int) {
	args := f.Split(f.Inside(i+1), ",")
	prefix, asks := assertion(f.Word(i))
	at := csyntax.Expr{From: i, To: f.Group(i + 1)}
	switch {
	case len(args) == 0:
	case f.helpers[f.Word(i)]:
		f.note(at, f.One(args), nil).Call = true
	case prefix == "":
	case asks == "_THAT" && len(args) > 1:
		not := "::testing::Not("
		if prefix == "REQUIRE" || prefix == "CHECK" {
			not = "!("
		}
		f.note(at, f.Literals(args[1]), f.Wrap(args[1], not, ")"))
	case strings.HasPrefix(asks, "_THROW") && len(args) > 1:
		f.note(at, nil, []testrun.Edit{f.Replace(at, prefix+f.calm()+"("+f.Source(args[0])+")")})
	default:
		f.note(at, f.altered(asks, args), f.negated(i, prefix, asks, args))
	}
}

// calm is how the framework of a file says that nothing is thrown.
func (f *checkFinder) calm() string {
	if strings.Contains(f.Text, "gtest") {
		return "_NO_THROW"
	}
	return "_NOTHROW"
}

// altered alters what an assertion expects.
func (f *checkFinder) altered(asks string, args []csyntax.Expr) []testrun.Edit {
	switch asks {
	case "", "_TRUE", "_MESSAGE":
		return f.Decided(args[0], true)
	case "_FALSE":
		return f.Decided(args[0], false)
	case "_EQ", "_STREQ", "_STRCASEEQ", "_FLOAT_EQ", "_DOUBLE_EQ", "_NEAR", "_EQUAL", "_CLOSE":
		return f.One(args[:min(2, len(args))])
	case "_DEATH", "_EXIT":
		return f.Literals(args[len(args)-1])
	}
	return nil
}

// negated makes an assertion say the contrary.
func (f *checkFinder) negated(i int, prefix, asks string, args []csyntax.Expr) []testrun.Edit {
	if slices.Contains([]string{"", "_TRUE", "_FALSE", "_MESSAGE"}, asks) {
		return f.Wrap(args[0], "!(", ")")
	}
	to, ok := opposite(asks)
	if !ok {
		return nil
	}
	if asks == "_NE" && strings.HasPrefix(prefix, "BOOST") {
		to = "_EQUAL"
	}
	return []testrun.Edit{f.Replace(csyntax.Expr{From: i, To: i + 1}, prefix+to)}
}

// note adds a check, if it can be altered or negated.
func (f *checkFinder) note(at csyntax.Expr, altered, negated []testrun.Edit) *testrun.Check {
	if len(altered)+len(negated) == 0 {
		return &testrun.Check{}
	}
	f.out = append(f.out, testrun.Check{Test: f.test, Unit: f.unit, At: f.Span(at), Altered: altered, Negated: negated})
	return &f.out[len(f.out)-1]
}

// telling are the calls that only tell something.
func telling() []string {
	return []string{"assert", "printf", "fprintf", "puts", "perror", "abort"}
}

// mutants lists small changes of a source.
func mutants(content string) []testrun.Mutant { return csyntax.Mutants(content, telling()...) }

// near lists changes of a source that a loose test may not notice.
func near(content string) []testrun.Mutant {
	return csyntax.Near(content, [2]string{"std::length_error", "std::domain_error"}, telling()...)
}
