package agents

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

// ErrLeak says that a prompt contains what isolation withholds. It must not be sent.
var ErrLeak = errors.New("the prompt holds what isolation withholds from the role")

// Isolation says how much of the project a role is shown.
type Isolation string

// The isolations.
const (
	Open   Isolation = "open"   // every role sees everything
	Strict Isolation = "strict" // the tester sees no implementation, the others no requirements
)

// Field is one part of a brief that can be withheld.
type Field string

// The fields of a brief.
const (
	FieldKata       Field = "kata"
	FieldCriteria   Field = "criteria"
	FieldLastCommit Field = "last commit"
	FieldLastDiff   Field = "last diff"
	FieldSources    Field = "sources"
	FieldTests      Field = "tests"
	FieldConfig     Field = "configuration"
	FieldDocs       Field = "documents"
)

// Manifest lists what a role gets besides the state of the run, paths, measurements and feedback.
type Manifest []Field

// ManifestOf is the manifest of a role, by its rules.
func ManifestOf(mode Isolation, plays gates.Role) Manifest {
	switch {
	case mode == Open:
		return Manifest{
			FieldKata, FieldCriteria, FieldLastCommit, FieldLastDiff,
			FieldSources, FieldTests, FieldConfig, FieldDocs,
		}
	case plays == gates.Tester:
		return Manifest{FieldKata, FieldCriteria, FieldTests, FieldConfig, FieldDocs}
	case plays == gates.Keeper:
		return Manifest{FieldLastDiff, FieldSources, FieldTests, FieldConfig, FieldDocs}
	}
	return Manifest{FieldLastDiff, FieldSources, FieldTests, FieldConfig}
}

// Narrow reduces a brief to its role's manifest. Prompts are searched for the rest: see ErrLeak.
func (b Brief) Narrow(mode Isolation) Brief {
	m := ManifestOf(mode, b.plays())
	b.withheld = slices.Clone(b.withheld)
	if mode == Strict {
		b.withholdPlan()
	}
	shown := b.Shown
	b.Shown = nil
	for _, f := range shown {
		if slices.Contains(m, b.fieldOf(f)) {
			b.Shown = append(b.Shown, f)
			continue
		}
		b.withheld = append(b.withheld, f.Content)
	}
	if !slices.Contains(m, FieldLastCommit) {
		b.withheld = append(b.withheld, b.Notes...)
		b.Notes = nil
	}
	for field, text := range map[Field]*string{FieldKata: &b.Kata, FieldLastCommit: &b.LastCommit, FieldLastDiff: &b.LastDiff} {
		if !slices.Contains(m, field) {
			b.withheld = append(b.withheld, *text)
			*text = ""
		}
	}
	if !slices.Contains(m, FieldCriteria) {
		for _, c := range b.Criteria {
			b.withheld = append(b.withheld, c.Text)
		}
		b.Criteria = nil
	}
	return b
}

// Withhold adds texts that the role's prompts must not contain.
func (b Brief) Withhold(texts ...string) Brief {
	b.withheld = slices.Concat(b.withheld, texts)
	return b
}

// fieldOf is the field that a file belongs to. The file with the kata's text is the kata.
func (b Brief) fieldOf(f ShownFile) Field {
	if kata := strings.TrimSpace(b.Kata); kata != "" && strings.Contains(f.Content, kata) {
		return FieldKata
	}
	switch f.Kind {
	case gates.KindTest, gates.KindSupport:
		return FieldTests
	case gates.KindConfig:
		return FieldConfig
	case gates.KindOther:
		return FieldDocs
	case gates.KindSource:
		return FieldSources
	}
	if f.Editable && b.plays() == gates.Tester {
		return FieldTests
	}
	return FieldSources
}

// telling is the length, in runes, from which a line in two places is no coincidence.
const telling = 24

// leaked looks for telling lines of what was withheld; the role's own material may contain them too.
func (b Brief) leaked(prompt string, turns []Turn) error {
	if len(b.withheld) == 0 {
		return nil
	}
	material := b.material(turns)
	for _, text := range b.withheld {
		for line := range strings.Lines(text) {
			line = defang(strings.TrimSpace(line))
			if len([]rune(line)) >= telling && strings.Contains(prompt, line) && !strings.Contains(material, line) {
				return fmt.Errorf("%w %s: %q", ErrLeak, b.Role, oneLine(line, 60))
			}
		}
	}
	return nil
}

// material is what comes from the project itself and from measuring it.
func (b Brief) material(turns []Turn) string {
	parts := append(describeFacts(b.Facts), b.LastDiff, b.Output, strings.Join(b.Files, "\n"))
	for _, lines := range b.Outlines {
		parts = append(parts, lines...)
	}
	for _, f := range b.Shown {
		parts = append(parts, f.Content)
	}
	for _, t := range turns {
		parts = append(parts, t.material()...)
	}
	return defang(strings.Join(parts, "\n"))
}

func (t Turn) material() (parts []string) {
	if t.Task != TaskWork {
		parts = append(parts, t.Answer)
	}
	if t.More != nil {
		for _, f := range t.More.Shown {
			parts = append(parts, f.Content)
		}
	}
	if t.Feedback != nil {
		parts = append(parts, t.Feedback.Output)
		for _, f := range t.Feedback.Findings {
			if !strings.HasPrefix(f, "review: ") { // the reviewer knows more than the role may
				parts = append(parts, f)
			}
		}
	}
	return parts
}
