package testrun

import (
	"bufio"
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// readJUnitTest runs the test command and reads the JUnit XML that it wrote.
func readJUnitTest(ctx context.Context, s *Session, argv []string) (Verdict, error) {
	return s.readReports(ctx, argv, func(f *os.File, _ Ended) ([]gates.Test, []gates.Diagnostic, error) {
		j := JUnit{Places: s.Places()}
		j.Read(f)
		return j.Tests, j.Gaps, nil
	})
}

// Collect reads all the reports that a run left.
func (j *JUnit) Collect(s *Session) error {
	_, err := s.eachReport(&j.Gaps, func(f *os.File) error {
		j.suites, j.from = nil, j.Places.Relative(f.Name())
		j.Read(f)
		return nil
	})
	return err
}

// JUnit gathers what files of JUnit XML say: read them with [JUnit.Read], or all
// that the request's [Report] names with [JUnit.Collect].
type JUnit struct {
	Places *Places
	// Refine, where it is set, corrects a test by what a language knows better of
	// its case; from is the report, relative to the project.
	Refine func(t *gates.Test, c JUnitCase, from string)

	Tests []gates.Test       // what was read
	Gaps  []gates.Diagnostic // what is missing from the proof that the run finished

	suites []junitSuite // that are open, the innermost last
	from   string       // the report, relative to the project
}

// junitSuite is what a suite says of itself, and what was seen of it.
type junitSuite struct {
	name     string
	promised int // tests; 0 where it does not say
	seen     int
}

// JUnitResult is what stands within a test case for how it ended.
type JUnitResult struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// JUnitCase is one test case.
type JUnitCase struct {
	Name      string        `xml:"name,attr"`
	Classname string        `xml:"classname,attr"`
	File      string        `xml:"file,attr"`
	LineText  string        `xml:"line,attr"`
	Status    string        `xml:"status,attr"`
	Failures  []JUnitResult `xml:"failure"`
	Errors    []JUnitResult `xml:"error"`
	Skipped   []JUnitResult `xml:"skipped"`
	Output    string        `xml:"system-out"`
}

// XMLDecoder reads a report without what is too long of its texts. Its character set is
// not told: names stay comparable, whatever they mean.
func XMLDecoder(src io.Reader) *xml.Decoder {
	d := xml.NewDecoder(&xmlCutter{src: bufio.NewReader(src), end: "<"})
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	return d
}

// XMLAttr is an attribute of an element; empty where it is not there.
func XMLAttr(all []xml.Attr, name string) string {
	a, _ := gates.Find(all, func(a xml.Attr) bool { return a.Name.Local == name })
	return a.Value
}

// Read takes in a file. What is no whole report is a gap.
func (j *JUnit) Read(src io.Reader) {
	d := XMLDecoder(src)
	for root := false; ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) && root && len(j.suites) == 0 {
			return
		}
		if t, ok := token.(xml.StartElement); ok {
			root, err = true, j.open(d, t)
		}
		if err != nil {
			j.gap("a report is not whole: %v", err)
			return
		}
		if t, ok := token.(xml.EndElement); ok {
			j.end(t.Name.Local)
		}
	}
}

func (j *JUnit) gap(format string, args ...any) {
	j.Gaps = append(j.Gaps, gates.Diagnostic{Class: gates.ClassCrash, Message: fmt.Sprintf(format, args...)})
}

// open takes in the beginning of a suite, or a whole test case.
func (j *JUnit) open(d *xml.Decoder, t xml.StartElement) error {
	switch t.Name.Local {
	case "testsuite":
		j.suites = append(j.suites, junitSuite{name: XMLAttr(t.Attr, "name"), promised: output.Atoi(XMLAttr(t.Attr, "tests"))})
	case "testcase":
		var c JUnitCase
		if err := d.DecodeElement(&c, &t); err != nil {
			return err
		}
		for i := range j.suites {
			j.suites[i].seen++
		}
		j.add(c)
	}
	return nil
}

// end closes a suite: it must hold as many tests as it promised.
func (j *JUnit) end(element string) {
	if element != "testsuite" || len(j.suites) == 0 {
		return
	}
	s := j.suites[len(j.suites)-1]
	j.suites = j.suites[:len(j.suites)-1]
	if s.promised > s.seen {
		j.gap("the suite %q promises %d tests and reports %d", s.name, s.promised, s.seen)
	}
}

// add takes in a test case.
func (j *JUnit) add(c JUnitCase) {
	id := c.Name
	if c.Classname != "" {
		id = c.Classname + "::" + c.Name
	}
	if id == "" {
		j.gap("a test without a name")
		return
	}
	t := gates.Test{ID: id, Status: gates.StatusPassed, File: j.Places.Relative(c.File), Line: output.Atoi(c.LineText)}
	switch {
	case len(c.Failures)+len(c.Errors) > 0:
		t.Status = gates.StatusFailed
		for _, f := range c.Failures {
			t.Class, t.Message = gates.Worse(t.Class, junitClass(f, gates.ClassAssertion)), cmp.Or(t.Message, f.words())
		}
		for _, e := range c.Errors {
			t.Class, t.Message = gates.Worse(t.Class, junitClass(e, gates.ClassException)), cmp.Or(t.Message, e.words())
		}
	case len(c.Skipped) > 0, c.Status == "notrun", c.Status == "disabled":
		t.Status = gates.StatusSkipped
	}
	if j.Refine != nil {
		j.Refine(&t, c, j.from)
	}
	j.Tests = append(j.Tests, t)
}

// words are what a person should see of a result.
func (r JUnitResult) words() string {
	text := strings.TrimSpace(r.Text)
	if !strings.Contains(text, strings.TrimSpace(r.Message)) {
		text = strings.TrimSpace(r.Message + "\n" + text)
	}
	return output.EndOf(text, output.MessageLimit)
}

var (
	notImplementedPattern = lazyregexp.New(`NotImplemented|UnsupportedOperation`)
	timedOutPattern       = lazyregexp.New(`(?i)timed? ?out`)
	assertionPattern      = lazyregexp.New(`Assert|Expectation|ComparisonFailure`)
)

// junitClass is the class of a result, as far as its type tells more than the
// element that it stands in.
func junitClass(r JUnitResult, usual gates.Class) gates.Class {
	text := r.Type + " " + r.Message
	switch {
	case notImplementedPattern.MatchString(r.Type), output.SaysUnimplemented(r.Message):
		return gates.ClassUnimplemented
	case timedOutPattern.MatchString(text):
		return gates.ClassTimeout
	case assertionPattern.MatchString(r.Type):
		return gates.ClassAssertion
	}
	return usual
}
