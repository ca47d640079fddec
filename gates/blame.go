package gates

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// framePattern finds a place in what a runner says of a failure: "calc.go:9",
// `calc.py", line 9`, "calc.php(9)".
var framePattern = lazyregexp.New(`([\w@~+./\\-]+\.\w+)(?:"?, line |:|\()(\d{1,7})\b`)

// blame is a finding about a failed test, at the place in the commit's own sources
// that the failure came from, if what the runner says of it names one: who reads it
// may not change the test.
func (c *Premise) blame(t Test, prefix, remedy string) Finding {
	f := failed(t, prefix, remedy)
	for _, m := range framePattern().FindAllStringSubmatch(t.Message, -1) {
		if source := c.changedSource(m[1]); source != "" {
			f.Path = source
			f.Line, _ = strconv.Atoi(m[2])
			return f
		}
	}
	return f
}

// changedSource is the source that a commit changes and a path of some machine ends
// with; empty if there is none.
func (c *Premise) changedSource(place string) string {
	place = path.Clean(strings.ReplaceAll(place, `\`, "/"))
	source, _ := Find(c.Change.Files, func(f FileChange) bool {
		return f.New != nil && f.New.Kind == KindSource && (place == f.New.Path || strings.HasSuffix(place, "/"+f.New.Path))
	})
	return sideOf(source.New).Path
}

// leavingPattern finds the words by which a source ends its process.
var leavingPattern = lazyregexp.New(`(?i)exit|abort|kill|fatal|die`)

// leavers names the line of a source that may have ended the run, if a run crashed
// with a change that leaves the process.
func (c *Case) leavers(out []Finding) []Finding {
	if c.After.Outcome != Crashed {
		return out
	}
	for _, f := range c.Change.Files {
		for _, a := range f.Asks {
			if !leavingPattern.MatchString(a.Text) {
				continue
			}
			for i := range out {
				out[i].Path, out[i].Line = f.Path(), a.Line
				out[i].Seen += fmt.Sprintf("; this commit adds %q there", a.Text)
				out[i].Remedy = "let the code return, and leave the process in the program's main only; " + out[i].Remedy
			}
			return out
		}
	}
	return out
}

// errorPattern finds the line that says what went wrong: pytest's, and the one below the
// place and the thread of a panic in Rust, or the calls that bats shows.
var errorPattern = lazyregexp.New(`(?m)^(?:E {2,}|thread '.* panicked at .*:\n|\((?:from function|in test file) .*(?:,\n.*)*\)\n *)(\S)`)

// Cause is a runner's message from the line on that says what went wrong: pytest shows
// the test and its fixtures first, and Rust numbers its threads anew in each run.
func Cause(message string) string {
	if hit := errorPattern().FindStringSubmatchIndex(message); hit != nil {
		return message[hit[2]:]
	}
	return message
}

var (
	// diffPattern finds the first lines that differ in a diff of what was expected and what came.
	diffPattern = lazyregexp.New(`(?im)^--- expected\n\+\+\+ actual\n@@.*\n(?: .*\n)*(?:-(.*)(?:\n-.*)*\n?)?(?:\+(.*))?`)
	// comparedPattern finds these two below one another.
	comparedPattern = lazyregexp.New(`(?im)^\s*(expected|left) *: *(.*)\n\s*(actual|got|received|right) *: *(.*)`)
	// failedPattern finds a command of bats, and below it what that says itself.
	failedPattern = lazyregexp.New("^(`.*' failed.*)\n(.*\\w.*)")
)

// Gist is what of a runner's message says the most, in a line.
func Gist(message string) string {
	text := diffPattern().ReplaceAllString(strings.TrimSpace(Cause(message)), "expected: $1\nactual: $2")
	before, pair := failedPattern().ReplaceAllString(text, "$1: $2"), ""
	if hit := comparedPattern().FindStringSubmatch(text); hit != nil {
		before, _, _ = strings.Cut(text, hit[0])
		pair = fmt.Sprintf("%s: %s, %s: %s", hit[1], Clip(hit[2], mostShown), hit[3], Clip(hit[4], mostShown))
	}
	before = firstLine(before)
	if before == "" || pair == "" {
		return before + pair
	}
	return strings.TrimRight(before, ".:") + ": " + pair
}
