package testrun

import (
	"bytes"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
)

func FuzzJUnit(f *testing.F) {
	f.Add([]byte(`<testsuite tests="1"><testcase name="a"><failure/></testcase></testsuite>`))
	f.Fuzz(func(t *testing.T, text []byte) {
		j := JUnit{Places: &Places{Dir: "/nowhere", Language: Generic()}}
		j.Read(bytes.NewReader(text))
		for _, test := range j.Tests {
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

// TestJUnitCut reads a report with a text that is larger than is kept.
func TestJUnitCut(t *testing.T) {
	t.Parallel()
	for _, filler := range []string{"x", "&amp;", "é", "]]", "&#10;"} {
		long := strings.Repeat(filler, 2*XMLTextLimit)
		text := `<?xml version="1.0"?><!-- <a> --><testsuite tests="2"><testcase name="a"><failure message="` + long + `">` + long +
			`</failure></testcase><testcase name="b"/><system-out><![CDATA[<testcase name="forged"/>` + long + `]]></system-out></testsuite>`
		j := JUnit{Places: &Places{Dir: "/nowhere", Language: Generic()}}
		j.Read(strings.NewReader(text))
		if len(j.Gaps) > 0 || len(j.Tests) != 2 {
			t.Errorf("%q: %v, %d tests", filler, j.Gaps, len(j.Tests))
		}
	}
}
