package agents

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// How much of the past a prompt shows.
const (
	maxDiffLines   = 400
	maxFiles       = 15
	maxOutputLines = 30
	maxOutputWidth = 500
	maxPastRunes   = 20_000 // of a diff
)

// view is a brief as the templates see it.
type view struct {
	Brief
	asked
}

func (v view) Size() gates.Size {
	if size, ok := v.Policy.Size[v.Role]; ok {
		return size
	}
	return v.Policy.SizeOf(v.Plays)
}

// Protected are the patterns of the project's own that no agent may touch.
func (v view) Protected() []string {
	return slices.DeleteFunc(slices.Clone(v.Policy.Protected), func(pattern string) bool { return gates.Protected(nil, pattern) })
}

func (v view) PathsText() string { return strings.Join(v.Rules.Paths, ", ") }

func (v view) CriteriaText() string { return criteriaText(v.Criteria) }

// criteriaText lists the criteria by number: who is shown them is shown the kata, too.
func criteriaText(criteria []Criterion) string {
	var lines, open, whole []string
	for _, c := range criteria {
		name := strconv.Itoa(c.ID)
		if c.Outer != "" && !c.Whole {
			lines = append(lines, name+", its acceptance test is open: "+oneLine(c.Outer, maxItem))
			continue
		}
		switch {
		case c.Whole:
			whole = append(whole, name)
		case c.Covered:
			lines = append(lines, name+", in part: "+oneLine(strings.Join(c.By, ", "), maxItem))
		default:
			open = append(open, name)
		}
	}
	if len(whole) > 0 {
		lines = append(lines, "whole: "+strings.Join(whole, ", "))
	}
	if len(open) > 0 {
		lines = append(lines, "without a test: "+strings.Join(open, ", "))
	}
	return strings.Join(lines, "\n")
}

// ServesText is the criterion that the cycle serves, where the role may know it.
func (v view) ServesText() string {
	if _, ok := gates.Find(v.Criteria, func(c Criterion) bool { return c.ID == v.Serves && !c.Whole }); !ok {
		return ""
	}
	return strconv.Itoa(v.Serves)
}

// DiffText is the last change without the lines around it, which the files show.
// Only a refactorer needs to know what is new in a file that is shown.
func (v view) DiffText() string {
	shown := map[string]bool{}
	for _, f := range v.Shown {
		shown["+++ b/"+f.Path] = v.Plays != gates.Refactorer
	}
	var lines []string
	skip, fresh := false, false
	for line := range strings.Lines(v.LastDiff) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "+++ ") {
			path := strings.TrimRight(line, "\t")
			elsewhere, known := shown[path]
			skip = elsewhere || fresh && known
		}
		fresh = line == "--- /dev/null"
		if !skip && !contextPattern.MatchString(line) {
			lines = append(lines, line)
		}
	}
	return clip(strings.Join(some(lines, maxDiffLines), "\n"), maxPastRunes)
}

// contextPattern finds the lines of a diff that repeat what the files, or its other lines, say.
var contextPattern = lazyregexp.New(`^(?: |\s*$|diff --git |index |--- (?:a/|/dev/null)|new file mode )`)

// FilesText lists the first of the files that are not shown. Together with those
// that there is no room for they are no more in a large project.
func (v view) FilesText() string {
	shown := map[string]bool{}
	for _, f := range v.Shown {
		shown[f.Path] = true
	}
	for _, path := range v.Omitted {
		shown[path] = true
	}
	others := slices.DeleteFunc(slices.Clone(v.Files), func(path string) bool { return shown[path] })
	return pathLines(some(others, max(0, maxFiles-len(v.Omitted))))
}

func (v view) NotesText() string {
	return strings.Join(gates.Each(v.Notes, func(n string) string { return "- " + oneLine(n, maxMessage) }), "\n")
}

// OmittedText lists the files that there is no room for, with what they declare.
func (v view) OmittedText() string {
	var lines []string
	for _, p := range some(v.Omitted, maxFiles) {
		lines = append(lines, oneLine(p, maxPath))
		for _, declared := range v.Outlines[p] {
			lines = append(lines, "    "+strings.TrimRight(visible(declared), " \t"))
		}
	}
	return strings.Join(lines, "\n")
}

// EditableText says which of the files that were shown last the role may change.
func (v view) EditableText() string {
	shown, which := v.Shown, "the files that are shown"
	if v.More != nil {
		shown, which = v.More.Shown, "these files"
	}
	var mine []string
	for _, f := range shown {
		if f.Editable {
			mine = append(mine, quoted(f.Path))
		}
	}
	switch {
	case v.Works || len(shown) == 0:
		return ""
	case len(mine) == 0:
		return "You may change none of " + which + "."
	case len(mine) == len(shown):
		return "You may change all of " + which + "."
	}
	return "Of " + which + " you may change only " + strings.Join(mine, ", ") + "."
}

func (v view) OffLimitsText() string {
	lines := gates.Each(v.OffLimits, func(o OffLimit) string { return oneLine(o.Path, maxPath) + " – " + oneLine(o.Why, maxItem) })
	return strings.Join(some(lines, maxFiles), "\n")
}

// FactsText lists the measurements; the passing tests are a number.
func (v view) FactsText() string {
	lines := describeFacts(v.Facts)
	if v.Known > 0 {
		lines = append(lines, fmt.Sprintf("more that failed before, too, and are no part of the step: %d", v.Known))
	}
	if v.Before != nil {
		lines = append(lines, "before the failing test was added: "+gates.TestsText(*v.Before))
	}
	return strings.Join(lines, "\n")
}

// OutputText is the output of the refused attempt, or of HEAD's run.
func (v view) OutputText() string {
	output := v.Output
	if v.Feedback != nil {
		output = v.Feedback.Output
	}
	return errorsFirst(output, v.Files, maxOutputLines, maxOutputWidth)
}

func pathLines(paths []string) string {
	lines := gates.Each(paths, func(p string) string { return oneLine(p, maxPath) })
	return strings.Join(some(lines, maxFiles), "\n")
}
