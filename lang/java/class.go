package java

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/journal"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// javaFrame is where an exception was: "	at app//calc.Calc.add(Calc.java:5)".
type javaFrame struct {
	file string // of the project; empty where it is another's
	line int
}

// raised says what an exception means, from its type, its own words and its
// stack trace. Any of them may be missing.
func (f *javaFiles) raised(kind, message, trace string) journal.Finding {
	header, frames, words := f.trace(trace)
	if header != "" {
		named, own, _ := strings.Cut(header, ": ")
		kind = cmp.Or(kind, strings.TrimSpace(named))
		message = cmp.Or(message, own)
	}
	message = strings.TrimPrefix(strings.TrimPrefix(message, kind), ": ")
	out := journal.Finding{Message: cmp.Or(words, strings.TrimSpace(kind+": "+message))}
	direct := len(frames) > 0 && frames[0].file != ""
	at := testrun.Elsewhere
	if i := slices.IndexFunc(frames, func(fr javaFrame) bool { return fr.file != "" }); i >= 0 {
		out.File, out.Line = frames[i].file, frames[i].line
		at = f.places.Of(out.File, out.Line)
	}
	out.Class = javaClass(kind, message, at, direct)
	return out
}

// javaClass is the class of an exception that was raised at a place; direct
// where the project itself raised it, and not what the project called.
func javaClass(kind, message string, at testrun.Place, direct bool) gates.Class {
	is := func(pattern string) bool { return regexp.MustCompile(pattern).MatchString(kind) }
	unsupported := is(`UnsupportedOperationException$|NotImplemented\w*$`)
	stub := output.SaysUnimplemented(message) || strings.HasPrefix(strings.ToLower(message), "not supported yet") || unsupported && strings.TrimSpace(message) == ""
	switch {
	case stub && direct && at == testrun.InSource:
		return gates.ClassUnimplemented
	case is(`TestTimedOutException$|^java\.util\.concurrent\.TimeoutException$`) && strings.Contains(message, "timed out after"):
		return gates.ClassTimeout
	case at != testrun.InSource && is(`Assertion|ComparisonFailure|MultipleFailures|^org\.mockito\.exceptions\.verification|ConditionNotSatisfied|SpockComparison`):
		return gates.ClassAssertion
	}
	return gates.ClassException
}

// trace reads a stack trace: its first line, the frames of the exception
// itself, and what a person should see, which is all but the frames of others.
func (f *javaFiles) trace(text string) (header string, frames []javaFrame, words string) {
	header, _, _ = strings.Cut(text, "\n")
	foreign := regexp.MustCompile(`^\s+(?:at .*\)|\.\.\. \d+ (?:more|common frames omitted))$`)
	at := regexp.MustCompile(`^\s+at (?:[^/\s(]*/)*([\w$.]+)\.[^.(]+\(([^:()]+):(\d+)\)$`)
	var out strings.Builder
	over := false // the frames of the exception itself
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		fr := f.place(at.FindStringSubmatch(line))
		isFrame := foreign.MatchString(line)
		if isFrame && !over && len(frames) < 1024 {
			frames = append(frames, fr)
		}
		over = over || !isFrame && len(frames) > 0
		if (!isFrame || fr.file != "") && out.Len()+len(line) < output.MessageLimit {
			out.WriteString(line + "\n")
		}
	}
	return strings.TrimSpace(header), frames, strings.TrimSpace(out.String())
}

// place is the frame of which a line was cut into class, file and line.
func (f *javaFiles) place(hit []string) javaFrame {
	if hit == nil {
		return javaFrame{}
	}
	n, _ := strconv.Atoi(hit[3]) // digits; too many are line 0
	return javaFrame{file: f.frame(hit[1], hit[2]), line: n}
}
