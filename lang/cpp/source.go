package cpp

import (
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
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

// whereDeclared finds the declaration of a test by its name.
func whereDeclared(p *testrun.Places, title string) (file string, line int) {
	for name := range p.Files(append(p.Language.BuildDirs, ".*")...) {
		if p.Language.Kind(name) != gates.KindTest {
			continue
		}
		t := page().Parse(p.Text(name))
		for _, fn := range functions(t, gates.KindTest) {
			if fn.Test == title {
				return name, 1 + strings.Count(t.Text[:t.Span(fn.Params).Start], "\n")
			}
		}
	}
	return "", 0
}
