package cpp

import (
	"cmp"
	"encoding/xml"
	"io"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/output"
)

var (
	catchSummaryPattern   = lazyregexp.New(`(?m)^(?:All tests passed \(|test cases: +\d+ \|)`)
	catchExceptionPattern = lazyregexp.New(`(?m)^due to unexpected exception with messages?:\n\s*(.*)`)
	catchFailurePattern   = lazyregexp.New(`(?m)^\S.*:\d+: FAILED:`)
)

// catch judges a test of Catch2: it passed only if Catch2 says so, too.
func (o trial) catch(end testrun.Ended) {
	title := strings.TrimPrefix(o.test.Name, "Scenario: ")
	t := gates.Test{ID: o.target() + "::" + title}
	t.File, t.Line = whereDeclared(o.run.places, title)
	text := o.result.Output
	over := catchSummaryPattern.MatchString(text)
	switch class := o.died(); {
	case strings.Contains(text, "No test cases matched"), strings.Contains(text, "No tests ran"):
		o.run.gap(end, "%s: Catch2 ran nothing: %s", o.test.Name, output.LastLine(text))
	case o.failed() && class != gates.ClassNone:
		o.add(t, class, text)
	case o.failed() && o.reason == "Not Run":
		o.add(t, gates.ClassInfra, cmp.Or(text, o.reason))
	case !over && !o.skipped():
		o.run.gap(end, "%s: the process ended before Catch2 had reported", o.test.Name)
	case o.failed():
		class, why := catchClass(text)
		o.add(t, class, why)
	default:
		o.add(t, gates.ClassNone, "")
	}
}

// catchClass reads why Catch2 failed a test, and the part of its words that a
// person should see.
func catchClass(text string) (gates.Class, string) {
	class := gates.ClassAssertion
	if hit := catchExceptionPattern().FindStringSubmatch(text); hit != nil {
		class = exceptionClass(hit[1])
	}
	if strings.Contains(text, "\ndue to a fatal error condition") {
		class = gates.ClassCrash
	}
	if at := catchFailurePattern().FindStringIndex(text); at != nil {
		text = text[at[0]:]
	}
	text, _, _ = strings.Cut(text, "\n===")
	return class, text
}

// caseReport reads what one program of Catch2 or doctest wrote of its test cases. The
// two forms differ in little.
type caseReport struct {
	places  *testrun.Places
	bases   []string // where paths may begin
	program string   // its name

	tests  []gates.Test
	failed int
	whole  bool   // the report has its end
	began  string // the last case of which the beginning was read
}

// caseElement is a test case, or what stands in one.
type caseElement struct {
	XMLName xml.Name
	Attrs   []xml.Attr    `xml:",any,attr"`
	Text    string        `xml:",chardata"`
	Inner   []caseElement `xml:",any"`
}

// attr is an attribute; empty where it is not there.
func (e caseElement) attr(name string) string { return testrun.XMLAttr(e.Attrs, name) }

// inner is the text of an element within; empty where there is none.
func (e caseElement) inner(name string) (text string, found bool) {
	one, found := gates.Find(e.Inner, func(one caseElement) bool { return one.XMLName.Local == name })
	return strings.TrimSpace(one.Text), found
}

// read takes in the report, as far as it goes.
func (r *caseReport) read(src io.Reader) {
	d := testrun.XMLDecoder(src)
	for depth := 0; ; {
		token, err := d.Token()
		if err != nil {
			return
		}
		switch t := token.(type) {
		case xml.StartElement:
			if t.Name.Local != "TestCase" {
				depth++
				continue
			}
			one := caseElement{Attrs: t.Attr}
			r.began = one.attr("name")
			if d.DecodeElement(&one, &t) != nil {
				return
			}
			r.add(one)
		case xml.EndElement:
			depth--
			r.whole = depth == 0
		}
	}
}

// add notes a test case.
func (r *caseReport) add(e caseElement) {
	t := gates.Test{
		ID:   r.program + "::" + strings.TrimPrefix(strings.TrimSpace(e.attr("name")), "Scenario: "),
		File: r.places.Relative(e.attr("filename"), r.bases...), Line: output.Atoi(e.attr("line")), Status: gates.StatusPassed,
	}
	switch passed, skipped := e.ended(); {
	case skipped:
		t.Status = gates.StatusSkipped
	case !passed:
		r.failed++
		class, why := r.why(e)
		if class == gates.ClassNone {
			class, why = gates.ClassAssertion, "nothing failed in it, although it should" // or it took too long
		}
		t.Status, t.Class, t.Message = gates.StatusFailed, class, headOf(strings.TrimSpace(why), output.MessageLimit)
	}
	r.tests = append(r.tests, t)
}

// ended says how the program judges the case.
func (e caseElement) ended() (passed, skipped bool) {
	if e.attr("skipped") == "true" {
		return false, true // doctest lists what it does not run
	}
	for _, one := range e.Inner {
		switch one.XMLName.Local {
		case "OverallResult": // of Catch2
			return one.attr("success") == "true", strings.Trim(one.attr("skips"), "0") != ""
		case "OverallResultsAsserts": // of doctest
			if said := one.attr("test_case_success"); said != "" {
				return said == "true", false
			}
			_, thrown := e.inner("Exception")
			return one.attr("failures") == "0" && !thrown, false
		}
	}
	return false, false
}

// why says why a case failed, by the worst of what stands in it.
func (r *caseReport) why(e caseElement) (gates.Class, string) {
	class, why := gates.ClassNone, ""
	for _, one := range e.Inner {
		found, words := r.failure(one)
		if found == gates.ClassNone {
			found, words = r.why(one) // a section
		}
		if found != gates.ClassNone {
			class = gates.Worse(class, found)
			why += words + "\n"
		}
	}
	return class, why
}

// failure is the class of an element that says that something failed, and its words;
// none of any other.
func (r *caseReport) failure(e caseElement) (gates.Class, string) {
	at := ""
	if file := cmp.Or(r.places.Relative(e.attr("filename"), r.bases...), e.attr("filename")); file != "" {
		at = "\n" + file + ":" + e.attr("line")
	}
	text := strings.TrimSpace(e.Text)
	switch e.XMLName.Local {
	case "Expression":
		return expression(e, at)
	case "Failure":
		return gates.ClassAssertion, text + at
	case "Message":
		if strings.Contains(e.attr("type"), "ERROR") {
			words, _ := e.inner("Text")
			return gates.ClassAssertion, words + at
		}
	case "FatalErrorCondition":
		return gates.ClassCrash, text + at
	case "Exception":
		if e.attr("crash") == "true" {
			return gates.ClassCrash, text
		}
		return exceptionClass(text), text + at
	}
	return gates.ClassNone, ""
}

// expression judges an assertion. Where something was thrown within, that is what
// happened.
func expression(e caseElement, at string) (gates.Class, string) {
	if e.attr("success") == "true" {
		return gates.ClassNone, ""
	}
	original, _ := e.inner("Original")
	words := e.attr("type") + "(" + original + ")"
	if expanded, _ := e.inner("Expanded"); expanded != "" && expanded != original {
		words += " with " + expanded
	}
	if thrown, found := e.inner("Exception"); found {
		return exceptionClass(thrown), words + ": " + thrown + at
	}
	return gates.ClassAssertion, words + at
}
