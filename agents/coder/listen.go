package coder

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/agents"
	"github.com/git-tdd/git-tdd/agents/presets"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// said is what is read of an agent's output.
type said struct {
	text, session         string
	failed                string // what went wrong; empty if nothing did
	input, output, cached int    // tokens
	heard                 bool   // something was read
}

// listen reads an agent's output: the last of its JSON values, or all of it as text.
func listen(where presets.Says, stdout string) said {
	if where.Text == "" {
		return said{text: strings.TrimSpace(stdout), heard: true}
	}
	var s said
	for _, object := range objects(stdout) {
		s.take(where, object)
	}
	return s
}

// patience is how many bytes are read in vain of what only begins like JSON.
const patience = 64 << 20

// objects finds the JSON objects of a text: one a line, or one over several.
func objects(text string) (out []map[string]any) {
	for vain := 0; vain < patience; {
		at := strings.IndexByte(text, '{')
		if at < 0 {
			break
		}
		text = text[at:]
		var object map[string]any
		dec := json.NewDecoder(strings.NewReader(text))
		err := dec.Decode(&object)
		if err == nil {
			out, text = append(out, object), text[dec.InputOffset():]
			continue
		}
		read := len(text)
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			read = int(syntax.Offset)
		}
		vain += read
		_, text, _ = strings.Cut(text, "\n")
	}
	return out
}

func (s *said) take(where presets.Says, object map[string]any) {
	set := func(to *string, path string) {
		for _, text := range values[string](object, path) {
			if text != "" {
				*to, s.heard = text, true
			}
		}
	}
	set(&s.text, where.Text)
	set(&s.session, where.Session)
	s.input += tokens(object, where.Input)
	s.output += tokens(object, where.Output)
	s.cached += tokens(object, where.Cached)
	for _, failed := range values[bool](object, where.Failed) {
		if failed {
			s.failed = "it says so"
		}
	}
	for _, failed := range values[string](object, where.Failed) {
		s.failed = failed
	}
}

// tokens adds up the numbers at some paths.
func tokens(object map[string]any, paths []string) (total int) {
	const most = 1e9 // more than any number that is believed
	for _, path := range paths {
		for _, n := range values[float64](object, path) {
			if n > 0 && n < most {
				total = min(total+int(n), most)
			}
		}
	}
	return total
}

// values are those of a type at a dotted path.
func values[T any](value any, path string) (all []T) {
	key, rest, more := strings.Cut(path, ".")
	object, _ := value.(map[string]any)
	for name, member := range object {
		found, ok := member.(T)
		switch {
		case name != key && key != "*":
		case more:
			all = append(all, values[T](member, rest)...)
		case ok:
			all = append(all, found)
		}
	}
	return all
}

var (
	headerPattern    = lazyregexp.New(`^[*\x60 ]*Commit:[*\x60 ]*([a-z]+)(?:\(([^)]*)\))?: *(.*?)[*\x60. ]*$`)
	criterionPattern = lazyregexp.New(`^[*\x60 ]*Criterion:[*\x60 ]*(\d{1,6})(?:\D*\b(part|whole|acceptance)\b)?`)
	disputePattern   = lazyregexp.New(`^[*\x60 ]*Dispute:[*\x60 ]*(.+?)[*\x60 ]*$`)
)

// ending is what the last lines of an agent's words say for the commit, and whether they say that
// nothing is left.
func ending(words string) (p agents.EditPlan, nothing bool) {
	for line := range strings.Lines(words) {
		line = strings.TrimSpace(line)
		if m := disputePattern().FindStringSubmatch(line); m != nil {
			p.Dispute = m[1]
		}
		if m := headerPattern().FindStringSubmatch(line); m != nil {
			p.Commit = &agents.CommitPart{Type: m[1], Scope: m[2], Summary: m[3]}
		}
		if m := criterionPattern().FindStringSubmatch(line); m != nil {
			p.Criterion, _ = strconv.Atoi(m[1])
			p.Covered = gates.Extent(m[2])
		}
		nothing = nothing || strings.Contains(strings.ToLower(line), "nothing left to do")
	}
	return p, nothing
}
