package gates

import (
	"strings"
	"testing"
)

func TestWordAt(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text, word string
		want       int
	}{
		{"sum", "sum", 0},
		{"calc::sum(1)", "sum", 6},
		{"sums sum", "sum", 5},
		{"_sum 1sum Zsum ésum sumé sum_ sum9", "sum", -1},
		{"aaa", "aa", -1},
		{"", "sum", -1},
		{"sum", "", -1},
		{"", "", -1},
		{"operator+ (", "operator+", 0},
	} {
		if got := wordAt(test.text, test.word); got != test.want {
			t.Errorf("wordAt(%q, %q) = %d, want %d", test.text, test.word, got, test.want)
		}
	}
}

func TestOnlyAddsTests(t *testing.T) {
	t.Parallel()
	const old, added = "import calc\n\ndef test_a():\n    assert calc.a() == 1\n", "\ndef test_b():\n    assert calc.b() == 2\n"
	file := func(kind Kind, text string, declared ...string) *File {
		if text == "" {
			return nil
		}
		return &File{Path: "test_calc.py", Kind: kind, Test: text, Declared: declared}
	}
	a, both := []string{"test_a"}, []string{"test_a", "test_b"}
	for name, c := range map[string]struct {
		was, now *File
		want     bool
	}{
		"one more":      {file(KindTest, old, a...), file(KindTest, old+added, both...), true},
		"a new file":    {nil, file(KindTest, old, a...), true},
		"another value": {file(KindTest, old, a...), file(KindTest, strings.Replace(old, "1", "2", 1), a...), false},
		"a weaker line": {file(KindTest, old, a...), file(KindTest, old+"    return\n"+added, both...), false},
		"an import":     {file(KindTest, old, a...), file(KindTest, strings.Replace(old, "calc\n", "fake as calc\n", 1), a...), false},
		"gone":          {file(KindTest, old, a...), nil, false},
		"one less":      {file(KindTest, old+added, both...), file(KindTest, old, a...), false},
		"a fixture":     {nil, file(KindSupport, old), false},
	} {
		if got := (Change{Files: []FileChange{{Old: c.was, New: c.now}}}).OnlyAddsTests(); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestRenewsTest(t *testing.T) {
	t.Parallel()
	file := func(text string, declared ...string) *File {
		return &File{Path: "sum.test.js", Kind: KindTest, Test: text, Declared: declared}
	}
	const one, loop = "test('one', () => {\n  same(one(), 1);\n});\n", "for (const c of cases) {\n  test(c.name, () => {\n    same(sum(c.a), c.want);\n  });\n}\n"
	for name, c := range map[string]struct {
		old, now *File
		want     bool
	}{
		"a new test":                 {nil, file(one, "one"), true},
		"an old test and a helper":   {file(one, "one"), file("let x = 1;\n"+one, "one"), false},
		"tests that a loop makes":    {nil, file(loop, "${}"), true},
		"a row that a loop reads":    {file("const cases = [1];\n"+loop, "${}"), file("const cases = [1, 2];\n"+loop, "${}"), true},
		"a file that shows no tests": {nil, file("check(sum);\n"), true},
	} {
		if got := (FileChange{Old: c.old, New: c.now}).renewsTest(); got != c.want {
			t.Errorf("%s: %t, want %t", name, got, c.want)
		}
	}
}

func TestDefines(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"pub fn sum() {": true, "def sum(a):": true, "func sum() int {": true, "let mut sum = 0;": true, "class sum": true,
		"assert_eq!(sum(), 0);": false, "sum()": false, "fn summary() { sum() }": false, "// define sum": false,
	} {
		if got := defines([]string{"x", line}, "sum"); got != want {
			t.Errorf("defines(%q) = %v", line, got)
		}
	}
}

func TestMoreLines(t *testing.T) {
	t.Parallel()
	got := strings.Join(moreLines("a\n  b\nb\nc\n", "b\nc\nd\n"), "|")
	if got != "a|b" {
		t.Errorf("got %q", got)
	}
}

// TestOwnText shows where a test begins and ends, by layout alone.
func TestOwnText(t *testing.T) {
	t.Parallel()
	const rust = "#[test]\nfn one() {\n    check(1);\n\n    check(2);\n}\n\n#[test]\n#[should_panic]\nfn two() { check(3) }\n"
	const python = "class TestSum:\n    @slow\n    def test_one(self):\n        check(1)\n    def test_two(self):\n        check(2)"
	for _, test := range []struct{ text, name, want string }{
		{rust, "one", "#[test] fn one() { check(1); check(2);"},
		{rust, "two", "#[test] #[should_panic] fn two() { check(3) }"},
		{rust, "three", ""},
		{python, "test_one", "@slow def test_one(self): check(1)"},
		{python, "test_two", "def test_two(self): check(2)"},
		{"one_more()\none()", "one", "one()"},
		{"class A:\n    @rows(\n        [\n            1,\n        ],\n    )\n    @slow\n    def one(self):\n        pass\n", "one", "@rows( [ 1, ], ) @slow def one(self): pass"},
		{"x = f(\n    1,\n)\ndef one():\n    pass\n", "one", "def one(): pass"},
		{"def one():\n    f(\"\"\"\nBEGIN # it's\n\"\"\")\n    g()\nx = 1\n", "one", "def one(): f(\"\"\" BEGIN # it's \"\"\") g()"},
		{"test('one', () => {\n  f(`\na\n`);\n});\nx();\n", "one", "test('one', () => { f(` a `);"},
		{"def one():\n    f('`')  # it's a ` of no end\n    g(r'\\'')\nx = 1\n", "one", "def one(): f('`') # it's a ` of no end g(r'\\'')"},
		{"one() {\n  cat <<EOF\na\nEOF\n  b\n}\n", "one", "one() { cat <<EOF a EOF b"},
		{"void one()\n{\n    f(1 << BITS);\n}\nint x;\n", "one", "void one() { f(1 << BITS);"},
		{"def one():\n    f(\"\"\")\nx = 1\n", "one", "def one(): f(\"\"\")"},
		{"fn one() {}", "one", "fn one() {}"},
	} {
		if got := ownText(&File{Test: test.text}, test.name); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
	if got := ownText(nil, "one"); got != "" {
		t.Errorf("no file, but the text %q", got)
	}
}

func TestChangesHelpers(t *testing.T) {
	t.Parallel()
	const (
		head   = "package calc\n\nimport (\n\t\"testing\"\n)\n\n"
		helper = "func equal(t *testing.T, got, want int) {\n\tif got != want {\n\t\tt.Error(got)\n\t}\n}\n\n"
		test   = "func TestOne(t *testing.T) {\n\tequal(t, One(), 1)\n}\n"
		more   = "\nfunc TestTwo(t *testing.T) {\n\tequal(t, Two(), 2)\n}\n"
		class  = "final class SumTest extends TestCase\n{\n    public function testOne(): void\n    {\n        $this->assertSame(1, one());\n    }\n"
		row    = "    @pytest.mark.parametrize(\n        \"n\",\n        [\n            \"a\",\n        ],\n    )\n    def test_one(self, n):\n        assert sum(n)\n\n"
		rows   = "class TestSum:\n" + row
		other  = "\n    public function testTwo(): void\n    {\n        $this->assertSame(2, two());\n    }\n"
	)
	file := func(text string, declared ...string) *File {
		return &File{Path: "calc_test.go", Kind: KindTest, Test: text, Declared: declared}
	}
	was := file(head+helper+test, "TestOne")
	for name, c := range map[string]struct {
		old, now *File
		want     bool
	}{
		"a test more":                  {was, file(head+helper+test+more, "TestOne", "TestTwo"), false},
		"a test less":                  {file(head+helper+test+more, "TestOne", "TestTwo"), was, false},
		"a test before the others":     {was, file(head+more+helper+test, "TestTwo", "TestOne"), false},
		"another test":                 {was, file(head+helper+strings.Replace(test, "1", "2", 1), "TestOne"), false},
		"an import more":               {was, file(strings.Replace(head, ")", "\t\"strings\"\n)", 1)+helper+test, "TestOne"), false},
		"a name more that is required": {file("const { one } = require('..');\n"+test, "TestOne"), file("const { one, two } = require('..');\n"+test, "TestOne"), false},
		"a helper more":                {was, file(head+helper+test+strings.Replace(helper, "equal", "same", 1), "TestOne"), false},
		"a helper that shadows":        {was, file(head+helper+test+"\nfunc One() int { return 1 }\n", "TestOne"), true},
		"a method of a new type":       {was, file(head+helper+test+"\ntype fake struct{}\n\nfunc (f *fake) One() int { return 1 }\n", "TestOne"), false},
		"a method of a type in use":    {file(head+"type fake struct{}\n\n"+strings.Replace(test, "One()", "One(fake{})", 1), "TestOne"), file(head+"type fake struct{}\n\nfunc (fake) String() string { return \"\" }\n\n"+strings.Replace(test, "One()", "One(fake{})", 1), "TestOne"), true},
		"a setup":                      {was, file(head+helper+test+"\nfunc TestMain(m *testing.M) {\n}\n", "TestOne"), true},
		"a statement":                  {was, file(head+helper+test+"\ncalc.one = lambda: 1\n", "TestOne"), true},
		"a value more":                 {was, file(head+helper+test+"\nconst many = 7\n", "TestOne"), false},
		"an emptied helper":            {was, file(head+"func equal(t *testing.T, got, want int) {\n}\n\n"+test, "TestOne"), true},
		"a helper that returns":        {was, file(head+strings.Replace(helper, "\tif", "\treturn\n\tif", 1)+test, "TestOne"), true},
		"no helper":                    {was, file(head+test, "TestOne"), true},
		"helpers only":                 {file(head + helper), file(head + helper + "// words\n"), true},
		"a file of tests is gone":      {file(head+test, "TestOne"), nil, false},
		"a file of helpers is new":     {nil, file(head + helper), true},
		"a test with rows more":        {file(rows, "test_one"), file(rows+strings.Replace(row, "one", "two", 1), "test_one", "test_two"), false},
		"a test less, its brace on a line of its own": {file(class+other+"}\n", "testOne", "testTwo"), file(class+"}\n", "testOne"), false},
	} {
		if got := (FileChange{Old: c.old, New: c.now}).ChangesHelpers(); got != c.want {
			t.Errorf("%s: %t, want %t", name, got, c.want)
		}
	}
}

// A test whose title begins like that of another one is not that one.
func TestOwnText_titles(t *testing.T) {
	t.Parallel()
	const first = "  it \"finds it\" do\n    expect(find(1)).to eq 1\n  end\n"
	const longer = "  it \"finds it again\" do\n    expect(find(2)).to eq 2\n  end\n"
	f := FileChange{
		Old: &File{Path: "a_spec.rb", Kind: KindTest, Test: first, Declared: []string{"finds it"}},
		New: &File{Path: "a_spec.rb", Kind: KindTest, Test: longer + first, Declared: []string{"finds it again", "finds it"}},
	}
	if (Change{Files: []FileChange{f}}).RewritesTests() {
		t.Error("the old test is rewritten, though another one was only put before it")
	}
}
