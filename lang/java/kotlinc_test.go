package java

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/projecttest"
)

// Maven and two versions of Gradle's plugin print one error each in their own way.
func TestKotlinCompiler(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "CalcTest.kt")
	if err := os.WriteFile(file, []byte("package calc\nimport calc.Extra\nimport org.other.Lib\nval x = twice(2)\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"[ERROR] " + file + ": (4, 9) Unresolved reference: twice":        "missing-symbol twice",
		"[ERROR] " + file + ":[4,9] Unresolved reference: twice":          "missing-symbol twice",
		"e: " + file + ": (4, 9): Unresolved reference: twice":            "missing-symbol twice",
		"e: file://" + file + ":4:9 Unresolved reference 'twice'.":        "missing-symbol twice",
		"e: file://" + file + ":2:13 Unresolved reference: Extra":         "missing-symbol Extra",
		"e: file://" + file + ":3:8 Unresolved reference: other":          "infra ",
		"e: file://" + file + ":4:9 Cannot access 'twice': it is private": "missing-symbol twice",
		"e: file://" + file + ":4:9 Expecting an expression":              "syntax ",
		"e: file://" + file + ":4:9 Type mismatch":                        "compile ",
	} {
		index := &sourceIndex{places: &testrun.Places{Dir: dir, Language: Language()}, byName: map[string][]string{"CalcTest.kt": {"CalcTest.kt"}}, texts: map[string]string{}}
		j := &javac{index: index}
		j.read(line)
		if len(j.found) != 1 {
			t.Errorf("%s: %d errors, want one", line, len(j.found))
			continue
		}
		projecttest.Want(t, line, string(j.found[0].Class)+" "+j.found[0].Symbol, want)
	}
}
