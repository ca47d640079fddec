package rust

import (
	"slices"
	"strings"
	"testing"
)

// marked writes a source with its test parts between ⟦ and ⟧.
func marked(src string) string {
	var out strings.Builder
	at := 0
	for _, c := range cuts(src) {
		out.WriteString(src[at:c.Start] + "⟦" + src[c.Start:c.End] + "⟧")
		at = c.End
	}
	return out.String() + src[at:]
}

func TestSplit(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"none":                "fn a() {}\n",
		"empty":               "",
		"module at the end":   "fn a() {}\n⟦\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn t() {}\n}\n⟧",
		"module in between":   "fn a() {}\n⟦\n#[cfg(test)]\nmod tests {}\n⟧\nfn b() {}\n",
		"module at the start": "⟦#[cfg(test)]\nmod tests {}\n\n⟧fn b() {}\n",
		"only tests":          "⟦#[test]\nfn a() {}\n\n⟧⟦#[test]\nfn b() {}\n⟧",
		"declared elsewhere":  "mod a;\n⟦#[cfg(test)]\nmod tests;\n⟧mod b;\n",
		"items": "⟦#[cfg(test)]\nuse a::{b, c};\n⟧fn a() {}\n⟦#[cfg(test)]\nconst A: [u8; { 1 }] = { [1] };\n⟧" +
			"⟦#[cfg(test)]\npub(crate) static B: S = S { a: 1 };\n⟧⟦#[cfg(test)]\nstruct U(u8);\n⟧⟦#[cfg(test)]\nstruct V<A, B> { a: A, b: B }\n⟧" +
			"⟦#[cfg(test)]\nimpl<A, B> V<A, B> { fn x() {} }\n⟧⟦#[cfg(test)]\nmacro_rules! m { () => { } }\n⟧fn z() {}\n",
		"generic function": "⟦#[cfg(test)]\npub const fn f<A, B>(a: A, b: [u8; 3]) -> (A, B) where A: X, B: Y { x }\n⟧fn z() {}\n",
		"within":           "mod a {\n    fn b() {}\n⟦\n    #[test]\n    fn c() {}\n⟧}\nimpl S {\n⟦    #[cfg(test)]\n    fn d(&self) {}\n⟧    fn e(&self) {}\n}\n",
		"fields and arms":  "struct S {\n    a: u8,\n⟦    #[cfg(test)]\n    b: Vec<u8>,\n⟧    c: u8,\n}\nfn f() {\n    match x {\n⟦        #[cfg(test)]\n        A => { 1 },\n⟧        B => 2,\n    }\n}\n",
		"last field":       "struct S {\n    a: u8,\n⟦    #[cfg(test)]\n    b: u8\n⟧}\n",
		"attributes":       "fn a() {}\n⟦\n// About b.\n/// Doc.\n#[allow(dead_code)]\n#[ cfg ( test ) ]\n#[allow(x)]\n// more\nfn b() {}\n⟧",
		"comment of a":     "fn a() {} // of a\n⟦#[test]\nfn b() {}\n⟧",
		"comment above":    "fn a() {}\n\n// A section.\n⟦\n#[test]\nfn b() {}\n⟧",
		"not tests":        "#[cfg(not(test))]\nfn a() {}\n#[cfg(any(test, feature = \"x\"))]\nfn b() {}\n#[cfg_attr(test, derive(Debug))]\nstruct C;\n",
		"all":              "fn a() {}\n⟦#[cfg(all(test, unix))]\nfn b() {}\n⟧⟦#[cfg(all(unix, test))]\nfn c() {}\n⟧",
		"frameworks":       "⟦#[tokio::test(flavor = \"x\")]\nasync fn a() {}\n⟧⟦#[rstest]\n#[case(1)]\nfn b(#[case] n: u8) {}\n⟧⟦#[test_case(\"}\"; \"name\")]\nfn c() {}\n⟧",
		"traps": "const A: &str = \"#[cfg(test)] mod a { \\\" }\";\nconst B: &str = r#\"\n#[test]\nfn x() {}\n\"#;\n/* #[test] /* nested */ fn y() {} */\n// #[test]\nfn f<'a>(c: char) -> &'a str { if c == '\"' || c == '\\'' || c == '{' { \"\" } else { \"x\" } }\n" +
			"⟦\n#[cfg(test)]\nmod tests {\n    const C: char = '}'; const D: &[u8] = b\"}\"; const E: &str = r##\"}\"#}\"##; const F: u8 = b'}'; // }\n    /* } */\n    fn g<'x>() {}\n}\n⟧fn z() {}\n",
		"documentation":   "/// #[test]\n/// fn x() {}\npub fn a() {}\n",
		"unclosed":        "fn a() {}\n⟦\n#[cfg(test)]\nmod tests {\n    fn t( {\n⟧",
		"whole file":      "⟦#![cfg(test)]\nfn a() {}\n⟧",
		"inner":           "#![allow(x)]\n//! Docs.\n⟦#[test]\nfn a() {}\n⟧",
		"same line":       "mod m { ⟦#[test] fn a() {}⟧ fn b() {} }\n",
		"crlf":            "fn a() {}\r\n⟦\r\n#[cfg(test)]\r\nmod tests {}\r\n⟧fn b() {}\r\n",
		"attribute's end": "fn a() {}\n⟦#[cfg(test)]⟧",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			src := strings.NewReplacer("⟦", "", "⟧", "").Replace(want)
			if got := marked(src); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// TestSplitIsStable adds, changes and takes away tests, and the source part
// stays as it was.
func TestSplitIsStable(t *testing.T) {
	t.Parallel()
	const before = "//! Docs.\nuse x;\n\nfn a() {}\n\nfn b() {}\n"
	const tests = "\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn t() {}\n}\n"
	for _, with := range []string{
		before + tests,
		before + tests + tests,
		"//! Docs.\nuse x;\n" + tests + "\nfn a() {}\n\nfn b() {}\n",
		"//! Docs.\nuse x;\n\nfn a() {}\n" + tests + tests + "\nfn b() {}\n",
	} {
		if source, _ := Language().Split("src/lib.rs", []byte(with)); source != before {
			t.Errorf("source part of\n%s\nis\n%s", with, source)
		}
	}
}

func TestDeclared(t *testing.T) {
	t.Parallel()
	src := `
#[cfg(test)]
mod tests {
    fn helper() {}
    #[test] fn one() {}
    #[tokio::test(flavor = "x")]
    /// Doc.
    pub(crate) async fn two() {}
    #[rstest]
    #[case(1)]
    fn three(#[case] n: u8) {}
    #[test_case(1; "a")] #[ignore] fn four() {}
    #[test] #[should_panic] unsafe extern "C" fn größe() {}
    // #[test] fn no() {}
    const S: &str = "#[test] fn neither() {}";
    mod inner { #[test] fn five() {} }
    #[test]
    struct Odd;
}
`
	want := []string{"one", "two", "three", "four", "größe", "five"}
	if got := Language().Declared(src); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestAssertions(t *testing.T) {
	t.Parallel()
	src := `
#[test]
#[should_panic(expected = "a  b")]
fn one() {
    let want = 3;
    let list: Vec<u8> = vec![1, 2];
    let parsed = parse("x").unwrap();
    helper(parsed);
    assert_eq!(add(1, 2), 3); // comment
    assert!(
        x.unwrap() > 3,
        "why",
    );
    for (a, b) in [("1", 1), ("2", 2)] { assert_eq!(f(a), b); }
    if bad { panic!("no {}", 1) }
    insta::assert_snapshot!(x);
}
#[rstest]
#[case("1,2", 3)]
fn two() { run().expect("works"); let n = g(); }
`
	want := []string{
		`#[should_panic(expected = "a  b")]`,
		`let want = 3`,
		`let list: Vec<u8> = vec![1, 2]`,
		`let parsed = parse("x").unwrap()`,
		`assert_eq!(add(1, 2), 3)`,
		`assert!(x.unwrap() > 3, "why")`,
		`in [("1", 1), ("2", 2)]`,
		`assert_eq!(f(a), b)`,
		`panic!("no {}", 1)`,
		`assert_snapshot!(x)`,
		`#[case("1,2", 3)]`,
		`run().expect("works")`,
	}
	got := Language().Assertions(src)
	if !slices.Equal(got, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	weaker := strings.Replace(src, "3); // comment", "4);", 1)
	if slices.Equal(Language().Assertions(weaker), want) {
		t.Error("a weaker expectation was not noticed")
	}
	formatted := strings.ReplaceAll(strings.ReplaceAll(src, "assert_eq!(add(1, 2), 3)", "assert_eq!(\n add(1,2),\n 3,\n)"), "    ", "\t")
	if !slices.Equal(Language().Assertions(formatted), want) {
		t.Errorf("formatting was taken for a change: %q", Language().Assertions(formatted))
	}
}

// TestHostileTextsAreReadOnce takes minutes where a text is read anew for each
// of its tokens.
func TestHostileTextsAreReadOnce(t *testing.T) {
	t.Parallel()
	for _, part := range []string{"[let }", "[in ", "](", "(", "#[", "//\n", "#[test]", "x.unwrap()", "let (", "pub ", "/*", "r#", "#[test] pub ("} {
		src := strings.Repeat(part, 200_000/len(part))
		cuts(src)
		page().Declared(src)
		page().Assertions(src)
	}
}

func FuzzSplit(f *testing.F) {
	for _, seed := range []string{
		"fn a() {}\n#[cfg(test)]\nmod tests { #[test] fn t() { assert_eq!(1, 2); } }\n", "'a '\\'' b'x' r#\"\"# /* /* */", "#[cfg(test)]", "#[test]\n\n//x\n#[test]fn", "\xff'",
		"#![cfg(test)]", "let x = [1];", "#[test] pub(", "let (", "in [", ".unwrap(",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		at := 0
		for _, c := range cuts(src) {
			if c.Start < at || c.End < c.Start || c.End > len(src) {
				t.Fatalf("cut %+v after %d of %d", c, at, len(src))
			}
			at = c.End
		}
		source, test := Language().Split("src/lib.rs", []byte(src))
		if len(source)+len(test) != len(src) {
			t.Fatal("bytes were lost")
		}
		page().Declared(src)
		page().Assertions(src)
	})
}
