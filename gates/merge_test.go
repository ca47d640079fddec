package gates_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
)

// TestMerge judges what a merge makes of one file of sources and one of tests. Each word
// is a line; one that begins with "Test" is a test, and what follows its dash its text.
func TestMerge(t *testing.T) {
	t.Parallel()
	const left, brought = "the merge leaves out what", "the merge brings what no side has"
	for name, m := range map[string]struct{ fork, ours, theirs, merge, want string }{
		"side by side":                     {"a b TestA-1", "a b c TestA-1", "d a b TestA-2", "d a b c TestA-2", ""},
		"the same on both":                 {"a TestA-1", "a b TestA-2", "a b TestA-2", "a b TestA-2", ""},
		"one of two in conflict":           {"a TestA-1", "b TestA-2", "c TestA-3", "c TestA-2", ""},
		"both of two in conflict":          {"a TestA-1", "b TestA-1", "c TestA-1", "b c TestA-1", ""},
		"a line of its own":                {"a TestA-1", "a b TestA-1", "c a TestA-1", "c x a b TestA-1", "note: " + brought},
		"a line twice":                     {"a TestA-1", "a b TestA-1", "c a TestA-1", "c a b b TestA-1", "note: " + brought},
		"a test of its own":                {"a TestA-1", "a TestA-2", "a TestA-3", "a TestA-4", "note: " + brought},
		"theirs left out":                  {"a TestA-1", "a b TestA-1", "a TestA-2", "a b TestA-1", "refused: " + left},
		"ours left out":                    {"a TestA-1", "a TestA-2", "a b TestA-1", "a b TestA-1", "refused: " + left},
		"theirs left out among others":     {"a TestA-1 TestB-1", "a TestA-1 TestB-2", "a TestA-2 TestB-1", "a TestA-1 TestB-2", "refused: " + left},
		"their sources left out":           {"a TestA-1", "a TestA-1 TestB-1", "b TestA-1", "a TestA-1 TestB-1", "note: " + left},
		"left out, as ours has it already": {"a TestA-1", "a b TestA-2", "c a TestA-2", "c a b TestA-2", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			passed := gates.Facts{Outcome: gates.Passed, Detail: gates.DetailTest}
			c := gates.Case{
				Premise:  gates.Premise{Merge: true, Message: commitmsg.Parse("chore: merge\n"), Before: passed, Policy: gates.DefaultPolicy(), Change: changed(m.ours, m.merge)},
				Measured: gates.Measured{After: passed, Merged: []gates.Side{{Facts: passed, Fork: passed, Change: changed(m.theirs, m.merge), Ours: changed(m.fork, m.ours), Theirs: changed(m.fork, m.theirs)}}},
			}
			v, got := gates.Judge(&c), ""
			for _, f := range v.Notes {
				got = "note: " + f.Seen
			}
			for _, f := range v.Findings {
				got = "refused: " + f.Seen
			}
			if !strings.HasPrefix(got, m.want) || (got == "") != (m.want == "") {
				t.Errorf("%q, want %q", got, m.want)
			}
		})
	}
}

// changed is the change from one project to another.
func changed(before, after string) gates.Change {
	var c gates.Change
	was, now := project(before), project(after)
	for i := range was {
		if was[i].Source != now[i].Source || was[i].Test != now[i].Test {
			c.Files = append(c.Files, gates.FileChange{Old: was[i], New: now[i]})
		}
	}
	return c
}

func project(words string) []*gates.File {
	source := &gates.File{Path: "calc.go", Mode: "100644", Kind: gates.KindSource}
	test := &gates.File{Path: "calc_test.go", Mode: "100644", Kind: gates.KindTest}
	for word := range strings.FieldsSeq(words) {
		name, text, isTest := strings.Cut(word, "-")
		if !isTest {
			source.Source += word + "\n"
			continue
		}
		test.Declared = append(test.Declared, name)
		test.Test += "func " + name + "() {\n\tcheck(a" + text + ")\n}\n"
	}
	slices.Sort(test.Declared)
	return []*gates.File{source, test}
}
