package testrun

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun/machine"
)

// shortagePattern matches what systems say when they have run out of something, where programs
// report an error: behind a colon or a bracket, at the end of a line, not in a quoted source.
var shortagePattern = lazyregexp.New(`(?im)(?:^|: '?|\(|\] |errno=\d+ )` +
	`((?:no space left on device|disk quota exceeded|too many open files(?: in system)?|read-only file system|` +
	`cannot allocate memory|resource temporarily unavailable)` +
	`(?: \(os error \d+\)|, [a-z]+)?)[.)']*\s*$`)

// killedPattern matches what is said of a compiler or a linker that was killed for lack of
// memory, or of room on the disk for a file that it writes through memory.
var killedPattern = lazyregexp.New(`(?m)(: signal: (?:killed|bus error)$|Killed signal terminated program|` +
	`terminated with signal (?:7|9) \[[^]]*\]|\(signal: (?:7|9), SIG(?:BUS|KILL)[^)]*\))`)

// A command is ended that leaves less room on a disk or in memory than this, or than this part
// of what there was when it began: other programs need some too.
const (
	spared     = 1 << 30 // bytes
	sparedPart = 8
)

// leastRoom is the room, in bytes, below which a file system counts as full: what
// failed for lack of it may have been larger than what is left.
const leastRoom = 1 << 20

// guard ends a command that is about to fill a disk or the memory, until ctx is done. What
// fills the memory is most often a loop that never ends, so that it counts as one.
func (s *Session) guard(ctx context.Context, end func()) {
	var short []func() bool
	watch := func(left func() (uint64, bool), used func()) {
		had, known := left()
		least := min(spared, had/sparedPart)
		short = append(short, func() bool {
			now, there := left() // a test may put another folder in the place of its temporary one
			is := known && there && now < least
			if is {
				used()
			}
			return is
		})
	}
	watch(s.memory, func() { s.greedy.Store(true) })
	for _, dir := range []string{s.Request.Dir, temporary(s.Request)} {
		watch(func() (uint64, bool) { return machine.Room(dir) }, func() { s.filling.Store(&dir) })
	}
	go func() {
		for range time.Tick(time.Second / 20) {
			if ctx.Err() != nil {
				return
			}
			if slices.ContainsFunc(short, func(is func() bool) bool { return is() }) {
				end()
			}
		}
	}()
}

// sound is a verdict, unless the machine ran out of something: then it is no fact of the tree.
func (s *Session) sound(v Verdict, runs []Run) Verdict {
	filled := s.filled()
	if slices.Contains([]gates.Outcome{"", gates.Passed, gates.Timeout}, v.Outcome) {
		if filled == "" {
			return v
		}
		v.Diagnostics = nil // it was ended by us
	}
	why := cmp.Or(filled, s.exhausted(), reported(v, runs), s.walledOff(v, runs))
	if why == "" {
		return v
	}
	v.Outcome, v.Diagnostics = gates.Crashed, slices.Clone(v.Diagnostics)
	if at := slices.IndexFunc(v.Diagnostics, func(d gates.Diagnostic) bool { return d.Class == gates.ClassInfra }); at >= 0 {
		why += "\n" + v.Diagnostics[at].Message // the same trouble, as the runner told it
		v.Diagnostics = slices.Delete(v.Diagnostics, at, at+1)
	}
	v.Diagnostics = slices.Insert(v.Diagnostics, 0, gates.Diagnostic{Class: gates.ClassInfra, Message: why})
	return v
}

// filled says where a command was about to fill a disk. Its temporary files go at once.
func (s *Session) filled() string {
	dir := s.filling.Load()
	if dir == nil {
		return ""
	}
	_ = RemoveAll(temporary(s.Request)) // if it cannot, the next call complains
	return fmt.Sprintf("a run was ended before it filled the file system of %s: free some space there, or see what the tests write", *dir)
}

// exhausted says what can be seen to have run out, whatever the commands said of it.
func (s *Session) exhausted() string {
	if machine.OOMKills() > s.oomKills {
		return "the kernel killed a process for lack of memory while this ran: free some, or run fewer things at once"
	}
	for _, dir := range []string{s.Request.Dir, temporary(s.Request)} {
		if _, err := os.Stat(dir); err != nil {
			return fmt.Sprintf("a folder that the run needs is gone when it ends: %v; something on this machine, or a test, removes it", err)
		}
	}
	for _, dir := range []string{s.Request.Dir, temporary(s.Request), os.TempDir()} {
		if room, known := machine.Room(dir); known && room < leastRoom {
			return fmt.Sprintf("the file system of %s is full: free some space there and try again", dir)
		}
	}
	return ""
}

// reported says what ran out, by what the commands said. Where every test has a
// verdict of its own, what is said there is the tests' own, and decides nothing.
func reported(v Verdict, runs []Run) string {
	if v.Outcome == gates.Failed && v.Detail == gates.DetailTest {
		return ""
	}
	explained := len(v.Diagnostics) > 0 // by the sources: what else was said is no reason
	for _, d := range v.Diagnostics {
		if why := shortageIn(d.Message); why != "" {
			return why
		}
		explained = explained && (d.Class == gates.ClassMissingSymbol || d.Class == gates.ClassSyntax)
	}
	for _, run := range runs {
		if why := shortageIn(run.Output); why != "" && !explained {
			return why
		}
		if hit := killedPattern().FindString(run.Output); hit != "" && v.Outcome == gates.Broken {
			return "a part of the build was killed (" + strings.Trim(hit, ": ()") + "), as systems do for lack of memory or of room on the disk: free some, or build with fewer jobs"
		}
	}
	return ""
}

func shortageIn(text string) string {
	hit := shortagePattern().FindStringSubmatch(text)
	if hit == nil {
		return ""
	}
	return "the machine broke the run, not the project: " + strings.ToLower(hit[1]) + "; see what it is short of, and try again"
}
