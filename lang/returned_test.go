package lang_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/syntax"
)

// What a function gives back is made another value where it is only a name, too: the
// sources say GIVEN where they mean it.
func TestReturnedName(t *testing.T) {
	t.Parallel()
	for language, sources := range map[string][]string{
		"cpp": {
			"int f(int start) {\n    return GIVEN;\n}\n", "bool f(bool start) {\n    if (x) {\n        return GIVEN;\n    }\n}\n",
			"std::string f() const {\n    return GIVEN;\n}\n", "const std::string& Point::name() const {\n    return GIVEN;\n}\n",
			"std::size_t f(std::size_t start) noexcept {\n    return GIVEN;\n}\n",
		},
		"go": {
			"package a\n\nfunc f(start int) int {\n\treturn GIVEN\n}\n", "package a\n\nfunc f(start *Point) (*Point, error) {\n\treturn GIVEN, nil\n}\n",
			"package a\n\nfunc f(start error) error {\n\treturn GIVEN\n}\n",
		},
		"java": {
			"class A {\n    int f(int start) {\n        return GIVEN;\n    }\n}\n", "class A {\n    String f(String start) {\n        return GIVEN;\n    }\n}\n",
			"class A {\n    @Override\n    public boolean f() throws A, B {\n        return GIVEN;\n    }\n}\n",
			"class A {\n    long f() {\n        if (a) {\n            return GIVEN;\n        }\n    }\n}\n",
		},
		"javascript": {
			"function f(start) {\n  return GIVEN;\n}\n", "export const f = (start) => GIVEN;\n", "const f = async (a, start) => {\n  return GIVEN;\n};\n",
			"class A {\n  get start() {\n    return this.GIVEN;\n  }\n}\n",
		},
		"typescript": {"export function f(start: number): number {\n  return GIVEN;\n}\n", "export const f = (start: number): number => GIVEN;\n"},
		"php":        {"<?php\nfunction f($start)\n{\n    return $GIVEN;\n}\n", "<?php\nclass A\n{\n    public function f(): string\n    {\n        return $this->GIVEN;\n    }\n}\n", "<?php\nfunction f($a)\n{\n    return $a . $GIVEN;\n}\n"},
		"python":     {"def f(start):\n    return GIVEN\n"},
		"ruby":       {"def f(start)\n  GIVEN\nend\n", "def f(start)\n  return GIVEN if start\n  nil\nend\n", "def f(start) = GIVEN\n", "def f\n  @GIVEN\nend\n"},
		"rust":       {"fn f(start: i32) -> i32 {\n    GIVEN\n}\n", "fn f(start: bool) -> bool {\n    return GIVEN;\n}\n", "fn f(start: String) -> String {\n    GIVEN\n}\n"},
		"shell":      {"f() {\n  echo \"$GIVEN\"\n}\n", "f() {\n  echo $GIVEN\n}\n", "f() { printf '%s\\n' \"$GIVEN\"; }\n", "f() {\n  printf %s \"${GIVEN}\"\n}\n"},
	} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			known, err := lang.All().ByName(language)
			if err != nil {
				t.Fatal(err)
			}
			for _, source := range sources {
				at := strings.Index(source, "GIVEN")
				found := false
				for _, m := range known.Syntax.Mutants(source) {
					found = found || m.Edit.Start <= at+len("GIVEN") && at <= m.Edit.End
				}
				if !found {
					t.Errorf("nothing is made of what this gives back:\n%s", source)
				}
			}
		})
	}
}

// So are the parts of what it puts together and gives back, which a test of its type or of
// how many they are does not see.
func TestReturnedParts(t *testing.T) {
	t.Parallel()
	for language, sources := range map[string][]string{
		"cpp": {"Point f(Point p) {\n    return Point{p.y, p.GIVEN};\n}\n", "std::pair<int, int> f(int a) {\n    return {a, GIVEN};\n}\n"},
		"go": {
			"package a\n\nfunc f(p Point) *Point {\n\treturn &Point{X: p.Y, Y: p.GIVEN}\n}\n", "package a\n\nfunc f(a int) (int, int) {\n\treturn a, GIVEN\n}\n",
			"package a\n\nfunc f(a Point) (Point, string, error) {\n\treturn a, GIVEN, nil\n}\n",
			"package a\n\nfunc f(a int) (int, int, Point) {\n\treturn a, GIVEN, Point{X: 1}\n}\n",
		},
		"java":       {"class A {\n    Point f(Point p) {\n        return new Point(p.y(), p.GIVEN());\n    }\n}\n", "class A {\n    List<Integer> f(int a) {\n        return List.of(a, GIVEN);\n    }\n}\n"},
		"javascript": {"function f(p) {\n  return new Point(p.y, GIVEN);\n}\n", "const f = (p) => ({ x: p.y, y: GIVEN });\n", "function f(a) {\n  return [a, GIVEN];\n}\n"},
		"php":        {"<?php\nfunction f($p)\n{\n    return new Point($p->y, $GIVEN);\n}\n", "<?php\nfunction f($p)\n{\n    return ['x' => $p->y, 'y' => $GIVEN];\n}\n"},
		"python":     {"def f(p):\n    return Point(p.y, GIVEN)\n", "def f(p):\n    return p.y, GIVEN\n", "def f(p):\n    return {'x': p.y, 'y': GIVEN}\n", "def f(p):\n    return Ok([Point(x=GIVEN)])\n"},
		"ruby":       {"def f(p)\n  Point.new(p.y, GIVEN)\nend\n", "def f(a)\n  [a, GIVEN]\nend\n", "def f(a)\n  { x: a, y: GIVEN }\nend\n"},
		"rust": {
			"fn f(p: &Point) -> Point {\n    let q = p;\n    Point { x: q.y, y: q.GIVEN }\n}\n", "fn f(a: i32) -> (i32, i32) {\n    (a, GIVEN)\n}\n",
			"fn f(a: i32) -> Option<Point> {\n    Some(Point::new(a, GIVEN))\n}\n",
		},
	} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			known, err := lang.All().ByName(language)
			gittest.Check(t, err)
			for _, source := range sources {
				at := strings.Index(source, "GIVEN")
				if !slices.ContainsFunc(known.Syntax.Mutants(source), func(m syntax.Mutant) bool {
					return m.Edit.Start <= at && at < m.Edit.End && (m.Rank == 5 || source[m.Edit.Start:m.Edit.End] == "GIVEN")
				}) {
					t.Errorf("no part is made another one:\n%s", source)
				}
			}
		})
	}
	for language, sources := range map[string][]string{ // the same, or what does not compile
		"javascript": {"function f(x, GIVEN) {\n  return { x, GIVEN };\n}\n", "function f(x) {\n  return [, 1];\n}\n"},
		"ruby":       {"def f(x)\n  Point.new(x:, **rest)\nend\n"},
		"python":     {"def f(x):\n    return {x, GIVEN}\n", "def f(x):\n    return max(x, GIVEN)\n", "def f(x):\n    return [GIVEN for GIVEN in x]\n"},
		"go":         {"package a\n\nfunc f() (Point, error) {\n\treturn Point{X: x, Y: nil}, err\n}\n"},
		"rust":       {"fn f(x: i32, y: i32) -> Point {\n    Point { x, GIVEN }\n}\n"},
	} {
		known, err := lang.All().ByName(language)
		gittest.Check(t, err)
		for _, source := range sources {
			for _, m := range known.Syntax.Mutants(source) {
				if m.Rank == 5 {
					t.Errorf("%s: %s", source, m.What)
				}
			}
		}
	}
}
