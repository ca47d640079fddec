package testrun

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
)

func TestReports(t *testing.T) {
	t.Parallel()
	need(t, "sh")
	junit := Report{Format: ReportJUnit, Path: "out/**/*.xml"}
	file := Report{Format: ReportTAP, Path: "out/*.tap"}
	const whole = `<testsuites><testsuite name="s" tests="5">
<testcase classname="calc.Test" name="adds" file="a_test.sh" line="3"/>
<testcase classname="calc.Test" name="fails"><failure message="expected 1" type="AssertionError">here</failure></testcase>
<testcase classname="calc.Test" name="errs"><error message="boom" type="IOError"/></testcase>
<testcase classname="calc.Test" name="stubs"><error type="NotImplementedError"/></testcase>
<testcase name="größe &amp; ü"><skipped/></testcase>
</testsuite></testsuites>`
	const one = `<testsuite tests="1"><testcase name="a"/></testsuite>`
	for _, c := range []struct {
		cargoCase

		report Report
	}{
		{cargoCase{name: "junit", outcome: gates.Failed, files: "-- a_test.sh --\n-- r.xml --\n" + whole, argv: []string{"sh", "-c", "mkdir -p out/x; cp r.xml out/x/r.xml; exit 1"}, tests: `
calc.Test::adds passed
calc.Test::errs failed exception
calc.Test::fails failed assertion
calc.Test::stubs failed unimplemented
größe & ü skipped`}, junit},
		{cargoCase{name: "junit, no report", outcome: gates.Crashed, argv: []string{"true"}, diagnostics: "infra"}, junit},
		{cargoCase{name: "junit, a stale report", outcome: gates.Crashed, files: "-- out/r.xml --\n" + one, argv: []string{"true"}, diagnostics: "infra"}, junit},
		{cargoCase{name: "junit, half a report", outcome: gates.Crashed, files: "-- r.xml --\n" + one[:40], argv: []string{"sh", "-c", "mkdir out; cp r.xml out"}, diagnostics: "crash"}, junit},
		{cargoCase{name: "junit, an empty report", outcome: gates.Crashed, argv: []string{"sh", "-c", "mkdir out; : >out/r.xml"}, diagnostics: "crash"}, junit},
		{cargoCase{name: "junit, fewer than promised", outcome: gates.Crashed, tests: "a passed", files: "-- r.xml --\n" + strings.Replace(one, `"1"`, `"2"`, 1), argv: []string{"sh", "-c", "mkdir out; cp r.xml out"}, diagnostics: "crash"}, junit},
		{cargoCase{name: "junit, an exit code that disagrees", outcome: gates.Crashed, tests: "a passed", files: "-- r.xml --\n" + one, argv: []string{"sh", "-c", "mkdir out; cp r.xml out; exit 3"}, diagnostics: "crash"}, junit},
		{cargoCase{name: "junit, a link out of the tree", outcome: gates.Crashed, argv: []string{"sh", "-c", "mkdir out; ln -s /etc/hostname out/r.xml"}, diagnostics: "infra"}, junit},
		{cargoCase{name: "junit, no tests", outcome: gates.Empty, files: "-- r.xml --\n<testsuite tests='0'/>", argv: []string{"sh", "-c", "mkdir out; cp r.xml out"}, diagnostics: "no-tests"}, junit},
		{cargoCase{name: "tap", outcome: gates.Failed, files: "-- t --\nTAP version 14\n1..6\nok 1 - adds\nnot ok 2 - fails # with a sign\n  ---\n  message: no\n  ...\nok 3 # SKIP later\nnot ok 4 - not yet # TODO\n# Subtest: in\n    not ok 1 - sub\nok 5\nnot ok 6 - stub\n# not implemented\n", argv: []string{"sh", "-c", "cat t; exit 1"}, tests: `
adds passed
fails # with a sign failed assertion
not yet skipped
stub failed unimplemented
test 3 skipped
test 5 passed`}, Report{Format: ReportTAP}},
		{cargoCase{name: "tap, a plan at the end", outcome: gates.Passed, argv: []string{"printf", `ok\nok two\n1..2\n`}, tests: "test 1 passed\ntwo passed"}, Report{Format: ReportTAP}},
		{cargoCase{name: "tap, no plan", outcome: gates.Crashed, argv: []string{"echo", "ok 1 a"}, tests: "a passed", diagnostics: "crash"}, Report{Format: ReportTAP}},
		{cargoCase{name: "tap, work lost", outcome: gates.Crashed, argv: []string{"printf", `1..2\nok 1 a\n`}, tests: "a passed", diagnostics: "crash"}, Report{Format: ReportTAP}},
		{cargoCase{name: "tap, imitated", outcome: gates.Crashed, argv: []string{"printf", `1..2\nok 1 a\nok 2 b\nnot ok 2 b\n`}, tests: "a passed\nb passed\nb#2 failed assertion", diagnostics: "crash\ncrash"}, Report{Format: ReportTAP}},
		{cargoCase{name: "tap, given up", outcome: gates.Crashed, argv: []string{"printf", `1..1\nok 1 a\nBail out! no\n`}, tests: "a passed", diagnostics: "crash"}, Report{Format: ReportTAP}},
		{cargoCase{name: "tap, nothing", outcome: gates.Empty, argv: []string{"echo", "1..0 # skipped"}, diagnostics: "no-tests"}, Report{Format: ReportTAP}},
		{cargoCase{name: "tap, a file", outcome: gates.Passed, argv: []string{"sh", "-c", "mkdir out; printf '1..1\nok 1 a\n' >out/r.tap; echo not ok 1"}, tests: "a passed"}, file},
		{cargoCase{name: "tap, no file", outcome: gates.Crashed, argv: []string{"echo", "1..1"}, diagnostics: "infra"}, file},
		{cargoCase{name: "exit code", outcome: gates.Passed, argv: []string{"echo", "not ok 1"}}, Report{Format: ReportExitCode}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			req := project(t, "go", c.files)
			req.Commands.Test, req.Commands.Report = c.argv, c.report
			c.check(t, measure(t, req))
		})
	}
}

func FuzzJUnit(f *testing.F) {
	f.Add([]byte(`<testsuite tests="1"><testcase name="a"><failure/></testcase></testsuite>`))
	f.Fuzz(func(t *testing.T, text []byte) {
		j := junitReport{places: &places{dir: "/nowhere", lang: Generic()}}
		j.read(bytes.NewReader(text))
		for _, test := range j.tests {
			if (test.Status == gates.StatusFailed) == (test.Class == gates.ClassNone) {
				t.Fatalf("%+v", test)
			}
		}
	})
}

func FuzzTAP(f *testing.F) {
	f.Add("1..2\nok 1 - a # SKIP\nnot ok 2\n # more\nBail out!\n")
	f.Fuzz(func(t *testing.T, text string) {
		p := newTAP("")
		for line := range strings.Lines(text) {
			p.read(line)
		}
		p.finish()
		if len(p.gaps) == 0 && p.planned != len(p.tests) {
			t.Fatal("work was lost")
		}
	})
}

func BenchmarkJUnit5000(b *testing.B) {
	var text strings.Builder
	text.WriteString(`<testsuite tests="5000">`)
	for i := range 5000 {
		fmt.Fprintf(&text, `<testcase classname="a.B" name="t%d" time="0.1"/>`, i)
	}
	text.WriteString("</testsuite>")
	for b.Loop() {
		j := junitReport{places: &places{dir: "/nowhere", lang: Generic()}}
		j.read(strings.NewReader(text.String()))
		if len(j.tests) != 5000 || len(j.gaps) > 0 {
			b.Fatal(j.gaps)
		}
	}
}
