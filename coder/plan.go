package coder

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/llm"
)

// plan is what the agent left, in the form of a model's answer.
func (c *Coder) plan(ctx context.Context, tree gitx.ID, words string) (string, error) {
	left, odd, err := c.opts.Repo.Left(ctx, tree, c.dir)
	if err != nil {
		return "", err
	}
	left = slices.DeleteFunc(left, func(e gitx.TreeEdit) bool { return c.bounds.deps[e.Path] != "" })
	made, last := edits(left, c.run.Leaves), ending(words)
	binary := slices.IndexFunc(left, func(e gitx.TreeEdit) bool { return !utf8.Valid(e.Content) })
	switch {
	case binary >= 0:
		return "", &llm.Error{Kind: llm.KindBadAnswer, Message: left[binary].Path + " holds no text; an agent's step is made of texts"}
	case len(odd) > 0:
		return "", &llm.Error{Kind: llm.KindBadAnswer, Message: "the agent left a link or a folder of another repository at " + odd[0] + "; only plain files can be committed"}
	case len(made) == 0 && !last.nothing && last.dispute == "":
		return "", &llm.Error{Kind: llm.KindBadAnswer, Message: "the agent changed no file, and did not say that nothing is left to do: " + clip(words)}
	}
	answer := map[string]any{"edits": made, "notes": words, "criterion": last.criterion, "covered": last.covered, "dispute": last.dispute, "done": len(made) == 0 && last.dispute == ""}
	if last.summary != "" {
		answer["commit"] = map[string]any{"type": last.kind, "scope": last.scope, "summary": last.summary}
	}
	text, err := json.Marshal(answer)
	if err != nil {
		return "", fmt.Errorf("encode what the agent left: %w", err)
	}
	return string(text), nil
}

// edits are files as the edits of a plan.
func edits(left []gitx.TreeEdit, ignored []string) []map[string]any {
	out := []map[string]any{}
	for _, e := range left {
		base := filepath.Base(e.Path)
		if slices.ContainsFunc(ignored, func(pattern string) bool { ok, _ := filepath.Match(pattern, base); return ok }) {
			continue
		}
		edit := map[string]any{"path": e.Path, "action": "upsert", "content": string(e.Content)}
		if e.Delete {
			edit = map[string]any{"path": e.Path, "action": "delete"}
		}
		out = append(out, edit)
	}
	return out
}
