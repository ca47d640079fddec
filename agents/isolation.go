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

// Narrow reduces a brief to what its role may know in isolation: the tester sees no
// implementation, the others no requirements. Prompts are searched for the rest: see ErrLeak.
func (b Brief) Narrow() Brief {
	b.withheld = slices.Concat(b.withheld, b.Notes)
	shown := b.Shown
	b.Shown, b.Notes = nil, nil
	for _, f := range shown {
		if b.mayKnow(f) {
			b.Shown = append(b.Shown, f)
			continue
		}
		b.withheld = append(b.withheld, f.Content)
	}
	hidden := []*string{&b.LastCommit, &b.Plan.Analysis} // its planner knew everything
	if b.Plays == gates.Tester {
		hidden = append(hidden, &b.LastDiff)
	} else {
		hidden = append(hidden, &b.Kata, &b.Plan.Requirements, &b.Plan.Tests)
		b.withheld = append(b.withheld, gates.Each(b.Criteria, func(c Criterion) string { return c.Text })...)
		b.Criteria = nil
	}
	for _, text := range hidden {
		b.withheld = append(b.withheld, *text)
		*text = ""
	}
	return b
}

// Withhold adds texts that the role's prompts must not contain.
func (b Brief) Withhold(texts ...string) Brief {
	b.withheld = slices.Concat(b.withheld, texts)
	return b
}

// mayKnow reports whether a role in isolation may know a file. One with the kata's text is the kata.
func (b Brief) mayKnow(f ShownFile) bool {
	tester := b.Plays == gates.Tester
	if kata := strings.TrimSpace(b.Kata); kata != "" && strings.Contains(f.Content, kata) {
		return tester
	}
	switch f.Kind {
	case gates.KindTest, gates.KindSupport, gates.KindConfig:
		return true
	case gates.KindOther:
		return tester || b.Plays == gates.Keeper
	case gates.KindSource:
	}
	return !tester
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
	parts = append(parts, gates.Each(b.Shown, ShownFile.text)...)
	for _, t := range turns {
		parts = append(parts, t.material()...)
	}
	return defang(strings.Join(parts, "\n"))
}

func (f ShownFile) text() string { return f.Content }

func (t Turn) material() (parts []string) {
	if t.Task != TaskWork {
		parts = append(parts, t.Answer)
	}
	if t.More != nil {
		parts = append(parts, gates.Each(t.More.Shown, ShownFile.text)...)
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
