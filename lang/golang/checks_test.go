package golang

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/syntax"
)

const before, behindIt = "package x\n\nimport (\n\t\"errors\"\n\n\tlog \"example.com/logging\"\n)\n\ntype row struct {\n\tin   string\n\twant int\n}\n\nfunc TestX(t *testing.T) {\n", "\n}\n"

func edited(body string, of func(syntax.Check) []syntax.Edit) string {
	var edits []syntax.Edit
	src := before + body + behindIt
	for _, c := range page().Checks(src, gates.KindTest) {
		edits = append(edits, of(c)...)
	}
	return strings.TrimSuffix(strings.TrimPrefix(syntax.Apply(src, edits), before), behindIt)
}

func TestChecks(t *testing.T) {
	t.Parallel()
	const fail = " { t.Error(1) }"
	for _, test := range []struct{ body, altered, negated string }{
		// by hand
		{`if got := f(); got != 3` + fail, `if got := f(); got != 44` + fail, `if got := f(); !(got != 3)` + fail},
		{`if f() != "a"+b` + fail, `if f() != ("a" + "~tdd")+b` + fail, `if !(f() != "a"+b)` + fail},
		{`if f() != g()+1` + fail, `if f() != g()+1` + fail, `if !(f() != g()+1)` + fail},
		{`if f() != -1.5` + fail, `if f() != -46.0` + fail, `if !(f() != -1.5)` + fail},
		{"if f() != 'a' || g() != `b`" + fail, "if f() != ('a' + 1) || g() != (`b` + \"~tdd\")" + fail, "if !(f() != 'a' || g() != `b`)" + fail},
		{`if f() < 3` + fail, `if f() < (3 + 1<<30)` + fail, `if !(f() < 3)` + fail},
		{`if 3 < f()` + fail, `if (3 - 1<<30) < f()` + fail, `if !(3 < f())` + fail},
		{`if f() == 3` + fail, `if f() == 3` + fail, `if !(f() == 3)` + fail},
		{`if f() == 3 { g() } else` + fail, `if f() == 44 { g() } else` + fail, `if !(f() == 3) { g() } else` + fail},
		{`if !ok` + fail, `if !ok` + fail, `if !(!ok)` + fail},
		{`if !slices.Equal(f(), []string{"a", "b"})` + fail, `if !slices.Equal(f(), []string{("a" + "~tdd"), "b"})` + fail, `if !(!slices.Equal(f(), []string{"a", "b"}))` + fail},
		{`if !reflect.DeepEqual(f(), &Point{x, Y: true})` + fail, `if !reflect.DeepEqual(f(), &Point{x, Y: false})` + fail, `if !(!reflect.DeepEqual(f(), &Point{x, Y: true}))` + fail},
		{`if err := f(); err != nil` + fail, `if err := f(); err != nil` + fail, `if err := f(); !(err != nil)` + fail},
		{`if diff := cmp.Diff("a", f()); diff != ""` + fail, `if diff := cmp.Diff(("a" + "~tdd"), f()); diff != ""` + fail, `if diff := cmp.Diff("a", f()); !(diff != "")` + fail},
		{
			`if f() != 3 { if x { t.Error(1) } else if y { g(); t.Error(2) } else { t.Error(3) } }`,
			`if f() != 44 { if x { t.Error(1) } else if y { g(); t.Error(2) } else { t.Error(3) } }`,
			`if !(f() != 3) { if !(x) { t.Error(1) } else if !(y) { g(); t.Error(2) } else { t.Error(3) } }`,
		},
		{`if f() != 3 { if x { g() } else { t.Error(3) } }`, `if f() != 3 { if x { g() } else { t.Error(3) } }`, `if f() != 3 { if !(x) { g() } else { t.Error(3) } }`},
		{
			`if f() == 3 { g(); return }; t.Error(1)`, `if f() == 44 { g(); return }; t.Error(1)`, `if !(f() == 3) { g(); return }; t.Error(1)`,
		},
		{
			`if f() != nil { if f() == 3 { return }; t.Error(1) } else { t.Error(2) }`, `if f() != nil { if f() == 44 { return }; t.Error(1) } else { t.Error(2) }`,
			`if !(f() != nil) { if !(f() == 3) { return }; t.Error(1) } else { t.Error(2) }`,
		},
		{
			`if f() != 3 { if x { t.Error(1); return }; t.Error(2) }`, `if f() != 44 { if x { t.Error(1); return }; t.Error(2) }`,
			`if !(f() != 3) { if !(x) { t.Error(1); return }; t.Error(2) }`,
		},
		{`if f() == 3 { return }; g()`, "", ""},
		{`if f() != 3 { log.Error("no") }`, "", ""},
		{`if f() != 3 { g(err.Error()) }`, "", ""},
		{`if f() != 3 { go func() { t.Error(1) }() }`, "", ""},
		{"switch {\ncase f() != 3:\nt.Fatal(1)\n}", "switch {\ncase f() != 44:\nt.Fatal(1)\n}", "switch {\ncase !(f() != 3):\nt.Fatal(1)\n}"},
		// what a name was given
		{"want := 3\nif f() != want" + fail, "want := 44\nif f() != want" + fail, "want := 3\nif !(f() != want)" + fail},
		{"got, want := f(), 3\nif got != want" + fail, "got, want := f(), 44\nif got != want" + fail, "got, want := f(), 3\nif !(got != want)" + fail},
		{"var a, b []string = x, []string{\"b\"}\nif f(a) != b" + fail, "var a, b []string = x, []string{(\"b\" + \"~tdd\")}\nif f(a) != b" + fail, "var a, b []string = x, []string{\"b\"}\nif !(f(a) != b)" + fail},
		{"var want int\nif x { want = 3 }\nif f() != want" + fail, "var want int\nif x { want = 44 }\nif f() != want" + fail, "var want int\nif x { want = 3 }\nif !(f() != want)" + fail},
		{"want := 3\nwant++\nif f() != want" + fail, "want := 3\nwant++\nif f() != want" + fail, "want := 3\nwant++\nif !(f() != want)" + fail},
		{"want := 3\n*p = 4\nif f() != want" + fail, "want := 44\n*p = 4\nif f() != want" + fail, "want := 3\n*p = 4\nif !(f() != want)" + fail},
		// tables
		{
			"for _, c := range []row{{\"a\", 1}, {in: \"b\", want: 2}} {\nif f(c.in) != c.want" + fail + "\n}",
			"for _, c := range []row{{\"a\", 42}, {in: \"b\", want: 43}} {\nif f(c.in) != c.want" + fail + "\n}",
			"for _, c := range []row{{\"a\", 1}, {in: \"b\", want: 2}} {\nif !(f(c.in) != c.want)" + fail + "\n}",
		},
		{
			"for name, c := range map[string]struct{ a, want int }{\"x\": {1, 2}} {\nt.Run(name, func(t *testing.T) {\nif f(c.a) != c.want" + fail + "\n})\n}",
			"for name, c := range map[string]struct{ a, want int }{\"x\": {1, 43}} {\nt.Run(name, func(t *testing.T) {\nif f(c.a) != c.want" + fail + "\n})\n}",
			"for name, c := range map[string]struct{ a, want int }{\"x\": {1, 2}} {\nt.Run(name, func(t *testing.T) {\nif !(f(c.a) != c.want)" + fail + "\n})\n}",
		},
		{
			"for in, want := range map[string]int{\"x\": 1} {\nif f(in) != want" + fail + "\n}",
			"for in, want := range map[string]int{\"x\": 42} {\nif f(in) != want" + fail + "\n}",
			"for in, want := range map[string]int{\"x\": 1} {\nif !(f(in) != want)" + fail + "\n}",
		},
		// libraries
		{`assert.Equal(t, 3, f())`, `assert.Equal(t, 44, f())`, `assert.NotEqual(t, 3, f())`},
		{`require.Equalf(t, want.Name, f(), "3")`, `require.Equalf(t, want.Name, f(), "3")`, `require.NotEqualf(t, want.Name, f(), "3")`},
		{`c.Assert(f(), qt.Equals, 3)`, `c.Assert(f(), qt.Equals, 44)`, `c.Assert(f(), qt.Not(qt.Equals), 3)`},
		{`qt.Assert(t, f(), qt.Not(qt.HasLen), 3)`, `qt.Assert(t, f(), qt.Not(qt.HasLen), 44)`, `qt.Assert(t, f(), qt.HasLen, 3)`},
		{`c.Check(f(), DeepEquals, []string{"a"})`, `c.Check(f(), DeepEquals, []string{("a" + "~tdd")})`, `c.Check(f(), Not(DeepEquals), []string{"a"})`},
		{`c.Assert(err, qt.IsNil)`, `c.Assert(err, qt.IsNil)`, `c.Assert(err, qt.Not(qt.IsNil))`},
		{`c.Check(f(), want)`, "", ""},
		{`require.NoError(t, err)`, `require.NoError(t, err)`, `require.Error(t, err)`},
		{`is.Equal(f(), []byte("a"))`, `is.Equal(f(), []byte(("a" + "~tdd")))`, `is.NotEqual(f(), []byte("a"))`},
		// helpers
		{`same(t, f(2), 3)`, `same(t, f(2), 44)`, ""},
		{`args := []string{"a"}; same[int](t, f(2), args...)`, `args := []string{("a" + "~tdd")}; same[int](t, f(2), args...)`, ""},
		{`f(3, 4); t.Log(t, 3)`, `f(3, 4); t.Log(t, 44)`, ""},
	} {
		if got := edited(test.body, func(c syntax.Check) []syntax.Edit { return c.Altered }); got != cmp.Or(test.altered, test.body) {
			t.Errorf("%s\n altered: %s\n    want: %s", test.body, got, test.altered)
		}
		if got := edited(test.body, func(c syntax.Check) []syntax.Edit { return c.Negated }); got != cmp.Or(test.negated, test.body) {
			t.Errorf("%s\n negated: %s\n    want: %s", test.body, got, test.negated)
		}
	}
}

// What a check belongs to, and whether it only guards.
func TestChecks_units(t *testing.T) {
	t.Parallel()
	const src = `package x

func helper(t *testing.T) { if f() != 3 { t.Error(1) } }

func (s *suite) TestMethod() { s.Equal(3, f()); if err != nil { s.T().Fatal(err) } }

func TestA(t *testing.T) {
	if a != 1 || b == nil { t.Fatal(1) }
	if err != nil || !ok { t.Fatal(2) }
	if ip != nil { t.Fatal(3) }
	t.Run("one", func(t *testing.T) { if a != 3 { t.Error(3) } })
	t.Run("two", func(t *testing.T) { if a != 4 { t.Error(4) } })
}

func checkRows(rows []int) error { return nil }

func TestC(t *testing.T) {
	if err := quick.Check(even, nil); err != nil { t.Error(err) }
	err := checkRows(f())
	if err != nil { t.Error(err) }
	if err := f(); err != nil { t.Error(err) }
}

func ExampleB() {
	fmt.Println(1) // one
	// Output: 1
	// 2
}
`
	var got []string
	units := map[string]bool{}
	for _, c := range page().Checks(src, gates.KindTest) {
		guard := ""
		if c.Guard {
			guard = " guards"
		}
		units[c.Unit] = true
		got = append(got, c.Test+": "+src[c.At.Start:c.At.End]+guard)
	}
	want := []string{
		": f() != 3", "TestMethod: err != nil guards", "TestA: a != 1 || b == nil", "TestA: err != nil || !ok guards", "TestA: ip != nil",
		"TestA: a != 3", "TestA: a != 4", "TestC: err != nil", "TestC: err != nil", "TestC: err != nil guards", "ExampleB: // 2",
	}
	if !slices.Equal(got, want) || len(units) != 7 {
		t.Errorf("%s\nwant\n%s\n%v", strings.Join(got, "\n"), strings.Join(want, "\n"), units)
	}
}

func TestMutants(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"func f(a, b int) int {\n\treturn a * b\n}":                       "(a * b + 1)",
		"func f() (low, high int, err error) {\n\treturn 1, 2, nil\n}":    "(1 + 1), 2, nil",
		"func f() (*T, error) {\n\treturn t, g(1)\n}":                     "nil, g(1)",
		"func f() (*T, error) {\n\treturn &T{a: b, c: d}, nil\n}":         "&T{}, nil",
		"func f() T {\n\treturn T{b}\n}":                                  "T{}",
		"func f() T {\n\treturn T{}\n}":                                   "T{}",
		"func f() []T {\n\treturn []T{b}\n}":                              "nil",
		"func f() error {\n\treturn err\n}":                               "nil",
		"func f() error {\n\treturn g()\n}":                               "g()",
		"func f() bool {\n\treturn a && b\n}":                             "!(a && b)",
		"func f() string {\n\treturn s\n}":                                `(s + "~")`,
		"func f() func() bool {\n\treturn func() bool { return true }\n}": `func() bool { return false }`,
		"func f() {\n\tif x := g(); x < 3 {}\n}":                          "if x := g(); !(x < 3) {}",
		"func f() {\n\tif f([]T{}) {}\n}":                                 "if !(f([]T{})) {}",
		"func f() {\n\tfor i := 0; i < n; i++ {}\n}":                      "for i := 0; i <= n; i++ {}",
		"func f() {\n\tx, y := make([]*T, 3), a[i]*b\n}":                  "x, y := make([]*T, 3), a[i]+b",
		"func f() {\n\tx += -y &^ z\n}":                                   "x -= -y &^ z",
		"func f() {\n\tx := \"a\" + y\n}":                                 `x := ("a" + "~") + y`,
		"func f() {\n\tx := 'a'\n}":                                       "x := ('a' + 1)",
		"func f() {\n\tpanic(\"3\")\n}":                                   `panic("3")`,
		"func f() error {\n\treturn fmt.Errorf(\"%d\", 3)\n}":             `fmt.Errorf("%d", 3)`,
		"type T struct {\n\ta [3]int `json:\"a\"`\n}":                     "a [3]int `json:\"a\"`",
		"var (\n\tx = 3\n)":                                               "x = (3 + 1)",
		"func f() {\n\tswitch {\n\tcase a == 1, b == 2:\n\t}\n}":          "switch {",
	} {
		src := "package x\n\n" + body + "\n"
		var edits []syntax.Edit
		first, _ := syntax.MostTelling(page().Mutants(src))
		for _, m := range first {
			edits = append(edits, m.Edit)
		}
		got := strings.TrimPrefix(strings.TrimSpace(strings.Split(syntax.Apply(src, edits), "\n")[3]), "return ")
		if got != want {
			t.Errorf("%s becomes %s, want %s", body, got, want)
		}
	}
	var turned []string
	for _, m := range page().Mutants("package x\nfunc f() { switch { case a, b == 1, !c: } }") {
		if m.Rank == 1 {
			turned = append(turned, m.Edit.Text)
		}
	}
	if want := []string{"!(b == 1)", "!(!c)"}; !slices.Equal(turned, want) {
		t.Errorf("a case turns into %q, want %q", turned, want)
	}
	const grown = "package x\nfunc f(p T, l []int) (*T, []int) { p.all = append(p.all, 1); return &T{all: append(p.all, 2)}, append(l, 3) }"
	if near := page().Near(grown); len(near) != 1 || near[0].Edit.Text != "p.all[:len(p.all):len(p.all)]" {
		t.Errorf("grown: %+v", near)
	}
	const given = "package x\nfunc (q Q) f(p *Q) *Q {\n\tq.all = append(q.all, func() int { return 1 })\n\tp.all = append(p.all, q.all...)\n\tif g() {\n\t\treturn q\n\t}\n\treturn p\n}"
	if near := page().Near(given); len(near) != 2 || near[1].Edit.Text != "q.all[:len(q.all):len(q.all)]" {
		t.Errorf("given: %+v", near)
	}
	if near := page().Near("package x\nfunc f() { g(\"a\", `B`, 'c') }"); len(near) != 2 || near[1].Edit.Text != "`b`" {
		t.Errorf("near: %+v", near)
	}
}

// Layout and comments are no code, but for those that a tool reads.
func TestCode(t *testing.T) {
	t.Parallel()
	const src = "package x\n\nfunc f() int { return 1 }\n"
	for other, same := range map[string]bool{
		"package x // why\n\n\nfunc  f() int {\n\treturn 1\n}\n":     true,
		"//go:build linux\n\npackage x\n\nfunc f() int { return 1 }": false,
		"package x\n\nfunc f() int { return\n1 }\n":                  false,
		"package x\n\nfunc f() int { return 1 // Output: 1\n}\n":     false,
		"package x\n\nfunc f() int { return 2 }\n":                   false,
	} {
		if got := page().Plain(other) == page().Plain(src); got != same {
			t.Errorf("%s: %t, want %t", other, got, same)
		}
	}
}

func FuzzEvidence(f *testing.F) {
	f.Add(before + "for _, c := range []row{{\"a\", 1}} { if f(c.in) != c.want { t.Error(1) } }" + behindIt)
	f.Add("package x\nfunc TestA(t *testing.T) { want := want; if a, b := [...]int{1}, struct{a, b int}{}; a != b { t.Fatal(b) } else if")
	f.Fuzz(func(_ *testing.T, src string) {
		for _, c := range page().Checks(src, gates.KindTest) {
			syntax.Apply(src, c.Altered)
			syntax.Apply(src, c.Negated)
		}
		page().Mutants(src)
		page().Plain(src)
		assertions(src)
		declared(src)
	})
}
