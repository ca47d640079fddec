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
	Scope    string // empty where there is none
	Breaking bool   // the header has its exclamation mark
	Summary  string // the description, without white space around it
}

// String returns the header as a subject line.
func (h Header) String() string {
	var b strings.Builder
	b.WriteString(h.Type)
	if h.Scope != "" {
		b.WriteString("(" + h.Scope + ")")
	}
	if h.Breaking {
		b.WriteByte('!')
	}
	b.WriteString(": " + h.Summary)
	return unfold(b.String())
}

// headerForm is what every complaint about a header advises.
const headerForm = `write "type: summary" or "type(scope): summary", for instance "test(calculator): sum two numbers"`

// ParseHeader reads a subject line; what follows the first line is ignored. It
// takes any one word for a type, in any case: which types are allowed is the
// matter of [Message.Check]. Its errors name the subject, what is wrong with it
// and what to write.
func ParseHeader(subject string) (Header, error) {
	line, _, _ := strings.Cut(subject, "\n")
	line = strings.TrimRight(line, "\r")
	h, wrong := readHeader(line)
	if wrong != "" {
		return Header{}, fmt.Errorf("the subject %q is not a conventional header (%s): %s", line, wrong, headerForm)
	}
	return h, nil
}

// readHeader returns the header or what is wrong with it. The machine is made
// anew each time because it is not safe for concurrent use.
func readHeader(line string) (h Header, wrong string) {
	machine := parser.NewMachine(conventionalcommits.WithTypes(conventionalcommits.TypesFreeForm))
	parsed, err := machine.Parse([]byte(line))
	found, ok := parsed.(*conventionalcommits.ConventionalCommit)
	switch {
	case line == "":
		return Header{}, "it is empty"
	case !strings.Contains(line, ":"):
		return Header{}, "it has no colon"
	case err != nil:
		return Header{}, err.Error()
	case !ok || found == nil:
		return Header{}, "it cannot be read"
	}
	// The library lower-cases type and scope: take them from the line itself.
	h = Header{Type: line[:len(found.Type)], Breaking: found.Exclamation, Summary: strings.TrimSpace(found.Description)}
	if found.Scope != nil {
		h.Scope = line[len(h.Type)+1:][:len(*found.Scope)]
	}
	return h, h.flaw(line)
}

// flaw says what the library lets pass.
func (h Header) flaw(line string) string {
	switch {
	case h.Type == "" || keyLen(h.Type) != len(h.Type):
		return fmt.Sprintf("its type %q is not one word", h.Type)
	case h.Scope != strings.TrimSpace(h.Scope) || strings.HasPrefix(line, h.Type+"(") && h.Scope == "":
		return "its scope is empty or has white space around it"
	case h.Summary == "":
		return "it has no summary"
	}
	return ""
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
