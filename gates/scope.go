package gates

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/bmatcuk/doublestar/v4"
)

func scopeGate() Gate {
	return Gate{
		Name: "scope", Who: "all in the loop", Judges: func(c *Case) bool { return c.rules() != "" },
		Doc: `Each role touches its own files. A tester: tests and test support only (with
"gates.stubs: allow" also additions to sources, if the new test then fails as
unimplemented). An implementor: no test, test support, snapshot or runner
configuration. A refactorer: sources, and tests as long as no snapshot or test
data changes. A role of the project's own: its paths (roles.X.paths) and nothing
else, and code only if it is judged by same-tests. A source file that holds tests
beside its code is split, and each role is held to its part. A fixup!, squash! or
amend! is held to what the role of its target may touch, because that is whose
step it becomes. Sources
do not ask whether they are tested, who calls them or by which command, change
built-in types, or leave the process where they are no program: of models that
is refused, people are told.

Why: whoever must pass a test must not be able to change it, and whoever writes
it must not be able to make it pass. Code that knows its test can answer it.

To satisfy it: leave the files named here as they were; a change to runner or
build configuration is a commit of its own outside the loop (build: or chore:).`,
		Static: func(c *Premise) []Finding {
			var out []Finding
			for _, f := range c.Change.Files {
				if seen, remedy := outOfScope(c, f); seen != "" {
					out = append(out, Finding{Path: f.Path(), Seen: seen, Remedy: remedy})
				}
				out = append(out, asking(c, f)...)
			}
			return out
		},
	}
}

// asking lists what a change adds to a source that finds out whether it is tested.
func asking(c *Premise, f FileChange) []Finding {
	return Each(f.Asks, func(a Asking) Finding {
		return Finding{
			Path: f.Path(), Line: a.Line, Note: !c.Agent, Doubt: !c.Agent,
			Seen:   fmt.Sprintf("the source can tell by %q that it is tested, or reaches beyond itself", a.Text),
			Remedy: "let it do the same whoever runs it: what it needs comes in as an argument",
		}
	})
}

// outOfScope says what of a file's change is not for the role, and what to do; nothing if
// all is.
func outOfScope(c *Premise, f FileChange) (seen, remedy string) {
	kinds := []Kind{sideOf(f.Old).Kind, sideOf(f.New).Kind}
	switch {
	case slices.Contains(kinds, KindConfig):
		return fmt.Sprintf("the %s changes runner or build configuration", cmp.Or(c.Role, c.FixupOf)),
			"leave it as it was; configuration changes in a commit of its own (build: or chore:)"
	case c.rules() == Tester:
		return testerScope(c, f)
	case c.rules() == Implementor && f.TouchesTest() && !c.Cycle:
		remedy = "leave every test as it is and change the sources until it passes"
		if c.Mixed() {
			remedy = "leave it to a commit of its own (test: …), before this one"
		}
		return "the implementor changes a test or test support", remedy
	case c.rules() == Refactorer:
		return expectationChange(f)
	case c.rules() == Keeper:
		return keeperScope(c, f)
	}
	return "", ""
}

// testerScope lets a tester touch files that are for tests both before and
// after (so that a rename is no loophole), and the test part of a source. If
// stubs are allowed, lines may be added to a source.
func testerScope(c *Premise, f FileChange) (seen, remedy string) {
	only := func(k func(Kind) bool) bool {
		return (f.Old == nil || k(f.Old.Kind)) && (f.New == nil || k(f.New.Kind))
	}
	source := only(func(k Kind) bool { return k == KindSource })
	switch {
	case only(isTesting), source && !f.touchesSource(), source && c.Policy.Stubs == Allow && f.addsOnly():
		return "", ""
	}
	kind := f.Kind()
	if isTesting(kind) {
		kind = f.Old.Kind // it was renamed to a test
	}
	return fmt.Sprintf("the tester changes what is no test (%s)", kind), "a tester writes tests and test support only; leave this file as it was"
}

// addsOnly reports whether a change adds lines to a source and does nothing
// else to it.
func (c FileChange) addsOnly() bool {
	return c.New != nil && !c.New.opaque() && !c.Old.opaque() && !c.Renamed() &&
		c.Source.Deleted == 0 && (c.Old == nil || c.Old.Mode == c.New.Mode)
}

// expectationChange refuses a refactoring that alters expectations that are not
// in the list of assertions: snapshots, test data, and binary tests. They may
// move.
func expectationChange(f FileChange) (seen, remedy string) {
	opaque := f.TouchesTest() && (f.Old.opaque() || f.New.opaque())
	data := f.Old.IsData() || f.New.IsData()
	if !opaque && (!data || f.Old != nil && f.New != nil && f.Old.Test == f.New.Test) {
		return "", ""
	}
	return "the refactoring changes what tests compare with",
		"leave snapshots and test data as they were; a refactoring changes how, never what is expected"
}

// IsData reports whether a file holds expectations or inputs of tests and no
// code. If that cannot be told, it counts as data.
func (f *File) IsData() bool {
	if f == nil || f.Kind != KindSupport {
		return false
	}
	return doublestar.MatchUnvalidated("**/{testdata,fixtures,__fixtures__,__snapshots__}/**", f.Path) ||
		!doublestar.MatchUnvalidated("**/*.{rs,go,py,rb,php,java,kt,cs,c,h,cc,cpp,hpp,ex,exs,js,mjs,cjs,jsx,ts,tsx,sh,bash,bats,pl,pm,t}", f.Path)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
