package check

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
)

// cross measures the new sources with the old tests, if a refactoring changed
// tests.
func (c *Checker) cross(ctx context.Context, p Proposal, j *Judgement) error {
	switch {
	case !j.Case.After.Complete():
		return nil
	case len(p.Others) > 0:
		return c.sides(ctx, p, j)
	case !j.Case.Preserves() && !j.Case.Retires():
		return c.weakened(ctx, p, j)
	}
	edits, err := c.restoreTests(ctx, p.Tree, j.Case.Change, j.Project.Entries)
	if err != nil || len(edits) == 0 {
		return err
	}
	tree, err := c.opts.Repo.WriteTree(ctx, p.Tree, edits)
	if err != nil {
		return fmt.Errorf("put the old tests under the new sources: %w", err)
	}
	result, err := c.Of(ctx, j.Project, tree)
	if j.Case.Crossed = &result.Facts; err != nil {
		return err
	}
	if j.Case.Retires() {
		j.Case.Vanished, err = c.vanished(ctx, p, j)
		return err
	}
	return c.reverse(ctx, p, j)
}

// restoreTests lists the edits that bring back the tests as they were.
// Deletions come first, because what is restored may need their place.
func (c *Checker) restoreTests(ctx context.Context, tree gitx.ID, change gates.Change, before []gitx.Entry) ([]gitx.TreeEdit, error) {
	was := map[string]gitx.Entry{}
	for _, e := range before {
		was[e.Path] = e
	}
	var gone, back []gitx.TreeEdit
	for _, f := range change.Files {
		if !f.TouchesTest() {
			continue
		}
		switch {
		case f.New == nil:
		case forTests(f.New):
			gone = append(gone, gitx.TreeEdit{Path: f.New.Path, Delete: true})
		case partOf(f.New, testOf) != inlineTests(f.Old):
			content, _, err := c.opts.Repo.Text(ctx, tree, f.New.Path)
			if err != nil {
				return nil, err
			}
			back = append(back, gitx.TreeEdit{Path: f.New.Path, Mode: f.New.Mode, Content: withTests(string(content), f.New, inlineTests(f.Old))})
		}
		if forTests(f.Old) {
			e := was[f.Old.Path]
			back = append(back, gitx.TreeEdit{Path: e.Path, Mode: e.Mode, Blob: e.ID})
		}
	}
	return append(gone, back...), nil
}

// forTests reports whether a whole file is for tests.
func forTests(f *gates.File) bool {
	return f != nil && (f.Kind == gates.KindTest || f.Kind == gates.KindSupport)
}

// inlineTests is the part of a source file that holds tests.
func inlineTests(f *gates.File) string {
	if forTests(f) {
		return ""
	}
	return partOf(f, testOf)
}

// withTests puts other tests into a source file: in place of its own if those
// are in one place, so that they see the same names; otherwise at the end.
func withTests(content string, f *gates.File, tests string) []byte {
	for at := 0; f.Test != ""; at++ {
		next := strings.Index(content[at:], f.Test)
		if next < 0 {
			break
		}
		at += next
		before, after := content[:at], content[at+len(f.Test):]
		if before+after == f.Source {
			return []byte(before + ended(tests) + after)
		}
	}
	return []byte(ended(f.Source) + ended(tests))
}

// ended is the text with a line break at its end.
func ended(text string) string {
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
}
