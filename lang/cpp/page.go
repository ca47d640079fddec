package cpp

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
)

// page is the syntax of C and C++, as far as tests and what they check are concerned.
func page() *syntax.Page {
	p := syntax.CFamily()
	p.Lexis.Literal, p.Lexis.Forms = raw, []syntax.Form{{Begins: `" ' u8" L" u" U" u8' L' u' U'`, Line: true}}
	p.Lexis.Before = append(p.Lexis.Before, "operator")
	p.Declares = declares
	p.Values.Core = syntax.Wrapping{Before: []string{"&"}, Cast: castPattern.MatchString}.Core
	p.Values.Makes = syntax.MadeBy(madePattern, constructedPattern)
	p.Values.Asks = strings.Fields("contains starts_with ends_with")
	p.Checking = syntax.Checking{Functions: functions, Judges: judges, Visit: visit}
	p.Expects.Pattern = expectationPattern
	p.Changing.Inert = syntax.InertC(strings.Fields("assert printf fprintf puts perror abort")...)
	p.Changing.Type = syntax.ByBodies
	p.Changing.Blank = `std::string("\n")`
	p.Changing.Errors = [2]string{"std::length_error", "std::domain_error"}
	p.Changing.Handled = map[string]string{"exception": "runtime_error logic_error"}
	p.Break = directive
	return &p
}

var rawPattern = lazyregexp.New(`^(?:u8|[LuU])?R"([^("]{0,16})\(`)

// raw measures a text that escapes nothing: R"mark(text)mark".
func raw(all string, from int, _ bool) (syntax.Kind, int) {
	hit := rawPattern().FindStringSubmatch(all[from:min(len(all), from+24)])
	if hit == nil {
		return syntax.Text, 0
	}
	end := ")" + hit[1] + `"`
	if at := strings.Index(all[from+len(hit[0]):], end); at >= 0 {
		return syntax.Text, len(hit[0]) + at + len(end)
	}
	return syntax.Text, len(all) - from
}

// declares reports whether a type stands before token i.
func declares(t *syntax.Tree, i int) bool {
	return t.Named(i-1) && !t.Is(i-1, "return", "else", "case") || t.Is(i-1, ">", "&", "*")
}

var castPattern = lazyregexp.New(`^[\w.:<>\[\] *&]+$`)

var (
	// madePattern matches what only puts values together, or gives one another type.
	madePattern = lazyregexp.New(`^[\w:.<>, *&\[\]]+\{$|^(?:std::(?:string|string_view|vector|array|make_pair|make_tuple|make_optional|optional|pair|tuple)(?:<.*>)?|static_cast<.*>|string|size_t|int|long|char|double|float|unsigned|uint\d+_t|int\d+_t|absl::StrCat|QString)\s*.$`)
	// constructedPattern matches any constructor.
	constructedPattern = lazyregexp.New(`^(?:[\w:.<>, *&\[\]]*[:.<>, *&\[\]])?[A-Z]\w*\s*\($`)
)

// directive reports whether the line before token i, or its own, is of the preprocessor.
func directive(t *syntax.Tree, i int) bool {
	if t.Is(i, "#") {
		return true
	}
	for k := i - 1; k >= 0 && k > i-200; k-- {
		if k == 0 || t.Broken(k) {
			return t.Is(k, "#")
		}
	}
	return false
}

// functions lists the tests and the functions of a file.
func functions(t *syntax.Tree) []syntax.Function {
	named := func(i int) bool {
		return !t.Is(i, "if", "for", "while", "switch", "catch", "SECTION", "SUBCASE")
	}
	out := syntax.Braced(t, named)
	for k := range out {
		if fn := &out[k]; testPattern.MatchString(fn.Name) {
			fn.Test = title(t, *fn)
			fn.Name = fn.Test
		}
	}
	return out
}

// title is the name of the test that a macro declares.
func title(t *syntax.Tree, fn syntax.Function) string {
	if i := fn.Params.Where(func(i int) bool { return t.Kind(i) == syntax.Text }); i >= 0 {
		return t.Title(i)
	}
	words, at := t.Args(fn.Params.From-1), 1
	if strings.HasPrefix(fn.Name, "BOOST") {
		at = 0
	}
	if len(words) <= at {
		return ""
	}
	return strings.TrimPrefix(t.Source(words[at]), "DISABLED_")
}

func judges(t *syntax.Tree, i int) bool {
	stem, _ := assertion(t.Word(i))
	return stem != "" && t.Is(i+1, "(")
}

// assertion divides the name of an assertion of GoogleTest, Catch2, doctest or Boost.Test
// into what it asks and what stands before that: EXPECT_ and EQ, BOOST_CHECK_ and EQUAL.
// Both are empty for any other name.
func assertion(name string) (prefix, asks string) {
	for _, p := range []string{"EXPECT", "ASSERT", "CHECK", "REQUIRE", "BOOST_TEST", "BOOST_CHECK", "BOOST_REQUIRE"} {
		rest, ok := strings.CutPrefix(name, p)
		if ok && (rest == "" || rest[0] == '_') {
			return p, rest
		}
	}
	return "", ""
}

// opposite is what an assertion asks that says the contrary; empty if there is none.
func opposite(asks string) string {
	if asks == "_DOUBLE_EQ" || asks == "_FLOAT_EQ" {
		return "_NE"
	}
	return syntax.Contraries("_EQUAL _NE _EQ _NE _LT _GE _GT _LE _ANY_THROW _NO_THROW _STREQ _STRNE _STRCASEEQ _STRCASENE _THROWS _NOTHROW")[asks]
}

// visit notes what an assertion, or a call of a helper, checks.
func visit(f *syntax.Finder, i int) int {
	if !f.Named(i) || !f.Is(i+1, "(") {
		return i
	}
	args := f.Args(i + 1)
	prefix, asks := assertion(f.Word(i))
	at := syntax.Expr{From: i, To: f.Group(i + 1)}
	switch {
	case len(args) == 0:
	case f.Helpers[f.Word(i)]:
		f.Helper(at, args, nil)
	case prefix == "":
	case asks == "_THAT" && len(args) > 1:
		not := "::testing::Not("
		if prefix == "REQUIRE" || prefix == "CHECK" {
			not = "!("
		}
		f.Note(at, f.Literals(args[1]), f.Wrap(args[1], not, ")"))
	case strings.HasPrefix(asks, "_THROW") && len(args) > 1:
		calm := "_NOTHROW"
		if strings.Contains(f.Text, "gtest") {
			calm = "_NO_THROW"
		}
		f.Note(at, nil, f.Replace(at, prefix+calm+"("+f.Source(args[0])+")"))
	default:
		f.Note(at, altered(f, asks, args), negated(f, i, prefix, asks, args))
	}
	return i
}

// altered alters what an assertion expects.
func altered(f *syntax.Finder, asks string, args []syntax.Expr) []syntax.Edit {
	switch asks {
	case "", "_TRUE", "_MESSAGE":
		return f.Wanted(syntax.Holds, args)
	case "_FALSE":
		return f.Wanted(syntax.Contradicted, args)
	case "_EQ", "_STREQ", "_STRCASEEQ", "_FLOAT_EQ", "_DOUBLE_EQ", "_NEAR", "_EQUAL", "_CLOSE":
		return f.Wanted(syntax.Value, args[:min(2, len(args))])
	case "_PRED1", "_PRED2", "_PRED3", "_PRED_FORMAT1", "_PRED_FORMAT2", "_PRED_FORMAT3":
		return f.Wanted(syntax.Value, args[1:])
	case "_DEATH", "_EXIT":
		return f.Literals(args[len(args)-1])
	}
	return nil
}

// negated makes an assertion say the contrary.
func negated(f *syntax.Finder, i int, prefix, asks string, args []syntax.Expr) []syntax.Edit {
	if slices.Contains([]string{"", "_TRUE", "_FALSE", "_MESSAGE"}, asks) {
		return f.Wrap(args[0], "!(", ")")
	}
	to := opposite(asks)
	switch {
	case asks == "_NEAR" && len(args) == 3:
		return f.Replace(args[2], "-1") // nothing is so near
	case to == "":
		return nil
	case asks == "_NE" && strings.HasPrefix(prefix, "BOOST"):
		to = "_EQUAL"
	}
	return f.Replace(syntax.Expr{From: i, To: i + 1}, prefix+to)
}

var (
	// testPattern matches what declares a test of GoogleTest, Catch2, doctest or Boost.Test.
	testPattern = lazyregexp.New(`^(?:TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P|BOOST_FIXTURE_TEST_CASE|BOOST_AUTO_TEST_CASE|` +
		`TEST_CASE|SCENARIO|TEST_CASE_METHOD|SCENARIO_METHOD|TEST_CASE_FIXTURE|TEMPLATE_TEST_CASE\w*|TEMPLATE_PRODUCT_TEST_CASE\w*)$`)

	expectationPattern = lazyregexp.New(`\b(?:EXPECT|ASSERT|CHECK|REQUIRE|BOOST_(?:TEST|CHECK|REQUIRE)|STATIC_REQUIRE|WARN|FAIL|ADD_FAILURE|SUCCEED|GTEST_SKIP|SKIP|GENERATE|INSTANTIATE)\w*\s*\(` +
		`|\b(?:static_assert|assert|Values|ValuesIn|Range|Combine|THEN)\s*\(|\bDISABLED_\w+` +
		`|\b((?:(?:static|inline|const|constexpr)\s+)*(?:auto|int|unsigned|long|double|float|char|bool|std::string|std::string_view|std::vector<[^;={}()]*>|std::array<[^;={}()]*>)[\s*&]+\w+(?:\[\w*\])?\s*(?:=\s*(?:[-\d'"{]|R"|(?:true|false|nullptr)\b)|\{))`)
)
