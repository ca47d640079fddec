package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/loop"
	"github.com/git-tdd/git-tdd/verify"
)

// blocks is what can be opened of a commit.
func blocks(c Commit) []*block {
	var out []*block
	show := "git show " + c.ID.Short()
	if text := findings(c.Proof); text != "" {
		out = append(out, textBlock("Findings", text, ""))
	}
	if text := plan(c.Message); text != "" {
		out = append(out, textBlock("Plan", text, show))
	}
	if text := failures(c.Facts); text != "" {
		out = append(out, textBlock("Failures", text, "git tdd facts "+c.ID.Short()))
	}
	for _, k := range c.Attempts {
		out = append(out, attempt(k))
	}
	if c.Patch.Lines > 0 {
		out = append(out, &block{Title: "Diff", diff: true, whole: c.Patch.Text, lines: c.Patch.Lines, how: show})
	}
	return out
}

func textBlock(title, text, how string) *block {
	text = strings.TrimRight(text, "\n") + "\n"
	return &block{Title: title, Open: true, whole: text, lines: strings.Count(text, "\n"), how: how}
}

func attempt(k loop.Kept) *block {
	return textBlock(fmt.Sprintf("Attempt %d, refused", k.Number), strings.Join(k.Findings, "\n"), "git tdd attempts show "+k.Name())
}

func findings(proof *verify.Proof) string {
	if proof == nil {
		return ""
	}
	var b strings.Builder
	for _, f := range proof.Findings {
		b.WriteString(f.String() + "\n")
	}
	for _, f := range proof.Notes {
		b.WriteString("note: " + f.String() + "\n")
	}
	return b.String()
}

// plan is what a message says beside its trailers. What the page says anyway is
// left out.
func plan(m commitmsg.Message) string {
	if len(m.Sections) == 0 {
		return m.Body
	}
	var parts []string
	for _, s := range m.Sections {
		if s.Title == "Context" || s.Title == "Verification" {
			continue
		}
		parts = append(parts, s.Title+":\n"+"– "+strings.Join(s.Items, "\n– "))
	}
	return strings.Join(parts, "\n")
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
