package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/loop"
)

// blocks is what can be opened of a commit.
func blocks(c Commit) []*block {
	var out []*block
	show := "git show " + c.ID.Short()
	var notes []*note
	if c.Proof != nil {
		notes = notesOf(slices.Concat(c.Proof.Findings, c.Proof.Notes))
	}
	out = append(out, notesBlock("Findings", notes, "git tdd verify")...)
	if text := plan(c.Message); text != "" {
		out = append(out, textBlock("Plan", "markdown", text, show))
	}
	if text := failures(c.Facts); text != "" {
		out = append(out, textBlock("Failures", "text", text, "git tdd facts "+c.ID.Short()))
	}
	for _, k := range c.Attempts {
		out = append(out, attempt(k))
	}
	return append(out, diffs(c.Patch, notes, anchor(c), show)...)
}

func attempt(k loop.Kept) *block {
	return textBlock(fmt.Sprintf("Attempt %d, refused", k.Number), "text", strings.Join(k.Findings, "\n"), "git tdd attempts show "+k.Name())
}

// plan is what a message says beside its trailers. What the page says anyway is left out.
func plan(m commitmsg.Message) string {
	if len(m.Sections) == 0 {
		return m.Body
	}
	var parts []string
	for _, s := range m.Sections {
		if s.Title == "Context" || s.Title == "Verification" {
			continue
		}
		parts = append(parts, s.Title+":\n\n- "+strings.Join(s.Items, "\n- "))
	}
	return strings.Join(parts, "\n\n")
}

// failures says which tests failed and why, and why a tree could not be built.
func failures(f *gates.Facts) string {
	if f == nil {
		return ""
	}
	var b strings.Builder
	for _, t := range f.With(gates.StatusFailed) {
		fmt.Fprintf(&b, "%s (%s)\n%s", t.ID, t.Class, indented(t.Message))
	}
	for _, d := range slices.Concat(f.Diagnostics, f.CheckDiagnostics) {
		fmt.Fprintf(&b, "%s (%s)\n%s", strings.TrimPrefix(fmt.Sprintf("%s:%d", d.File, d.Line), ":0"), d.Class, indented(d.Message))
	}
	return b.String()
}

func indented(text string) string {
	if text = strings.TrimSpace(text); text == "" {
		return ""
	}
	return "  " + strings.ReplaceAll(text, "\n", "\n  ") + "\n"
}
