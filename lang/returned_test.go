package lang_test

import (
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/lang"
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
