package cpp

import (
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
	"github.com/git-tdd/git-tdd/testrun"
)

var (
	// testPattern matches what declares a test of GoogleTest, Catch2, doctest or Boost.Test.
	testPattern = lazyregexp.New(`^(?:TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P|BOOST_FIXTURE_TEST_CASE|BOOST_AUTO_TEST_CASE|` +
		`TEST_CASE|SCENARIO|TEST_CASE_METHOD|SCENARIO_METHOD|TEST_CASE_FIXTURE|TEMPLATE_TEST_CASE\w*|TEMPLATE_PRODUCT_TEST_CASE\w*)$`)

	expectationPattern = lazyregexp.New(`\b(?:EXPECT|ASSERT|CHECK|REQUIRE|BOOST_(?:TEST|CHECK|REQUIRE)|STATIC_REQUIRE|WARN|FAIL|ADD_FAILURE|SUCCEED|GTEST_SKIP|SKIP|GENERATE|INSTANTIATE)\w*\s*\(` +
		`|\b(?:static_assert|assert|Values|ValuesIn|Range|Combine|THEN)\s*\(|\bDISABLED_\w+` +
		`|\b((?:(?:static|inline|const|constexpr)\s+)*(?:auto|int|unsigned|long|double|float|char|bool|std::string|std::string_view|std::vector<[^;={}()]*>|std::array<[^;={}()]*>)[\s*&]+\w+(?:\[\w*\])?\s*(?:=\s*(?:[-\d'"{]|R"|(?:true|false|nullptr)\b)|\{))`)
)

// declared names the tests: those of GoogleTest by their second name, those
// of Catch2 by their titles.
func declared(test string) []string {
	out := []string{}
	for _, d := range declarations(test) {
		out = append(out, d.name)
	}
	return out
}

// declaration is a test in a file.
type declaration struct {
	name string
	line int
}

// declarations finds the tests of a file, in order.
func declarations(text string) []declaration {
	t := page().Parse(text)
	var out []declaration
	for i := range t.Len() {
		if i > 0 && !t.Broken(i) || !t.Is(i+1, "(") || !testPattern.MatchString(t.Word(i)) {
			continue
		}
		if name := title(t, syntax.Function{Name: t.Word(i), Params: t.Inside(i + 1)}); name != "" {
			at := t.Span(syntax.Expr{From: i, To: i + 1})
			out = append(out, declaration{name: name, line: 1 + strings.Count(text[:at.Start], "\n")})
		}
	}
	return out
}

// macroName is the name of a test that a macro declares with bare words.
func macroName(macro, arguments string) string {
	words := strings.Split(arguments, ",")
	at := 1
	if strings.HasPrefix(macro, "BOOST") {
		at = 0
	}
	if len(words) <= at {
		return ""
	}
	return strings.TrimPrefix(strings.TrimSpace(words[at]), "DISABLED_")
}

// whereDeclared finds the declaration of a test by its name.
func whereDeclared(p *testrun.Places, title string) (file string, line int) {
	for name := range p.Files(append(p.Language.BuildDirs, ".*")...) {
		if p.Language.Kind(name) != gates.KindTest {
			continue
		}
		for _, t := range declarations(p.Text(name)) {
			if t.name == title {
				return name, t.line
			}
		}
	}
	return "", 0
}
