package commitmsg

import (
	"fmt"
	"strings"

	"github.com/leodido/go-conventionalcommits"
	"github.com/leodido/go-conventionalcommits/parser"
)

// Header is a subject in the form of the Conventional Commits specification.
type Header struct {
	Type     string // feat, fix, test …, as written
	Scope    string // empty if there is none
	Breaking bool   // the header has its exclamation mark
	Summary  string // the description, without white space around it
}

// String returns the header as a subject line.
func (h Header) String() string {
	text := h.Type
	if h.Scope != "" {
		text += "(" + h.Scope + ")"
	}
	if h.Breaking {
		text += "!"
	}
	return unfold(text + ": " + h.Summary)
}

// headerForm is the remedy for every malformed header, with a type as an example.
func headerForm(typ string) string {
	return fmt.Sprintf(`write "type: summary" or "type(scope): summary", for instance "%s(calculator): sum two numbers"`, typ)
}

// ParseHeader reads a subject line and ignores what follows the first line. It
// accepts any single word as a type, in any case: which types are allowed is
// decided by [Message.Check]. Its errors name the subject, what is wrong with
// it and what to write.
func ParseHeader(subject string) (Header, error) {
	line, _, _ := strings.Cut(subject, "\n")
	line = strings.TrimRight(line, "\r")
	h, wrong := readHeader(line)
	if wrong != "" {
		return Header{}, fmt.Errorf("the subject %.120q is not a conventional header (%s): %s", line, wrong, headerForm("test"))
	}
	return h, nil
}

// readHeader returns the header, or what is wrong with it.
func readHeader(line string) (h Header, wrong string) {
	word := line[:keyLen(line)]
	switch {
	case line == "":
		return Header{}, "it is empty"
	case !strings.Contains(line, ":"):
		return Header{}, "it has no colon"
	case word == "" || !strings.ContainsAny(line[len(word):len(word)+1], "(!:"):
		return Header{}, "it does not begin with a type of one word"
	case len(word) > maxSubject: // the library takes quadratic time
		return Header{}, "its type is too long"
	}
	// A new machine each time, because they are not safe for concurrent use.
	machine := parser.NewMachine(conventionalcommits.WithTypes(conventionalcommits.TypesFreeForm))
	parsed, err := machine.Parse([]byte(line))
	found, ok := parsed.(*conventionalcommits.ConventionalCommit)
	switch {
	case err != nil:
		return Header{}, err.Error()
	case !ok || found == nil || !strings.EqualFold(found.Type, word):
		return Header{}, "it cannot be read"
	}
	h = Header{Type: word, Breaking: found.Exclamation, Summary: strings.TrimSpace(found.Description)}
	if found.Scope != nil { // lower-cased by the library: take it from the line itself
		h.Scope = line[len(word)+1:][:len(*found.Scope)]
	}
	switch {
	case h.Scope != strings.TrimSpace(h.Scope) || h.Scope == "" && line[len(word)] == '(':
		return h, "its scope is empty or has white space around it"
	case h.Summary == "":
		return h, "it has no summary"
	}
	return h, ""
}

// Target is the subject of the commit that a subject of git commit --fixup or
// --squash is for; ok is false if it is for none.
func Target(subject string) (target string, ok bool) {
	for {
		kind, special := Special(subject)
		if !special || kind != "fixup" && kind != "squash" && kind != "amend" {
			return subject, ok
		}
		_, subject, ok = strings.Cut(subject, "! ")
	}
}

// Special recognises the subjects that git itself writes, which follow no
// convention: kind is "merge", "revert", "fixup", "squash" or "amend".
func Special(subject string) (kind string, ok bool) {
	for _, s := range []struct{ prefix, kind string }{
		{"Merge ", "merge"},
		{`Revert "`, "revert"},
		{`Reapply "`, "revert"}, // the revert of a revert
		{"fixup! ", "fixup"},
		{"squash! ", "squash"},
		{"amend! ", "amend"},
	} {
		if strings.HasPrefix(subject, s.prefix) {
			return s.kind, true
		}
	}
	return "", false
}
