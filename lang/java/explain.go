package java

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/journal"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// explain says what an exception means, from its type, its own words and its
// stack trace. Any of them may be missing.
func (x *sourceIndex) explain(kind, message, trace string) journal.Finding {
	header, frames, words := x.parseTrace(trace)
	named, own, _ := strings.Cut(header, ": ")
	kind, message = cmp.Or(kind, strings.TrimSpace(named)), cmp.Or(message, own)
	message = strings.TrimPrefix(strings.TrimPrefix(message, kind), ": ")
	out := journal.Finding{Message: cmp.Or(words, strings.TrimSpace(kind+": "+message))}
	direct := len(frames) > 0 && frames[0].File != ""
	at := testrun.Elsewhere
	if i := slices.IndexFunc(frames, func(fr journal.Frame) bool { return fr.File != "" }); i >= 0 {
		out.File, out.Line = frames[i].File, frames[i].Line
		at = x.places.Of(out.File, out.Line)
	}
	out.Class = exceptionClass(kind, message, at, direct)
	return out
}

var (
	unsupportedPattern = lazyregexp.New(`UnsupportedOperationException$|NotImplemented\w*$`)
	timedOutPattern    = lazyregexp.New(`TestTimedOutException$|^java\.util\.concurrent\.TimeoutException$`)
	assertionPattern   = lazyregexp.New(`Assertion|ComparisonFailure|MultipleFailures|^org\.mockito\.exceptions\.verification|ConditionNotSatisfied|SpockComparison`)
)

// exceptionClass is the class of an exception that was raised at a place. It is
// direct if the project raised it itself, and not something that it called.
func exceptionClass(kind, message string, at testrun.Place, direct bool) gates.Class {
	unsupported := unsupportedPattern.MatchString(kind)
	stub := output.SaysUnimplemented(message) || strings.HasPrefix(strings.ToLower(message), "not supported yet") || unsupported && strings.TrimSpace(message) == ""
	switch {
	case stub && direct && at == testrun.InSource:
		return gates.ClassUnimplemented
	case timedOutPattern.MatchString(kind) && strings.Contains(message, "timed out after"):
		return gates.ClassTimeout
	case at != testrun.InSource && assertionPattern.MatchString(kind):
		return gates.ClassAssertion
	}
	return gates.ClassException
}

var (
	framePattern       = lazyregexp.New(`^\s+(?:at .*\)|\.\.\. \d+ (?:more|common frames omitted))$`)
	placedFramePattern = lazyregexp.New(`^\s+at (?:[^/\s(]*/)*([\w$.]+)\.[^.(]+\(([^:()]+):(\d+)\)$`)
)

// parseTrace reads a stack trace: its first line, the frames of the exception
// itself, as "	at app//calc.Calc.add(Calc.java:5)", and what a person should see,
// which is all but the frames of others.
func (x *sourceIndex) parseTrace(text string) (header string, frames []journal.Frame, words string) {
	header, _, _ = strings.Cut(text, "\n")
	var out strings.Builder
	over := false // the frames of the exception itself
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		var fr journal.Frame // of the project; empty where it belongs to somebody else
		if hit := placedFramePattern().FindStringSubmatch(line); hit != nil {
			fr = journal.Frame{File: x.frameFile(hit[1], hit[2]), Line: output.Atoi(hit[3])}
		}
		isFrame := framePattern.MatchString(line)
		if isFrame && !over && len(frames) < 1024 {
			frames = append(frames, fr)
		}
		over = over || !isFrame && len(frames) > 0
		if (!isFrame || fr.File != "") && out.Len()+len(line) < output.MessageLimit {
			out.WriteString(line + "\n")
		}
	}
	return strings.TrimSpace(header), frames, strings.TrimSpace(out.String())
}

// refine completes what a report says of a test.
func (x *sourceIndex) refine(t *gates.Test, c testrun.JUnitCase, from string) {
	x.module = from[:max(0, strings.LastIndex(from, "target/"))]
	t.ID = x.module + testID(c.Classname, c.Name) // two modules may have a class of one name
	t.File, t.Line = x.find(c.Classname, c.Name)
	if t.Status != gates.StatusFailed {
		return
	}
	t.Class, t.Message = gates.ClassNone, ""
	for _, r := range slices.Concat(c.Failures, c.Errors) {
		why := x.explain(r.Type, r.Message, r.Text)
		t.Class, t.Message = gates.Worse(t.Class, why.Class), cmp.Or(t.Message, why.Message)
	}
}

// testID is the id of a test. What failed before or after all tests of a class
// is named by the class.
func testID(class, name string) string {
	name = strings.Replace(name, "()", "", 1)
	switch {
	case name == "" || name == class:
		return class
	case class == "":
		return name
	}
	return class + "::" + name
}

// complete adds to a journal what only the sources tell, and returns what its
// exceptions mean.
func (x *sourceIndex) complete(j *journal.Journal) func(journal.Event) journal.Finding {
	found := make(map[string]journal.Finding)
	for _, id := range j.Order {
		class, name, _ := strings.Cut(id, "::")
		class = class[strings.LastIndexByte(class, '/')+1:] // its module stands before it
		t := j.Tests[id]
		x.module = x.places.Relative(t.File) + "/"
		t.File, t.Line = x.find(class, name)
		if t.Status == string(gates.StatusFailed) {
			found[id] = x.explain("", t.Why.Message, t.Why.Text)
			t.Why.Text = found[id].Message
		}
	}
	x.module = ""
	return func(e journal.Event) journal.Finding { return found[e.ID] }
}
