package cpp

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/internal/wholefile"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/output"
)

var (
	numberedPattern   = lazyregexp.New(`^(.*)_(\d+)$`)
	runningPattern    = lazyregexp.New(`(?m)^\[ RUN      \] (.*)$`)
	thrownPattern     = lazyregexp.New(`(?m)^(?:Unknown )?C\+\+ exception(?: with description "((?s:.*?))")? thrown in `)
	lineNumberPattern = lazyregexp.New(`:\d+$`)
	valuesPattern     = lazyregexp.New(`^.*:\n(?:  .*(?:\n|$))+`)
	whichPattern      = lazyregexp.New(`\n +Which is: (.*)`)
)

// gtestEntry is one test in the JSON that a process of GoogleTest wrote at its end.
type gtestEntry struct {
	Name     string `json:"name"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Status   string `json:"status"` // RUN, NOTRUN
	Result   string `json:"result"` // COMPLETED, SKIPPED, SUPPRESSED
	Failures []struct {
		Text string `json:"failure"`
	} `json:"failures"`
	suite string
}

// name is the name of the test in its id.
func (e gtestEntry) name() string { return e.suite + "." + strings.TrimPrefix(e.Name, "DISABLED_") }

// gtestReports holds the reports of a run by the name of the program, in the
// order in which its processes ended.
type gtestReports map[string][][]gtestEntry

// readGTestReports reads what the processes wrote: "calc_test.json" the first,
// "calc_test_1.json" the next of the same program.
func readGTestReports(dir string) (gtestReports, error) {
	names := wholefile.Matching(dir, "*.json")
	number := func(name string) (string, int) {
		base := strings.TrimSuffix(filepath.Base(name), ".json")
		hit := numberedPattern().FindStringSubmatch(base)
		if hit == nil || !slices.Contains(names, filepath.Join(dir, hit[1]+".json")) {
			return base, 0
		}
		return hit[1], output.Atoi(hit[2])
	}
	slices.SortFunc(names, func(a, b string) int {
		programA, nA := number(a)
		programB, nB := number(b)
		return cmp.Or(strings.Compare(programA, programB), nA-nB)
	})
	out := make(gtestReports)
	for _, name := range names {
		raw, err := wholefile.Read(name)
		if err != nil {
			return nil, fmt.Errorf("read a report of GoogleTest: %w", err)
		}
		program, _ := number(name)
		if entries, ok := parseGTest(raw); ok {
			out[program] = append(out[program], entries)
		}
	}
	return out, nil
}

// parseGTest reads a report. A list of tests, which is written in the same form,
// is none.
func parseGTest(raw []byte) (entries []gtestEntry, ok bool) {
	var r struct {
		Suites []struct {
			Name  string       `json:"name"`
			Tests []gtestEntry `json:"testsuite"`
		} `json:"testsuites"`
	}
	if json.Unmarshal(raw, &r) != nil {
		return nil, false
	}
	for _, s := range r.Suites {
		for _, e := range s.Tests {
			if e.Status == "" {
				return nil, false
			}
			e.suite, e.Name, e.File = utf8Of(s.Name), utf8Of(e.Name), utf8Of(e.File)
			for i := range e.Failures {
				e.Failures[i].Text = utf8Of(e.Failures[i].Text)
			}
			entries = append(entries, e)
		}
	}
	return entries, true
}

// utf8Of undoes what GoogleTest does to a text: it writes each byte of a
// character as a character of its own.
func utf8Of(text string) string {
	raw := make([]byte, 0, len(text))
	for _, r := range text {
		if r > 0xff {
			return text
		}
		raw = append(raw, byte(r&0xff))
	}
	if !utf8.Valid(raw) {
		return text
	}
	return string(raw)
}

// take returns the next report of a program that can be that of a process with
// this filter.
func (g gtestReports) take(program, filter string) (entries []gtestEntry, ok bool) {
	left := g[program]
	if len(left) == 0 || filter != "" && !slices.ContainsFunc(left[0], func(e gtestEntry) bool { return e.name() == filter }) {
		return nil, false
	}
	g[program] = left[1:]
	return left[0], true
}

// filter is the one test that a command runs; empty where it may run several.
func (t ctestTest) filter() string {
	for _, arg := range t.Command {
		if name, ok := strings.CutPrefix(arg, "--gtest_filter="); ok && !strings.ContainsAny(name, "*?:-") {
			suite, test, _ := strings.Cut(name, ".")
			return suite + "." + strings.TrimPrefix(test, "DISABLED_")
		}
	}
	return ""
}

// gtest judges a test that runs one or more tests of GoogleTest: each must
// stand in the report that the process wrote at its very end.
func (o trial) gtest(end testrun.Ended) {
	filter := o.test.filter()
	if o.result.Status == "disabled" {
		o.add(gates.Test{ID: o.target() + "::" + cmp.Or(filter, o.test.Name)}, gates.ClassNone, "")
		return
	}
	entries, reported := o.run.gtest.take(o.target(), filter)
	if !reported {
		o.unreported(end, filter)
		return
	}
	failed := 0
	for _, e := range entries {
		class, why := e.class()
		if class != gates.ClassNone {
			failed++
		}
		t := gates.Test{ID: o.target() + "::" + e.name(), File: o.run.places.Relative(e.File, o.run.dir), Line: e.Line}
		if class == gates.ClassNone && (e.Result == "SKIPPED" || e.Status == "NOTRUN") {
			t.Status = gates.StatusSkipped
			o.run.tests = append(o.run.tests, t)
			continue
		}
		one := o
		one.result.Skipped = nil
		one.add(t, class, why)
	}
	if o.failed() && failed == 0 && o.reason != "Not Run" {
		class := o.died()
		if class == gates.ClassNone {
			class = gates.ClassException
		}
		o.add(gates.Test{ID: o.target() + "::" + o.test.Name + " (its process)"}, class, cmp.Or(o.result.Output, o.reason))
	}
}

// unreported judges a process that did not come to its end. If it ran a single
// test, that test failed; of several, nobody knows which.
func (o trial) unreported(end testrun.Ended, filter string) {
	class := o.died()
	switch {
	case o.failed() && o.reason == "Not Run":
		o.add(gates.Test{ID: o.target() + "::" + cmp.Or(filter, o.test.Name)}, gates.ClassInfra, cmp.Or(o.result.Output, o.reason))
	case filter != "" && o.failed() && class != gates.ClassNone:
		t := gates.Test{ID: o.target() + "::" + filter}
		t.File, t.Line = whereDeclared(o.run.places, filter[strings.LastIndexByte(filter, '.')+1:])
		o.add(t, class, cmp.Or(o.result.Output, o.reason)+"\n"+o.reason)
	default:
		o.run.gap(end, "%s: the process ended before GoogleTest had reported (%s), while this ran: %s",
			o.test.Name, cmp.Or(o.reason, "exit code 0"), gtestRunning(o.result.Output))
	}
}

// gtestRunning is the test that was under way when the output of a process ended.
func gtestRunning(text string) string {
	hits := runningPattern().FindAllStringSubmatch(text, -1)
	if len(hits) == 0 {
		return "nothing that is known"
	}
	return strings.TrimSpace(hits[len(hits)-1][1])
}

// class says why a test failed, by the worst of its failures; none where it passed.
func (e gtestEntry) class() (gates.Class, string) {
	class, why := gates.ClassNone, ""
	for _, f := range e.Failures {
		one := gates.ClassAssertion
		if hit := thrownPattern().FindStringSubmatch(f.Text); hit != nil {
			one = exceptionClass(hit[1])
		}
		class = gates.Worse(class, one)
		why += gtestWords(f.Text) + "\n"
	}
	return class, why
}

// gtestWords is what GoogleTest says of a failure, with the values that it saw in
// the first line and the place in the last. GoogleTest itself begins with the
// place, and lists the values below a line that names none of them.
func gtestWords(text string) string {
	at, words, found := strings.Cut(text, "\n")
	if !found || at != "unknown file" && !lineNumberPattern.MatchString(at) {
		return text
	}
	head := valuesPattern().FindString(words)
	values := whichPattern().ReplaceAllString(strings.TrimSpace(head), " (which is $1)")
	if title, list, ok := strings.Cut(values, "\n  "); ok {
		words = title + " " + strings.ReplaceAll(list, "\n  ", ", ") + "\n" + words[len(head):]
	}
	if words = strings.TrimSpace(words); at != "unknown file" {
		words += "\n" + at
	}
	return words
}
