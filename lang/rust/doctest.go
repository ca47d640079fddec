package rust

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/output"
)

var (
	docBeginPattern   = lazyregexp.New(`^running (\d+) tests?$`)
	docVerdictPattern = lazyregexp.New(`^test ((.+?\.\w+) - (.*?) ?\(line (\d+)\))(?: - [a-z_ ]+)? \.\.\. (ok|FAILED|ignored)`)
	docOutputPattern  = lazyregexp.New(`^---- (.+?\.\w+ - .*?\(line \d+\)).* stdout ----$`)
	docErrorPattern   = lazyregexp.New(`(?m)^error(?:\[(E\d+)\])?: (.*)$`)
)

// doctest is one documentation test.
type doctest struct {
	name, file, item string
	line             int
	verdict          string // ok, FAILED, ignored
	text             strings.Builder
}

// doctests reads what rustdoc prints for people, which is all that it prints on
// stable toolchains. It holds the output of the tests themselves back.
type doctests struct {
	tests   []*doctest
	open    int      // verdicts still to come in the block that is being read
	started bool     // within a block
	failing *doctest // whose output is being printed
	cut     bool     // a block ended before all its verdicts were there
}

// read takes in a line of standard output.
func (d *doctests) read(line string) {
	begin, verdict, printed := docBeginPattern().FindStringSubmatch(line), docVerdictPattern().FindStringSubmatch(line), docOutputPattern().FindStringSubmatch(line)
	switch {
	case begin != nil && d.failing == nil:
		d.cut, d.started, d.open = d.cut || d.started, true, output.Atoi(begin[1])
	case !d.started:
	case strings.HasPrefix(line, "test result: "):
		d.cut = d.cut || d.open != 0
		d.started, d.failing = false, nil
	case d.open > 0 && verdict != nil:
		d.tests = append(d.tests, &doctest{name: verdict[1], file: verdict[2], item: cmp.Or(strings.TrimSpace(verdict[3]), "(top)"), line: output.Atoi(verdict[4]), verdict: verdict[5]})
		d.open--
	case d.open > 0:
	case printed != nil:
		d.failing = d.named(printed[1])
	case line == "failures:":
		d.failing = nil
	case d.failing != nil && d.failing.text.Len() < output.MessageLimit:
		d.failing.text.WriteString(line + "\n")
	}
}

// named is the last test of a name; nil if there is none.
func (d *doctests) named(name string) *doctest {
	for _, t := range slices.Backward(d.tests) {
		if t.name == name {
			return t
		}
	}
	return nil
}

// facts returns the tests, by ids that do not change when lines move: the n-th of an item.
func (d *doctests) facts() []gates.Test {
	all := slices.Clone(d.tests)
	slices.SortStableFunc(all, func(a, b *doctest) int {
		return cmp.Or(strings.Compare(a.file, b.file), strings.Compare(a.item, b.item), cmp.Compare(a.line, b.line))
	})
	ordinal := make(map[[2]string]int)
	out := make([]gates.Test, 0, len(all))
	for _, t := range all {
		key := [2]string{t.file, t.item}
		ordinal[key]++
		fact := gates.Test{ID: fmt.Sprintf("doc::%s - %s (%d)", t.file, t.item, ordinal[key]), File: t.file, Line: t.line}
		fact.Status = map[string]gates.Status{"ok": gates.StatusPassed, "ignored": gates.StatusSkipped, "FAILED": gates.StatusFailed}[t.verdict]
		if t.verdict == "FAILED" {
			fact.Class, fact.Message = t.class(), output.EndOf(strings.TrimSpace(t.text.String()), output.MessageLimit)
		}
		out = append(out, fact)
	}
	return out
}

// class says why a documentation test failed. Its own code is reported at lines
// of the file that it documents, or of a bundle of many tests.
func (t *doctest) class() gates.Class {
	text := t.text.String()
	if strings.Contains(text, "compiled successfully, but") || strings.Contains(text, "executable succeeded, but") {
		return gates.ClassAssertion
	}
	worst := gates.ClassNone
	for _, hit := range docErrorPattern().FindAllStringSubmatch(text, -1) {
		m := rustcMessage{Level: "error", Text: hit[2], Code: struct{ Code string }{hit[1]}}
		if m.counts() {
			worst = gates.Worse(worst, m.class())
		}
	}
	if worst != gates.ClassNone {
		return worst
	}
	return failureClass(text, "main", func(file string, _ int) testrun.Place {
		if file == t.file || strings.Contains(file, "/rustdoctest") {
			return testrun.InTest
		}
		return testrun.InSource
	})
}
