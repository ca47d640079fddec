package gates

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// brokenReds judges a change after which the project, or a part of it, does not
// compile: it is a red only if every diagnostic is a missing symbol that the
// added test names, or asks of a symbol what it does not offer yet.
func brokenReds(c *Case) ([]Red, []Finding) {
	var out []Finding
	var missing []Diagnostic // the first of each file
	for _, d := range c.After.Diagnostics {
		switch {
		case !c.explains(&d) || !slices.Contains(c.Policy.RedReasons, ClassMissingSymbol):
			out = append(out, about(Test{File: d.File, Line: d.Line}, fmt.Sprintf("the tests do not compile (%s): %s", d.Class, firstLine(d.Message)),
				"the only thing missing may be what the new test names; everything else must compile"))
		case !slices.ContainsFunc(missing, func(m Diagnostic) bool { return m.File == d.File }):
			d.Class = ClassMissingSymbol
			missing = append(missing, d)
		}
	}
	if len(c.After.Diagnostics) == 0 {
		out = append(out, Finding{Seen: "the project does not build, and nothing says why", Remedy: "see the output"})
	}
	slices.SortFunc(missing, func(a, b Diagnostic) int { return cmp.Compare(a.File, b.File) })
	reds := fileReds(c.Change, missing)
	if len(missing) > 0 && len(reds) == 0 {
		out = append(out, Finding{Seen: "no test is added or changed, yet the tests do not compile", Remedy: "add the test that needs what is missing"})
	}
	beside := append(declarationFindings(&c.Premise), shadowed(c, c.Before)...)
	if len(out) == 0 && len(beside) == 0 { // a test that is gone changed its file, too
		beside = rewrittenBeside(&c.Premise, missing)
	}
	return reds, slices.Concat(out, beside, brokeOthers(c))
}

// rewrittenBeside refuses to change other tests along with a red that does not
// compile: none of them runs, so nothing shows what they are worth now. What names
// what is missing belongs to the red.
func rewrittenBeside(c *Premise, symbols []Diagnostic) []Finding {
	missing := func(text string) bool {
		return slices.ContainsFunc(symbols, func(d Diagnostic) bool { return wordAt(text, d.Symbol) >= 0 })
	}
	const (
		why    = " reads otherwise in a red that does not compile, so nothing shows what it is worth now"
		remedy = "change only the new test; an old one changes in a step or commit of its own"
	)
	var out []Finding
	for _, f := range c.Change.Files {
		if f.New != nil && len(sideOf(f.Old).Declared) > 0 && sideOf(f.Old).Test != sideOf(f.New).Test && !missing(sideOf(f.New).Test) {
			out = append(out, Finding{Path: f.New.Path, Seen: "this file of tests" + why, Remedy: remedy})
			continue
		}
		for _, name := range sideOf(f.Old).Declared {
			if was, now := ownText(f.Old, name), ownText(f.New, name); now != "" && was != now && !missing(now) {
				out = append(out, Finding{Path: f.New.Path, Test: name, Seen: "this test" + why, Remedy: remedy})
			}
		}
	}
	return out
}

// declarations lists the names of the tests that the files of a change declared before,
// and declare now. A test that moved is in both.
func (c Change) declarations() (was, now []string) {
	for _, f := range c.Files {
		was, now = append(was, sideOf(f.Old).Declared...), append(now, sideOf(f.New).Declared...)
	}
	return was, now
}

// Declared counts the tests that a change declares anew.
func Declared(change Change) int {
	was, now := change.declarations()
	return len(without(now, was))
}

// declarationFindings judges the text if no run can: the change must not add
// more tests than the policy allows, and must not remove any.
func declarationFindings(c *Premise) []Finding {
	was, now := c.Change.declarations()
	out := Each(slices.Compact(more(was, now)), func(name string) Finding {
		return about(Test{ID: name}, "this test was there before and is gone", "put the test back; a step never removes, renames or hides one")
	})
	if came := Declared(c.Change); came > c.Policy.MaxNewRed {
		out = append(out, objection(fmt.Sprintf("the change declares %d new tests; the policy allows %d", came, c.Policy.MaxNewRed),
			"keep one new test, leave the others for later cycles"))
	}
	return out
}

// brokeOthers lists the tests that could run, passed before, and fail now.
func brokeOthers(c *Case) []Finding {
	was := c.follow(c.Before, c.After).was
	broken := slices.DeleteFunc(c.After.With(StatusFailed), func(t Test) bool { return was[t.ID].Status != StatusPassed })
	return Each(broken, func(t Test) Finding {
		return failed(t, "this test passed before and fails now", "leave it, and what it needs, as it was")
	})
}

// fileReds names the files whose added or changed tests cannot be built, by what the
// compiler misses in each. If only a helper does not compile, the first file with changed
// tests stands for it.
func fileReds(change Change, missing []Diagnostic) []Red {
	var reds []Red
	add := func(f FileChange, d Diagnostic) {
		reds = append(reds, Red{ID: f.Path(), Class: d.Class, Symbol: cmp.Or(d.Symbol, "what the change adds")})
	}
	for _, f := range change.Files {
		if d, misses := Find(missing, func(d Diagnostic) bool { return d.File == f.Path() }); misses && f.renewsTest() {
			add(f, d)
		}
	}
	if f, tests := Find(change.Files, FileChange.renewsTest); len(reds) == 0 && tests && len(missing) > 0 {
		add(f, missing[0])
	}
	return reds
}

// renewsTest reports whether a change adds or rewrites a test. If a test file
// does not show where its tests begin, as where a loop makes them, any change counts.
func (c FileChange) renewsTest() bool {
	if c.New == nil || !c.TouchesTest() {
		return false
	}
	if len(c.New.Declared) == 0 {
		return c.New.Kind == KindTest
	}
	return slices.ContainsFunc(c.New.Declared, func(name string) bool {
		now := ownText(c.New, name)
		return now == "" || now != ownText(c.Old, name)
	})
}

// explains reports whether the red itself explains a diagnostic: a missing
// symbol, reported in a test that the step changed, on a line that it added,
// and named in what it adds to the tests. A symbol whose declaration the step
// removed is not missing but broken. A symbol of which the test asks more than it
// offers (an argument more, a trait) is missing in that form.
func (c *Premise) explains(d *Diagnostic) bool {
	if d.Class == ClassCompile {
		d.Symbol = c.asked(*d)
	} else if d.Class != ClassMissingSymbol {
		return false
	}
	named, there := false, false
	for _, f := range c.Change.Files {
		added := moreLines(sideOf(f.New).Test, sideOf(f.Old).Test)
		if defines(moreLines(sideOf(f.Old).Test, sideOf(f.New).Test), d.Symbol) && !defines(added, d.Symbol) {
			return false
		}
		named = named || names(added, d.Symbol)
		there = there || f.New != nil && f.New.Path == d.File && f.TouchesTest() && onAddedLine(f.New, *d, added)
	}
	return named && there
}

// ownFaultPattern is what compilers say of code that asks nothing of other code.
var ownFaultPattern = lazyregexp.New(`(?i)\b(?:not|never|un)[ -]?(?:used|read)\b|missing return|redeclared|redefin|already (?:defined|declared)|multiple times|duplicate`)

// asked is the symbol of which an added line of a test asks what it does not offer
// yet, where all compiled before and no source changes; "" if there is none. A
// compiler names it, or the line itself calls it.
func (c *Premise) asked(d Diagnostic) string {
	if !c.Before.Complete() || touchesSources(c) || ownFaultPattern.MatchString(d.Message) {
		return ""
	}
	f, changed := c.Change.to(d.File)
	if !changed {
		return ""
	}
	lines, added := strings.Split(f.New.Test, "\n"), moreLines(sideOf(f.New).Test, sideOf(f.Old).Test)
	if f.New.Source != "" || d.Line < 1 || d.Line > len(lines) || !slices.Contains(added, strings.TrimSpace(lines[d.Line-1])) {
		return ""
	}
	used := slices.Concat(Each(added, func(line string) []string { return without(calls(line), f.New.Declared) })...)
	its := calls(lines[d.Line-1])
	slices.Reverse(its)
	words := append(Identifiers(d.Message), its...)
	symbol, _ := Find(words, func(word string) bool { return slices.Contains(used, word) })
	return symbol
}

// onAddedLine reports whether a diagnostic points at an added line, as far as
// that can be told: line numbers refer to the whole file, and some diagnostics
// point next to the name.
func onAddedLine(f *File, d Diagnostic, added []string) bool {
	lines := strings.Split(f.Test, "\n")
	if f.Source != "" || d.Line < 1 || d.Line > len(lines) || wordAt(lines[d.Line-1], d.Symbol) < 0 {
		return true
	}
	return slices.Contains(added, strings.TrimSpace(lines[d.Line-1]))
}

// redCheck requires that the check passes, or fails only because of what the red
// misses. A check that compiles says so too where the tests themselves run uncompiled.
func redCheck(c *Case, reds []Red) []Finding {
	if c.After.Check != Failed && c.After.Check != Broken {
		return nil
	}
	rest, compiles := c.After.CheckDiagnostics, c.After.Check == Broken
	if compiles || slices.ContainsFunc(reds, func(r Red) bool { return r.Class == ClassMissingSymbol }) {
		rest = slices.DeleteFunc(slices.Clone(rest), func(d Diagnostic) bool {
			broke := func(o Diagnostic) bool { return o.File == d.File && o.Line == d.Line }
			return (compiles || d.Class == ClassMissingSymbol || slices.ContainsFunc(c.After.Diagnostics, broke)) && c.explains(&d)
		})
		if len(rest) == 0 && len(c.After.CheckDiagnostics) > 0 {
			return nil
		}
	}
	return complaints("the check fails", rest,
		"satisfy the check: only the missing symbol of the new test may fail it; what the check held against the sources before is a commit of its own (chore:)")
}

// derivedReds lists what fails without a change that was taken apart: its tests under
// the sources of before. Nobody chose how many there are, and whatever keeps them from
// passing is the lack of the change, because with it they pass: a fixture or a table
// may hold what a test expects, and a signature that it wants may not be there yet.
func derivedReds(c *Case) []Red {
	if c.After.Outcome == Broken {
		return fileReds(c.Change, c.After.Diagnostics)
	}
	was := c.follow(c.Before, c.After).was
	fails := slices.DeleteFunc(c.After.With(StatusFailed), func(t Test) bool { return was[t.ID].Status == StatusFailed || byItsParts(c.After, t) })
	return Each(fails, func(t Test) Red { return Red{ID: t.ID, Class: t.Class} })
}

// asksAnew reports whether a test that still notices something fails without the change
// that was taken apart, so that what it expects is new. It may be an expression, of which
// less can be measured than of a value.
func (c *Premise) asksAnew(t Test, now Grade) bool {
	without, ran := c.Before.Lookup(t.ID)
	return c.Derived && now == GradeSense && (!ran || without.Status == StatusFailed)
}

// ownAnswers leaves of the tests that a red waited for those that were not there
// before, if there are any: an old one beside them could not run either.
func (c *Premise) ownAnswers(all []Test) []Test {
	if c.Base == nil {
		return all
	}
	fresh := slices.DeleteFunc(slices.Clone(all), func(t Test) bool {
		was, there := c.Base.Lookup(t.ID)
		now, ran := c.Before.Lookup(t.ID)
		return there && was.Status == StatusPassed && (!ran || now.Status != StatusFailed)
	})
	if len(fresh) == 0 {
		return all
	}
	return fresh
}
