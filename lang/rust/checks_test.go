package rust

import (
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/syntax"
)

// edited is the body of a test, or of a helper, with some of its checks' edits made.
func edited(src string, of func(syntax.Check) []syntax.Edit) string {
	var edits []syntax.Edit
	for _, c := range page().Checks(src, gates.KindTest) {
		edits = append(edits, of(c)...)
	}
	return syntax.Apply(src, edits)
}

func TestChecks(t *testing.T) {
	t.Parallel()
	altered := func(c syntax.Check) []syntax.Edit { return c.Altered }
	negated := func(c syntax.Check) []syntax.Edit { return c.Negated }
	const unreached = ` if "".is_empty() { panic!("tdd") }`
	for _, test := range []struct{ body, altered, negated string }{
		// the standard library
		{`assert_eq!(sum(2, 3), 5);`, `assert_eq!(sum(2, 3), 46);`, `assert_ne!(sum(2, 3), 5);`},
		{`assert_eq!(5u8, sum(2, 3), "sum of {}", 2);`, `assert_eq!(46u8, sum(2, 3), "sum of {}", 2);`, `assert_ne!(5u8, sum(2, 3), "sum of {}", 2);`},
		{`assert_eq!(f(), -1.5);`, `assert_eq!(f(), -46.0);`, `assert_ne!(f(), -1.5);`},
		{`assert_eq!(f(), 200_u8);`, `assert_eq!(f(), 159u8);`, `assert_ne!(f(), 200_u8);`},
		{`assert_eq!(f(), 1f64);`, `assert_eq!(f(), 44.5f64);`, `assert_ne!(f(), 1f64);`},
		{`assert_eq!(f(), 0o17);`, `assert_eq!(f(), 56);`, `assert_ne!(f(), 0o17);`},
		{`assert_eq!(f(), json!({"a": [1, x]}));`, `assert_eq!(f(), json!({"a": [42, x]}));`, `assert_ne!(f(), json!({"a": [1, x]}));`},
		{`assert_eq!(f(), 'x');`, `assert_eq!(f(), '~');`, `assert_ne!(f(), 'x');`},
		{`assert_eq!(f(), b"ab");`, `assert_eq!(f(), b"~b");`, `assert_ne!(f(), b"ab");`},
		{`assert_eq!(f(), r#"a"b"#);`, `assert_eq!(f(), r#"a"b~tdd"#);`, `assert_ne!(f(), r#"a"b"#);`},
		{`assert_eq!(f(), true);`, `assert_eq!(f(), false);`, `assert_ne!(f(), true);`},
		{`assert_eq!(f(), Some("a".to_string()));`, `assert_eq!(f(), Some("a~tdd".to_string()));`, `assert_ne!(f(), Some("a".to_string()));`},
		{`assert_eq!(f(), Err(Error::Bad { at: 3 }));`, `assert_eq!(f(), Err(Error::Bad { at: 44 }));`, `assert_ne!(f(), Err(Error::Bad { at: 3 }));`},
		{`assert_eq!(f(), vec![1, 2]);`, `assert_eq!(f(), vec![42, 2]);`, `assert_ne!(f(), vec![1, 2]);`},
		{`assert_eq!(f(1), g(2));`, `assert_eq!(f(1), g(2));`, `assert_ne!(f(1), g(2));`},
		{`assert_eq!(Version::new(1, 2), parse("1.2"));`, `assert_eq!(Version::new(42, 2), parse("1.2"));`, `assert_ne!(Version::new(1, 2), parse("1.2"));`},
		{`assert_eq!(f().collect::<HashMap<_, _>>(), [("a", 1)]);`, `assert_eq!(f().collect::<HashMap<_, _>>(), [("a~tdd", 1)]);`, `assert_ne!(f().collect::<HashMap<_, _>>(), [("a", 1)]);`},
		{`assert_ne!(f(), 3);`, `assert_ne!(f(), 3);`, `assert_eq!(f(), 3);`},
		{`assert!(f() == 3 && s.starts_with("a"), "m");`, `assert!(f() == 44 && s.starts_with("a~tdd"), "m");`, `assert!(!(f() == 3 && s.starts_with("a")), "m");`},
		{`assert!(!(f() != 3));`, `assert!(!(f() != 44));`, `assert!(!(!(f() != 3)));`},
		{`assert!(f() < 3);`, `assert!(f() < 3);`, `assert!(!(f() < 3));`},
		{`assert!(matches!(f(), Shape::Circle(3)));`, `assert!(matches!(f(), Shape::Circle(44)));`, `assert!(!(matches!(f(), Shape::Circle(3))));`},
		{`if f() != 3 { panic!("no"); }`, `if f() != 44 { panic!("no"); }`, `if !(f() != 3) { panic!("no"); }`},
		{`if f() != 3 { if x { g(); } panic!("no"); }`, `if f() != 44 { if x { g(); } panic!("no"); }`, `if !(f() != 3) { if x { g(); } panic!("no"); }`},
		{`if f() != 3 { g().unwrap_or_else(|| panic!("no")); }`, `if f() != 3 { g().unwrap_or_else(|| panic!("no")); }`, `if f() != 3 { g().unwrap_or_else(|| panic!("no")); }`},
		{`if f() == 3 { Ok(()) } else { Err("no".into()) }`, `if f() == 44 { Ok(()) } else { Err("no".into()) }`, `if !(f() == 3) { Ok(()) } else { Err("no".into()) }`},
		{`if let Err(e) = f() { panic!("{e}"); }`, `if let Err(e) = f() { panic!("{e}"); }`, `if let Err(e) = f() { panic!("{e}"); }` + unreached},
		{`let Some(x) = f() else { panic!() };`, `let Some(x) = f() else { panic!() };`, `let Some(x) = f() else { panic!() };` + unreached},
		{`match f() { Ok(3) => {} _ => panic!() }`, `match f() { Ok(44) => {} _ => panic!() }`, `match f() { Ok(3) => {` + unreached + `} _ => panic!() }`},
		{`f().unwrap();`, `f().unwrap();`, `f().unwrap();` + unreached},
		{`f().unwrap_err();`, `f().unwrap_err();`, `f().unwrap_err();` + unreached},
		{`debug_assert_eq!(f(), 3);`, `debug_assert_eq!(f(), 44);`, `debug_assert_ne!(f(), 3);`},
		// values that a variable or a table holds
		{`let want = 3; assert_eq!(f(), want);`, `let want = 44; assert_eq!(f(), want);`, `let want = 3; assert_ne!(f(), want);`},
		{`for (x, want) in [(1, 2), (3, 4)] { assert_eq!(f(x), want); }`, `for (x, want) in [(1, 43), (3, 45)] { assert_eq!(f(x), want); }`, `for (x, want) in [(1, 2), (3, 4)] { assert_ne!(f(x), want); }`},
		{`let rows = vec![Row { x: 1, want: 2 }]; for r in &rows { assert_eq!(f(r.x), r.want); }`, `let rows = vec![Row { x: 1, want: 43 }]; for r in &rows { assert_eq!(f(r.x), r.want); }`, `let rows = vec![Row { x: 1, want: 2 }]; for r in &rows { assert_ne!(f(r.x), r.want); }`},
		// other libraries
		{`prop_assert_eq!(f(x), 3);`, `prop_assert_eq!(f(x), 44);`, `prop_assert_ne!(f(x), 3);`},
		{`pretty_assertions::assert_eq!(f(), 3);`, `pretty_assertions::assert_eq!(f(), 44);`, `pretty_assertions::assert_ne!(f(), 3);`},
		{`ensure!(f() == 3, "no");`, `ensure!(f() == 44, "no");`, `ensure!(!(f() == 3), "no");`},
		{`assert_relative_eq!(f(), 1.0, epsilon = 0.1);`, `assert_relative_eq!(f(), 44.5, epsilon = 0.1);`, `assert_relative_ne!(f(), 1.0, epsilon = 0.1);`},
		{`assert_ok!(f(), "m");`, `assert_ok!(f(), "m");`, `assert_err!(f(), "m");`},
		{`assert_matches!(f(), Some(3));`, `assert_matches!(f(), Some(44));`, `assert!(!matches!(f(), Some(3)));`},
		{`assert_snapshot!(f(), @"a");`, `assert_snapshot!(f(), @"a~tdd");`, `assert_snapshot!(f(), @"a");`},
		{`insta::assert_debug_snapshot!(f());`, `insta::assert_debug_snapshot!(f());`, `insta::assert_debug_snapshot!(("~tdd", &f()));`},
		{`expect![["a"]].assert_eq(&f());`, `expect![["a~tdd"]].assert_eq(&f());`, `expect![["a"]].assert_eq(&f());`},
		{`assert_that!(f(), eq(3));`, `assert_that!(f(), eq(44));`, `assert_that!(f(), googletest::matchers::not(eq(3)));`},
		{`assert_that(&f()).is_equal_to(3);`, `assert_that(&f()).is_equal_to(44);`, `assert_that(&f()).is_not_equal_to(3);`},
		{`cmd.assert().success().stdout("a\n");`, `cmd.assert().success().stdout("a\n~tdd");`, `cmd.assert().failure().stdout("a\n");`},
		{`common::assert_sum(&[1, 2], 3);`, `common::assert_sum(&[1, 2], 44);`, `common::assert_sum(&[1, 2], 3);`},
		// no check at all
		{`println!("3"); success!(3); let x = f(3);`, `println!("3"); success!(3); let x = f(3);`, `println!("3"); success!(3); let x = f(3);`},
	} {
		head, tail := "#[test]\nfn t() {\n", "\n}\n"
		for _, way := range []struct {
			name, want string
			of         func(syntax.Check) []syntax.Edit
		}{{"altered", test.altered, altered}, {"negated", test.negated, negated}} {
			got := strings.TrimSuffix(strings.TrimPrefix(edited(head+test.body+tail, way.of), head), tail)
			if got != way.want {
				t.Errorf("%s\n %s: %s\n    want: %s", test.body, way.name, got, way.want)
			}
		}
	}
}

func TestChecks_ofAttributes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ src, altered string }{
		{"#[test]\n#[should_panic(expected = \"no\")]\nfn t() { assert_eq!(f(), 3); }", "#[test]\n#[should_panic(expected = \"no~tdd\")]\nfn t() { assert_eq!(f(), 3); }"},
		{"#[rstest]\n#[case(1, 2)]\n#[case::big(3, 4)]\nfn t(#[case] x: i32, #[case] want: i32) { assert_eq!(f(x), want); }", "#[rstest]\n#[case(1, 43)]\n#[case::big(3, 45)]\nfn t(#[case] x: i32, #[case] want: i32) { assert_eq!(f(x), want); }"},
		{"#[test_case(1, 2; \"one\")]\nfn t(x: i32, want: i32) { assert_eq!(f(x), want); }", "#[test_case(1, 43; \"one\")]\nfn t(x: i32, want: i32) { assert_eq!(f(x), want); }"},
		{"#[test_case(1 => 2; \"one\")]\nfn t(x: i32) -> i32 { f(x) }", "#[test_case(1 => 43; \"one\")]\nfn t(x: i32) -> i32 { f(x) }"},
		{"#[test_case(1 => 2)]\nfn t(x: i32) -> i32 { f(x) }", "#[test_case(1 => 2)]\nfn t(x: i32) -> i32 { f(x) }"},
		{"const WANT: i32 = 3;\n#[test]\nfn t() { assert_eq!(f(), WANT); }", "const WANT: i32 = 44;\n#[test]\nfn t() { assert_eq!(f(), WANT); }"},
		{"fn same(x: i32, want: i32) { assert_eq!(x, want); }\n#[test]\nfn t() { same(f(1), 3); }", "fn same(x: i32, want: i32) { assert_eq!(x, want); }\n#[test]\nfn t() { same(f(1), 44); }"},
		{"proptest! {\n#[test]\nfn t(x in 0..9) { prop_assert_eq!(f(x), 3); }\n}", "proptest! {\n#[test]\nfn t(x in 0..9) { prop_assert_eq!(f(x), 44); }\n}"},
	} {
		if got := edited(test.src, func(c syntax.Check) []syntax.Edit { return c.Altered }); got != test.altered {
			t.Errorf("%s\n got %s", test.src, got)
		}
	}
}

// What stands in a source beside its tests is not altered.
func TestChecks_withinASource(t *testing.T) {
	t.Parallel()
	const src = "pub const N: i32 = 3;\npub fn f() { assert!(N == 3); }\n#[cfg(test)]\nmod tests {\n#[test]\nfn t() { assert_eq!(f(), N); }\n}\n"
	all := page().Checks(src, gates.KindSource)
	if len(all) != 1 || all[0].Test != "t" || all[0].Altered != nil {
		t.Errorf("%+v", all)
	}
}

func TestChecks_roles(t *testing.T) {
	t.Parallel()
	const src = "fn help() { assert!(f()); }\n#[test]\nfn t() { g().unwrap(); help2(1); assert_all(x, 2); }\n#[quickcheck]\nfn p(x: u8) -> bool { f(x) }\n"
	var got []string
	for _, c := range page().Checks(src, gates.KindTest) {
		switch {
		case c.Test == "":
			got = append(got, "helper")
		case c.Guard:
			got = append(got, c.Test+" guard")
		case c.Call:
			got = append(got, c.Test+" call")
		default:
			got = append(got, c.Test+" check")
		}
	}
	if want := "helper, t guard, t call, p check"; strings.Join(got, ", ") != want {
		t.Errorf("got %s, want %s", strings.Join(got, ", "), want)
	}
}

func TestMutants(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ src, want string }{
		{"fn f(a: i32) -> i32 { a * 2 }", "fn f(a: i32) -> i32 { (a * 2) + 1 }"},
		{"fn f() -> bool {\n    g()\n}", "fn f() -> bool {\n    !(g())\n}"},
		{"fn f() -> Option<u8> { Some(1) }", "fn f() -> Option<u8> { None }"},
		{"fn f() {\n    if a < b {}\n}", "fn f() {\n    if !(a < b) {}\n}"},
		{"fn f() {\n    if let Some(x) = y {}\n}", "fn f() {\n    if let Some(x) = y {}\n}"},
		{"fn f() {\n    if match a { _ => b } {}\n}", "fn f() {\n    if match a { _ => b } {}\n}"},
		{"fn f() -> [u8; 2] { [a, b] }", "fn f() -> [u8; 2] { [b, a] }"},
		{"fn f() {\n    x += y;\n}", "fn f() {\n    x -= y;\n}"},
		{"fn f() {\n    x(a&&b);\n    z(a && b);\n}", "fn f() {\n    x(a&&b);\n    z(a || b);\n}"},
		{"fn f() {\n    let x = a && b;\n}", "fn f() {\n    let x = !(a && b);\n}"},
		{"fn f() {\n    v.push(3);\n}", "fn f() {\n    v.push(44);\n}"},
		{"fn f() {\n    v.push(\"a\");\n}", "fn f() {\n    v.push(\"a~\");\n}"},
		{"fn f() -> Vec<Box<dyn A + Send>> {\n    panic!(\"3\")\n}", "fn f() -> Vec<Box<dyn A + Send>> {\n    panic!(\"3\")\n}"},
		{"#[cfg(feature = \"a\")]\nuse a::b;\nstruct S { a: [u8; 3] }\nfn f() { v.map(|x| x); }", "#[cfg(feature = \"a\")]\nuse a::b;\nstruct S { a: [u8; 3] }\nfn f() { v.map(|x| x); }"},
	} {
		var edits []syntax.Edit
		first, _ := syntax.MostTelling(page().Mutants(test.src))
		for _, m := range first {
			edits = append(edits, m.Edit)
		}
		if got := syntax.Apply(test.src, edits); got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.src, got, test.want)
		}
	}
}

func TestCode(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{"fn f() { 1 }", "// one\nfn f()\n{\n    1 /* 2 */\n}\n", true},
		{"f( (1))", "f((1))", true},
		{"a && b", "a & &b", false},
		{`"a // b"`, `"a // c"`, false},
		{"/// help\nstruct A;", "/// other help\nstruct A;", false},
		{"a b", "ab", false},
	} {
		if got := page().Plain(test.a) == page().Plain(test.b); got != test.same {
			t.Errorf("%q and %q: same is %v", test.a, test.b, got)
		}
	}
}

func TestNarrow(t *testing.T) {
	t.Parallel()
	tests := []gates.Test{{ID: "lib::tests::one"}, {ID: "calc/sums::two"}}
	for _, test := range []struct {
		argv, want string
		tests      []gates.Test
	}{
		{"cargo test --all", "cargo test --all -- --exact tests::one two", tests},
		{"cargo test -- --nocapture", "", tests},
		{"cargo nextest run", "", tests},
		{"make test", "", tests},
		{"cargo test", "", []gates.Test{{ID: "doc::src/lib.rs - f (1)"}}},
		{"cargo test", "", []gates.Test{{ID: "plain"}}},
	} {
		if got := strings.Join(narrow(strings.Fields(test.argv), test.tests), " "); got != test.want {
			t.Errorf("%s: %s", test.argv, got)
		}
	}
}

func FuzzEvidence(f *testing.F) {
	f.Add("#[test]\nfn t() { assert_eq!(f(), 3); match x { 1 => {} _ => panic!() } }")
	f.Add("#[case(1)] fn t(#[case] a: i32) -> bool { if a { Err(1) } }")
	f.Fuzz(func(t *testing.T, src string) {
		for _, c := range page().Checks(src, gates.KindSource) {
			syntax.Apply(src, c.Altered)
			syntax.Apply(src, c.Negated)
		}
		for _, m := range page().Mutants(src) {
			if syntax.Apply(src, []syntax.Edit{m.Edit}) == src {
				t.Errorf("%v changes nothing", m)
			}
		}
		page().Plain(src)
	})
}
