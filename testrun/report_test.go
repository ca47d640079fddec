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
		j := junitReport{places: newPlaces("/nowhere", Generic())}
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
