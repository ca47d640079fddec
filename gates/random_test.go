package gates_test

import (
	"math/rand/v2"

	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
)

// dice makes random values.
type dice struct{ *rand.Rand }

func pick[T any](d dice, of ...T) T { return of[d.IntN(len(of))] }

// seldom is true once in n times.
func (d dice) seldom(n int) bool { return d.IntN(n) == 0 }

func randomCase(seed uint64) *gates.Case {
	d := dice{rand.New(rand.NewPCG(seed, 7))}
	c := &gates.Case{
		Premise: gates.Premise{Plays: pick(d, gates.Tester, gates.Implementor, gates.Refactorer, gates.Role("")), Agent: d.seldom(9), Before: d.facts(), Policy: gates.DefaultPolicy()},
	}
	c.Role = c.Plays
	if d.seldom(8) {
		c.Expected = pick(d, gates.Tester, gates.Implementor)
	}
	c.After = d.next(c.Before)
	c.Message = commitmsg.Parse(d.message(c.Plays))
	if d.seldom(6) {
		c.Special = pick(d, gates.Skipped, gates.Characterization, gates.Disputed, gates.Unguarded, gates.Complete, gates.Special("odd"))
	}
	if d.seldom(2) {
		c.Position = d.position()
	}
	if c.Position.Step.Phase == gates.PhaseRed && !d.seldom(4) {
		base := d.facts()
		c.Base = &base
	}
	if d.seldom(2) {
		crossed := d.next(c.Before)
		c.Crossed = &crossed
	}
	if d.seldom(9) {
		c.Flaky = []string{"calc::a"}
	}
	if d.seldom(4) {
		c.Policy.Stubs, c.Policy.Characterization, c.Policy.MaxNewRed = gates.Allow, gates.Allow, d.IntN(3)
	}
	if d.seldom(2) {
		c.Policy.Coverage = gates.On
		c.Before.Coverage, c.After.Coverage = d.coverage(), d.coverage()
	}
	for range d.IntN(3) {
		c.Change.Files = append(c.Change.Files, d.change())
	}
	if !d.seldom(4) {
		c.Change.Files = []gates.FileChange{d.proper(c.Plays)}
	}
	if len(c.Change.Files) == 0 {
		c.After = c.Before // one tree has one set of facts
	}
	return c
}

func (d dice) coverage() *gates.Coverage {
	switch d.IntN(6) {
	case 0:
		return nil
	case 1:
		return &gates.Coverage{Unknown: "no tool"}
	case 2:
		return &gates.Coverage{}
	}
	lines := d.IntN(5)
	return &gates.Coverage{Files: []gates.FileCoverage{
		{Path: "src/lib.rs", Lines: 9, Reached: d.IntN(10)}, {Path: "src/new.rs", Lines: lines, Reached: d.IntN(lines + 1)},
	}}
}

func (d dice) message(plays gates.Role) string {
	types := map[gates.Role]string{gates.Tester: "test", gates.Implementor: "feat", gates.Refactorer: "refactor", "": "chore"}
	text := types[plays] + ": do it"
	switch d.IntN(8) {
	case 0:
		return "no header"
	case 1:
		return text + "\n\nTdd-Step: 1\nTdd-Role: tester\nTdd-Cycle: 1\nTdd-Phase: red\nTdd-Red: calc::a (assertion)\n"
	}
	return text
}

func (d dice) position() gates.Position {
	return gates.Position{Commit: "c0ffee", Step: gates.Step{
		Number: d.IntN(9), Cycle: d.IntN(3), Role: pick(d, gates.Tester, gates.Implementor),
		Phase: pick(d, gates.PhaseRed, gates.PhaseGreen, gates.PhaseRefactor),
		Tests: pick(d, "", "1 passed, 0 failed", "2 passed, 1 failed", "9 passed, 9 failed", "failed (exit code only)"),
		Red: pick(d, nil, []gates.Red{{ID: "calc::a", Class: gates.ClassAssertion}},
			[]gates.Red{{ID: "tests/a.rs", Class: gates.ClassMissingSymbol, Symbol: "sum"}},
			[]gates.Red{{ID: "tests/a.rs", Class: gates.ClassExitCode}}),
	}}
}

func (d dice) facts() gates.Facts {
	f := gates.Facts{Detail: gates.DetailTest}
	for _, id := range []string{"calc::a", "calc::b", "lib::a", "odd"} {
		if !d.seldom(2) {
			f.Tests = append(f.Tests, d.test(id))
		}
	}
	return d.settle(f)
}

func (d dice) test(id string) gates.Test {
	t := gates.Test{
		ID: id, Status: pick(d, gates.StatusPassed, gates.StatusPassed, gates.StatusPassed, gates.StatusFailed, gates.StatusSkipped),
		File: pick(d, "tests/a.rs", "tests/a.rs", "src/lib.rs", ""), Line: d.IntN(3),
	}
	if t.Status == gates.StatusFailed {
		t.Class = pick(d, gates.ClassAssertion, gates.ClassAssertion, gates.ClassException, gates.ClassUnimplemented, gates.ClassMissingSymbol, gates.ClassCrash)
	}
	return t
}

// settle gives facts the outcome that their tests imply, and now and then a
// different one.
func (d dice) settle(f gates.Facts) gates.Facts {
	f.Outcome = gates.Empty
	for _, t := range f.Tests {
		switch {
		case t.Status == gates.StatusFailed:
			f.Outcome = gates.Failed
		case t.Status == gates.StatusPassed && f.Outcome == gates.Empty:
			f.Outcome = gates.Passed
		}
	}
	why := func(class gates.Class) []gates.Diagnostic {
		return []gates.Diagnostic{{Class: class, Symbol: pick(d, "sum", "odd", ""), File: pick(d, "tests/a.rs", "src/lib.rs", ""), Line: d.IntN(5), Message: "no"}}
	}
	switch d.IntN(20) {
	case 0:
		f.Outcome, f.Diagnostics = gates.Broken, why(pick(d, gates.ClassMissingSymbol, gates.ClassMissingSymbol, gates.ClassCompile, gates.ClassSyntax))
	case 1:
		f.Outcome, f.Diagnostics = pick(d, gates.Timeout, gates.Crashed), why(gates.ClassInfra)
	case 2:
		f.Tests, f.Detail, f.Outcome = nil, gates.DetailExitCode, pick(d, gates.Passed, gates.Failed)
	case 3:
		f.Check, f.CheckDiagnostics = pick(d, gates.Failed, gates.Timeout), why(gates.ClassMissingSymbol)
	case 4:
		f.Check = gates.Passed
	}
	return f
}

// next is what one commit could make of facts.
func (d dice) next(f gates.Facts) gates.Facts {
	out := gates.Facts{Detail: gates.DetailTest}
	for _, t := range f.Tests {
		switch d.IntN(9) {
		case 0:
		case 1, 2:
			out.Tests = append(out.Tests, d.test(t.ID))
		case 3:
			t.Status, t.Class = gates.StatusPassed, gates.ClassNone
			out.Tests = append(out.Tests, t)
		default:
			out.Tests = append(out.Tests, t)
		}
	}
	if _, ok := out.Lookup("calc::new"); !ok && d.seldom(2) {
		out.Tests = append(out.Tests, d.test("calc::new"))
	}
	return d.settle(out)
}

func (d dice) change() gates.FileChange {
	old, now := d.file(), d.file()
	if d.seldom(3) {
		now.Path, now.Kind = old.Path, old.Kind
	}
	f := gates.FileChange{
		Old: old, New: now,
		Source: gates.Lines{Added: d.IntN(50), Deleted: d.IntN(2)}, Test: gates.Lines{Added: d.IntN(50)},
	}
	switch d.IntN(4) {
	case 0:
		f.Old = nil
	case 1:
		f.New = nil
	}
	return f
}

// proper is a change that a role may make.
func (d dice) proper(plays gates.Role) gates.FileChange {
	if plays != gates.Tester {
		return gates.FileChange{
			Old:    &gates.File{Path: "src/lib.rs", Mode: "100644", Kind: gates.KindSource, Source: "fn sum() {}\n"},
			New:    &gates.File{Path: "src/lib.rs", Mode: "100644", Kind: gates.KindSource, Source: "fn sum() { todo!() }\n"},
			Source: gates.Lines{Added: 1, Deleted: 1},
		}
	}
	f := gates.FileChange{Old: d.file(), New: d.file(), Test: gates.Lines{Added: 3}}
	for _, side := range []*gates.File{f.Old, f.New} {
		side.Path, side.Mode, side.Kind, side.Source, side.Binary = "tests/a.rs", "100644", gates.KindTest, "", false
	}
	return f
}

func (d dice) file() *gates.File {
	f := &gates.File{
		Path: pick(d, "tests/a.rs", "tests/a.rs", "src/lib.rs", "Cargo.toml", ".tdd.yaml", "README.md", "tests/x.snap"),
		Mode: pick(d, "100644", "100644", "100644", "100755", "120000", "160000"), Binary: d.seldom(12),
	}
	f.Kind = map[string]gates.Kind{
		"tests/a.rs": gates.KindTest, "src/lib.rs": gates.KindSource, "Cargo.toml": gates.KindConfig, "tests/x.snap": gates.KindSupport,
	}[f.Path]
	if f.Kind == "" {
		f.Kind = gates.KindOther
	}
	if f.Kind == gates.KindTest || f.Kind == gates.KindSource && d.seldom(3) {
		f.Test = pick(d, "fn a() {\n    sum()\n}\n", "fn a() {\n    sum()\n}\nfn new() {\n    odd();\n    sum();\n}\n", "fn odd() {}\n", "")
		f.Declared = pick(d, nil, []string{"a"}, []string{"a", "new"})
		f.Assertions = pick(d, nil, []string{"assert!(x)"}, []string{"assert!(x)", "assert!(x)"})
	}
	if f.Kind == gates.KindSource {
		f.Source = pick(d, "", "fn sum() {}\n", "fn sum() {}\nfn odd() {}\n")
	}
	return f
}
