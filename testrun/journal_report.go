package testrun

import (
	"cmp"
	"slices"

	"github.com/git-tdd/git-tdd/gates"
)

// finding is what a language makes of something that was raised.
type finding struct {
	class   gates.Class
	symbol  string
	file    string // relative to the project
	line    int
	message string // where the event itself holds nothing but text
}

// journalRun turns a journal into facts.
type journalRun struct {
	journal *journal
	end     ended
	places  *places
	explain func(e journalEvent) finding // the language's
	nothing int                          // the exit code by which the runner says that no test ran; zero: it has none
}

// report is what a run showed.
func (r journalRun) report() report {
	out := report{detail: gates.DetailTest, tests: r.tests()}
	gaps, broken := r.journal.gaps(r.end), r.broken()
	_, waiting := r.journal.unfinished()
	trouble, stopped := r.end.trouble()
	if r.end.Exit == r.nothing && r.journal.exit == r.nothing && !r.journal.any("passed") {
		r.end.Exit, r.journal.exit = 0, 0
	}
	switch {
	case stopped:
		out.outcome, out.diagnostics = trouble.outcome, append(trouble.diagnostics, gaps...)
	case len(gaps) > 0:
		out.outcome, out.diagnostics = gates.Crashed, append(gaps, broken...)
	case slices.ContainsFunc(broken, noFact):
		out.outcome, out.diagnostics = gates.Crashed, broken
	case len(broken) > 0:
		out.outcome, out.diagnostics = gates.Broken, broken
	case len(waiting) > 0:
		out.outcome = gates.Broken
		out.diagnostics = []gates.Diagnostic{{Class: gates.ClassException, Message: "a failure kept these from running: " + some(waiting)}}
	default:
		out.outcome, out.diagnostics = conclude(out.tests, r.disagreement(), r.end)
	}
	return out
}

// disagreement is the gap where a runner's word and its exit code contradict.
func (r journalRun) disagreement() []gates.Diagnostic {
	if r.journal.exit != 0 && r.end.Exit == 0 && !r.journal.any("failed") {
		return []gates.Diagnostic{{Class: gates.ClassCrash, Message: "the runner says that it failed, but the exit code is 0"}}
	}
	return nil
}

// tests are the verdicts.
func (r journalRun) tests() []gates.Test {
	var out []gates.Test
	for _, id := range r.journal.order {
		t := r.journal.tests[id]
		test := gates.Test{ID: id, File: r.places.relative(t.file), Line: t.line, Status: gates.Status(t.status)}
		switch test.Status {
		case gates.StatusFailed:
			test.Class, test.Message = r.explain(t.why).class, endOf(cmp.Or(t.why.Text, t.why.Message), messageLimit)
		case gates.StatusPassed, gates.StatusSkipped:
		default:
			continue
		}
		out = append(out, test)
	}
	return out
}

// broken are the parts of the project that could not be loaded.
func (r journalRun) broken() []gates.Diagnostic {
	var out []gates.Diagnostic
	for _, e := range r.journal.broken {
		f := r.explain(e)
		d := gates.Diagnostic{Class: f.class, Symbol: f.symbol, File: f.file, Line: f.line, Message: endOf(cmp.Or(f.message, cmp.Or(e.Message, e.Text)), messageLimit)}
		if !slices.Contains(out, d) {
			out = append(out, d)
		}
	}
	return out
}

// raisedAt finds the innermost frame that is the project's own, and whose code
// that is. own names a file as facts do, or "" where it is another's.
func (p *places) raisedAt(frames []journalFrame, own func(name string) string) (finding, place) {
	for _, frame := range slices.Backward(frames) {
		if file := own(frame.File); file != "" {
			return finding{file: file, line: frame.Line}, p.of(file, frame.Line)
		}
	}
	return finding{}, placeForeign
}
