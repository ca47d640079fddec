package hooks

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
)

// text is the file that git gives to commit-msg: the message, and below it what
// git will cut off: its comments, and the diff of commit.verbose.
type text struct{ message, below string }

// style is how git will clean the message.
type style struct {
	comment string // what a comment begins with
	edited  bool   // it was open in an editor, so git wrote comments into it
	cleanup string // strip, whitespace, verbatim, scissors; empty: the default
}

// cutFirst reports whether git's first comment is the cut: so it writes a file
// that it will only cut, where it cannot be seen how git commit was called.
func (s style) cutFirst(file string) bool {
	_, comments, ok := strings.Cut("\n"+file, "\n"+s.comment)
	return ok && strings.HasPrefix(comments, cut)
}

// strips reports whether comments are removed from the message.
func (s style) strips() bool {
	return s.cleanup == "strip" || s.edited && (s.cleanup == "" || s.cleanup == "default")
}

// cut is the line below which git ignores everything.
const cut = " ------------------------ >8 ------------------------"

// take splits git's file into what will be the message and the rest. What git keeps is kept
// byte for byte, except that Windows line ends become git's.
func take(file string, s style) text {
	end := len(file)
	if i := strings.Index("\n"+file, "\n"+s.comment+cut); i >= 0 && s.edited {
		end = i
	}
	if s.strips() {
		end = len(withoutTail(file[:end], s.comment))
	}
	t := text{message: strings.TrimPrefix(file[:end], "\ufeff"), below: file[end:]}
	if s.cleanup == "verbatim" {
		return t
	}
	t.message = strings.ReplaceAll(t.message, "\r\n", "\n")
	if s.strips() {
		t.message = without(t.message, s.comment)
	}
	return t
}

// withoutTail is a text without the comments and blank lines at its end.
func withoutTail(file, comment string) string {
	lines := slices.Collect(strings.Lines(file))
	for n := len(lines); n > 0 && (strings.TrimSpace(lines[n-1]) == "" || strings.HasPrefix(lines[n-1], comment)); n-- {
		lines = lines[:n-1]
	}
	return strings.Join(lines, "")
}

// without is a text without the lines that begin with something.
func without(text, beginning string) string {
	kept := slices.DeleteFunc(slices.Collect(strings.Lines(text)), func(line string) bool { return strings.HasPrefix(line, beginning) })
	return strings.Join(kept, "")
}

// file is the text with another message.
func (t text) file(message string) string {
	if t.below != "" && !strings.HasPrefix(t.below, "\n") {
		message = strings.TrimRight(message, "\n") + "\n\n"
	}
	return message + t.below
}

// empty reports whether git will find no message and give up by itself.
func (t text) empty() bool { return strings.TrimSpace(t.message) == "" }

// Trailed is a message with the trailers of its step instead of any older ones:
// when a commit is amended, its message is a copy of an older one.
func Trailed(message string, step gates.Step) string {
	add := step.Trailers()
	keys := []string{gates.KeyRed, gates.KeyAcceptance, gates.KeyAccepted, gates.KeyTold}
	if step.Number == 0 {
		keys = append(keys, gates.KeyStep, gates.KeyRole, gates.KeyCycle, gates.KeyPhase, gates.KeyTests)
	}
	keys = append(keys, gates.Each(add, func(t commitmsg.Trailer) string { return t.Key })...)
	return commitmsg.AppendTrailers(commitmsg.RemoveTrailers(message, keys...), add)
}
