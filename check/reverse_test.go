package check

import (
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// A changed test must still fail where it once was red.
func TestStory_refactorKeepsTestsSharp(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "go")
	l := newLab(t)
	c := l.checker()
	start := l.commit("chore: start", calc(sumZero, testZero))
	red := l.must(c, "test: sum", calc(sumZero, testZero+testSum), start)
	green := l.must(c, "feat: sum", calc(sum, testZero+testSum), red.commit)
	before := c.Count()
	helper := "\nfunc one() int { return 1 }\n"
	blunt := strings.Replace(testSum, "\tif got", "\tif true {\n\t\treturn\n\t}\n\tif got", 1)
	l.refused(l.propose(c, "refactor: blunt", calc(sum, testZero+blunt), green.commit), "same-tests")
	if c.Count() != before+2 { // the new tree; the old tests on the new sources are the old tree; the new tests on the red's
		t.Errorf("%d measurements, want 2", c.Count()-before)
	}
	sharp := l.must(c, "refactor: blanks", calc(sum, testZero+strings.Replace(testSum, "\tif got", "\t// Sum adds.\n\tif got", 1)+helper), green.commit)
	if sharp.j.Case.Reversed == nil || sharp.j.Case.Reversed.Step != 1 || sharp.j.Case.Reversed.Facts.Outcome != "failed" {
		t.Errorf("%+v", sharp.j.Case.Reversed)
	}
	l.verifies(sharp.commit)
	// The red is found behind later ones.
	elsewhere := files{"double_test.go": "package calc\n\nimport \"testing\"\n" + testTwo}
	more := l.must(c, "test: double", calc(sum, testZero+testSum).With(elsewhere), green.commit)
	two := l.must(c, "feat: double", calc(both, testZero+testSum).With(elsewhere), more.commit)
	l.refused(l.propose(c, "refactor: blunt", calc(both, testZero+blunt).With(elsewhere), two.commit), "same-tests")
}

// Tests inside sources are run against the sources of a red, too.
func TestStory_refactorKeepsInlineTestsSharp(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "cargo")
	l := newLab(t)
	c := l.checker()
	const stub, add, tidy = "pub fn add(_: i32, _: i32) -> i32 { 0 }\n", "pub fn add(a: i32, b: i32) -> i32 { a + b }\n", "/// Adds.\npub fn add(a: i32, b: i32) -> i32 { a + b }\n"
	lib := func(source, tests string) files { return crate(labelled("sharp", source+tests)) }
	start := l.commit("chore: start", lib(stub, ""))
	red := l.must(c, "test: sum", lib(stub, inline("2")), start)
	green := l.must(c, "feat: sum", lib(add, inline("2")), red.commit)
	blunt := strings.Replace(inline("2"), "        assert_eq!", "        if true { return; }\n        assert_eq!", 1)
	l.refused(l.propose(c, "refactor: blunt", lib(tidy, blunt), green.commit), "same-tests")
	l.refused(l.propose(c, "chore: blunt", lib(tidy, blunt), green.commit), "stay-green")
	sharp := l.must(c, "refactor: words", lib(tidy, inline("1 + 1")), green.commit)
	if sharp.j.Case.Reversed == nil || sharp.j.Case.Reversed.Facts.Outcome != "failed" {
		t.Errorf("%+v", sharp.j.Case.Reversed)
	}
}
