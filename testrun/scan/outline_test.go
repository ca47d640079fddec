package scan_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/testrun/scan"
)

func TestOutline(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ source, want string }{
		"go":         {"package a\n\n// Sum sums.\nfunc Sum(a, b int) int {\n\treturn a + b\n}\n\ntype T struct {\n\ta int\n}\n\nfunc (t *T) Do() error { return nil }\n", "func Sum(a, b int) int|type T struct|func (t *T) Do() error { return nil }"},
		"python":     {"import os\n\nclass A(B):\n    def f(self, x: int) -> str:\n        if x:\n            return g(x)\n\nasync def g(y): return y\n", "class A(B)|    def f(self, x: int) -> str|async def g(y): return y"},
		"rust":       {"pub(crate) fn add(a: i32) -> i32 {\n    a\n}\nimpl Foo for Bar {\n    pub async fn x(&self) {}\n}\n", "pub(crate) fn add(a: i32) -> i32|impl Foo for Bar|    pub async fn x(&self) {}"},
		"typescript": {"export const add = (a: number) => a;\nexport default class A extends B {\n  private run(x: string): void {\n    this.go(x);\n  }\n}\nexport interface I { a: string }\n", "export const add = (a: number) => a;|export default class A extends B|  private run(x: string): void|export interface I { a: string }"},
		"java":       {"public final class A {\n    public int add(int a, int b) throws E {\n        return add(a);\n    }\n}\n", "public final class A|    public int add(int a, int b) throws E"},
		"c":          {"int add(int a, int b)\n{\n  return add(a, b);\n}\nstatic char *name(void) {\n  puts(\"x\");\n}\n", "int add(int a, int b)|static char *name(void)"},
		"ruby":       {"module M\n  def go(x)\n    puts x\n  end\nend\n", "module M|  def go(x)"},
		"shell":      {"greet() {\n  echo hi\n}\n", "greet()"},
		"prose":      {"All of this is text.\nNothing is declared.\n", ""},
	} {
		if got := strings.Join(scan.Outline(c.source), "|"); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// An outline is short, however long the file and its lines are.
func TestOutlineIsShort(t *testing.T) {
	t.Parallel()
	got := scan.Outline(strings.Repeat("func a("+strings.Repeat("x, ", 1000)+")\n", 1000))
	if len(got) != 31 || got[30] != "(970 more)" || slices.ContainsFunc(got, func(l string) bool { return len([]rune(l)) > 120 }) {
		t.Errorf("%d lines, the last %q", len(got), got[len(got)-1])
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"package a\n\nfunc Sum(a int) int {\n\treturn add(a)\n}\n\nfunc (r *T) Run() {}\n\ntype Pair struct{}\n": "Pair Run Sum",
		"def add(a):\n    return total(a)\n\n\nclass Till:\n    def pay(self):\n        pass\n":                  "Till add pay",
		"pub fn sum(a: i32) -> i32 {\n    go(a)\n}\nfn go(a: i32) -> i32 { a }\n":                                "go sum",
		"export const area = (r) => r * r;\nfunction half(x) { return x / 2; }\nexport class Box {}\n":           "Box area half",
		"public final class Till {\n    public int pay(int sum) {\n        return sum;\n    }\n}\n":              "Till pay",
		"pub const fn sum(a: i32) -> i32 {\n    a\n}\nimpl<T, const N: usize> Small<T, N> {\n}\n":                "sum",
		"def self.sum(a)\n  a\nend\n":                            "sum",
		"add() {\n  echo 1\n}\n":                                 "add",
		"int add(int a, int b)\n{\n    return other(a, b);\n}\n": "add",
		"if (a) {\n  call(b);\n}\n":                              "",
		"\tfn := runtime.FuncForPC(pc)\n\ttype = call(b)\n":      "", // called as keywords elsewhere
	} {
		if got := strings.Join(slices.Sorted(maps.Keys(scan.Names(source))), " "); got != want {
			t.Errorf("%s: %q, want %q", source, got, want)
		}
	}
}
