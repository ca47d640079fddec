package rust

import (
	"cmp"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
)

// cargoMessage is one line of cargo's --message-format=json.
type cargoMessage struct {
	Reason       string       `json:"reason"`
	PackageID    string       `json:"package_id"`
	ManifestPath string       `json:"manifest_path"`
	Target       cargoTarget  `json:"target"`
	Profile      cargoProfile `json:"profile"`
	Executable   string       `json:"executable"`
	Message      rustcMessage `json:"message"`
	Success      bool         `json:"success"`
}

// cargoTarget is what cargo compiles: a library, a binary, an integration test.
type cargoTarget struct {
	Kind []string `json:"kind"`
	Name string   `json:"name"`
}

// cargoProfile says how a target was compiled.
type cargoProfile struct {
	Test bool `json:"test"` // with its tests
}

// rustcMessage is a diagnostic of the compiler.
type rustcMessage struct {
	Level    string                 `json:"level"`
	Text     string                 `json:"message"`
	Code     *struct{ Code string } `json:"code"`
	Spans    []rustcSpan            `json:"spans"`
	Rendered string                 `json:"rendered"`
}

// rustcSpan is a place in the sources that a diagnostic speaks of.
type rustcSpan struct {
	File      string `json:"file_name"`
	Line      int    `json:"line_start"`
	Primary   bool   `json:"is_primary"`
	Label     string `json:"label"`
	Expansion *struct {
		Span rustcSpan `json:"span"`
	} `json:"expansion"`
}

// parseCargoMessage reads one line of cargo's output. A line that is not a
// message of cargo is not ok.
func parseCargoMessage(line []byte) (m cargoMessage, ok bool) {
	if len(line) == 0 || line[0] != '{' || json.Unmarshal(line, &m) != nil {
		return cargoMessage{}, false
	}
	return m, m.Reason != ""
}

// code is the diagnostic's code: E0425, or the name of a lint, or nothing.
func (m rustcMessage) code() string {
	if m.Code == nil {
		return ""
	}
	return m.Code.Code
}

// counts reports whether the message is an error of its own and not the
// compiler's summary of the others.
func (m rustcMessage) counts() bool {
	return strings.HasPrefix(m.Level, "error") && !strings.HasPrefix(m.Text, "aborting due to")
}

// missingCodes are the errors that mean that something has no definition, or
// none that can be reached.
func missingCodes() []string {
	return []string{
		"E0026", "E0220", "E0405", "E0407", "E0412", "E0422", "E0425", "E0432", "E0433", "E0437", "E0438",
		"E0531", "E0559", "E0560", "E0576", "E0583", "E0599", "E0603", "E0609", "E0616",
	}
}

// foreign reports whether the error is that a crate is not there at all.
func (m rustcMessage) foreign() bool {
	texts := []string{m.Text}
	for _, s := range m.Spans {
		if s.Primary {
			texts = append(texts, s.Label)
		}
	}
	return slices.ContainsFunc(texts, func(text string) bool {
		return strings.Contains(text, "unlinked crate `") || strings.Contains(text, "maybe a missing crate `") ||
			strings.Contains(text, "can't find crate for `")
	})
}

// uncoded reports whether the error is one of the missing names that have no code.
func (m rustcMessage) uncoded() bool {
	return m.code() == "" && (strings.HasPrefix(m.Text, "cannot find macro `") ||
		strings.HasPrefix(m.Text, "cannot find derive macro `") || strings.HasPrefix(m.Text, "cannot find attribute `"))
}

// class says what kind of error a message is, before its place is looked at.
func (m rustcMessage) class() gates.Class {
	code := m.code()
	switch {
	case m.foreign():
		return gates.ClassInfra
	case slices.Contains(missingCodes(), code), m.uncoded():
		return gates.ClassMissingSymbol
	case code != "", strings.HasPrefix(m.Text, "linking with"):
		return gates.ClassCompile
	case strings.HasPrefix(m.Text, "linker `"):
		return gates.ClassInfra
	}
	return gates.ClassSyntax
}

// symbol is the name that a message misses.
func (m rustcMessage) symbol(label string) string {
	candidates := []string{quoted(m.Text, "named `"), quoted(m.Text, "`")}
	if strings.HasPrefix(m.Text, "unresolved import") {
		candidates = []string{quoted(label, "`"), quoted(m.Text, "`")}
	}
	return lastSegment(cmp.Or(candidates...))
}

// quoted is what stands between a mark and the next backquote; "" where the
// text has no such mark.
func quoted(text, mark string) string {
	_, rest, _ := strings.Cut(text, mark)
	name, _, _ := strings.Cut(rest, "`")
	return name
}

// lastSegment is the last name of a path.
func lastSegment(path string) string {
	return strings.TrimSuffix(path[strings.LastIndex(path, "::")+1:], "!")
}

// outermost is where in somebody's own text a span comes from, when a macro
// made the code.
func (s rustcSpan) outermost() rustcSpan {
	for s.Expansion != nil {
		label := s.Label
		s = s.Expansion.Span
		s.Label = label
	}
	return s
}

// diagnostics turns an error into findings: one a place that it points at where
// several names are missing at once, else one.
func diagnostics(p *testrun.Places, m cargoMessage) []gates.Diagnostic {
	msg := m.Message
	if !msg.counts() {
		return nil
	}
	var primary []rustcSpan
	for _, s := range msg.Spans {
		if s.Primary {
			primary = append(primary, s.outermost())
		}
	}
	if len(primary) == 0 {
		primary = []rustcSpan{{}}
	}
	if msg.code() != "E0432" {
		primary = primary[:1]
	}
	out := make([]gates.Diagnostic, 0, len(primary))
	for _, s := range primary {
		out = append(out, diagnostic(p, m, s))
	}
	return out
}

// diagnostic is one finding at one place. A name that production code misses
// was not asked for by a test: that is an ordinary compile error.
func diagnostic(p *testrun.Places, m cargoMessage, s rustcSpan) gates.Diagnostic {
	d := gates.Diagnostic{
		Class: m.Message.class(), Line: s.Line, Message: m.Message.Text,
		File: p.Relative(s.File, filepath.Dir(m.ManifestPath)),
	}
	if code := m.Message.code(); code != "" {
		d.Message = code + ": " + d.Message
	}
	if d.File == "" {
		d.Line = 0
	}
	if d.Class == gates.ClassMissingSymbol && p.Of(d.File, d.Line) != testrun.InTest {
		d.Class = gates.ClassCompile
	}
	if d.Class == gates.ClassMissingSymbol {
		d.Symbol = m.Message.symbol(s.Label)
	}
	return d
}
