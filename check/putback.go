package check

import (
	"strings"

	"github.com/git-tdd/git-tdd/testrun"
)

// putBacks are the parts of a change to one source, each put back by itself as it was:
// every run of lines, and every line of a longer one that resembles one of before. Where
// no test notices that, none asks for this part of the change. code leaves out what a
// source does nothing by; it may be nil.
func putBacks(was, now string, code func(string) string) []testrun.Mutant {
	if strings.TrimSpace(was) == "" {
		return nil
	}
	var out []testrun.Mutant
	add := func(start int, line, old string) {
		e := testrun.Edit{Span: testrun.Span{Start: start, End: start + len(line)}, Text: old}
		if code == nil || code(testrun.Apply(now, []testrun.Edit{e})) != code(now) {
			m := testrun.MutantOf(now, e, "what was there before")
			m.Rank, m.Lines = -1, true
			out = append(out, m)
		}
	}
	for _, h := range hunks(was, now) {
		add(h.start, strings.Join(h.now, ""), strings.Join(h.was, ""))
		if len(h.was) == 1 && len(h.now) == 1 {
			continue
		}
		at := h.start
		for _, line := range h.now {
			if old := resembling(line, h.was); old != "" {
				add(at, line, old)
			}
			at += len(line)
		}
	}
	return out
}

// resembling is the line that shares the most words with another one, and at least half
// of them; empty if there is none.
func resembling(line string, among []string) (best string) {
	most := 0.5
	for _, other := range among {
		a, b := words(line), words(other)
		if likeness := 2 * float64(min(len(shared(a, b)), len(shared(b, a)))) / float64(max(1, len(a)+len(b))); likeness > most {
			best, most = other, likeness
		}
	}
	return best
}

// words are the words of a line and whatever else is no white space.
func words(line string) (out []string) {
	for _, t := range tokenPattern.FindAllString(line, -1) {
		if strings.TrimSpace(t) != "" {
			out = append(out, t)
		}
	}
	return out
}
