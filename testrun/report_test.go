package testrun

import (
	"bytes"
	"io"
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

// TestJUnit_large reads a report that is larger than a report may be.
func TestJUnit_large(t *testing.T) {
	t.Parallel()
	j := JUnit{Places: &Places{Dir: "/nowhere", Language: Generic()}}
	spaces := bytes.Repeat([]byte{' '}, 1<<20)
	parts := []io.Reader{strings.NewReader(`<testsuite><testcase name="a"/>`)}
	for range MostXML >> 20 {
		parts = append(parts, bytes.NewReader(spaces), strings.NewReader(`<x/>`))
	}
	j.Read(io.MultiReader(append(parts, strings.NewReader(`</testsuite>`))...))
	if len(j.Gaps) != 1 || j.Gaps[0].Message != "a report is not whole: no more than 128 MiB of it is read" {
		t.Errorf("%v", j.Gaps)
	}
}
