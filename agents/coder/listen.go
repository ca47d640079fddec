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
		if text, ok := at(object, path).(string); ok && text != "" {
			*to, s.heard = text, true
		}
	}
	add := func(to *int, paths []string) {
		for _, path := range paths {
			*to += int(sum(object, path))
		}
	}
	set(&s.text, where.Text)
	set(&s.session, where.Session)
	add(&s.input, where.Input)
	add(&s.output, where.Output)
	add(&s.cached, where.Cached)
	switch failed := at(object, where.Failed).(type) {
	case bool:
		if failed {
			s.failed = "it says so"
		}
	case string:
		s.failed = failed
	}
}

// at is the value at a dotted path; nil where there is none.
func at(value any, path string) any {
	if path == "" {
		return nil
	}
	for key := range strings.SplitSeq(path, ".") {
		object, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = object[key]
	}
	return value
}

// most is more than any number that is believed.
const most = 1e9

// sum adds up the numbers at a dotted path; 0 where there is none.
func sum(value any, path string) (total float64) {
	key, rest, more := strings.Cut(path, ".")
	object, ok := value.(map[string]any)
	if !ok {
		return 0
	}
	for name, member := range object {
		switch n, is := member.(float64); {
		case name != key && key != "*":
		case more:
			total += sum(member, rest)
		case is && n > 0 && n < most:
			total += n
		}
	}
	return min(total, most)
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
