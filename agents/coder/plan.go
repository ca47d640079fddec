package coder

import (
	"cmp"
	"context"
	"encoding/json"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-tdd/git-tdd/agents"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/llm"
)

// plan is what the agent left, in the form of a model's answer.
func (c *Coder) plan(ctx context.Context, tree gitx.ID, words string) (string, error) {
	left, odd, err := c.opts.Repo.Left(ctx, tree, c.dir)
	if err != nil {
		return "", err
	}
	left = slices.DeleteFunc(left, func(e gitx.TreeEdit) bool { return c.deps[e.Path] != "" || leaves(c.run.Leaves, e.Path) })
	odd = slices.DeleteFunc(odd, func(name string) bool { return leaves(c.run.Leaves, name) })
	answer, nothing := ending(words)
	binary := slices.IndexFunc(left, func(e gitx.TreeEdit) bool { return !utf8.Valid(e.Content) })
	switch {
	case binary >= 0:
		return "", &llm.Error{Kind: llm.KindBadAnswer, Message: left[binary].Path + " holds no text; an agent's step is made of texts"}
	case len(odd) > 0:
		return "", &llm.Error{Kind: llm.KindBadAnswer, Message: "the agent left a link, a folder of another repository or a file of hundreds of megabytes at " + odd[0] + "; only plain files can be committed"}
	case len(left) == 0 && !nothing && answer.Dispute == "":
		return "", &llm.Error{Kind: llm.KindBadAnswer, Message: "the agent changed no file, and did not say that nothing is left to do: " + cmp.Or(clip(words), "it said nothing")}
	}
	answer.Edits, answer.Notes, answer.Done = []agents.Edit{}, words, len(left) == 0 && answer.Dispute == ""
	for _, e := range left {
		edit := agents.Edit{Path: e.Path, Action: agents.Upsert, Content: string(e.Content)}
		if e.Delete {
			edit.Action = agents.Delete
		}
		answer.Edits = append(answer.Edits, edit)
	}
	if answer.Commit != nil && answer.Commit.Summary == "" {
		answer.Commit = nil
	}
	text, err := json.Marshal(answer)
	return string(text), err
}

// leaves reports whether a path is, or lies in, what an agent leaves for itself.
func leaves(patterns []string, name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if slices.ContainsFunc(patterns, func(pattern string) bool { ok, _ := path.Match(pattern, part); return ok }) {
			return true
		}
	}
	return false
}

// used is what a turn used, as far as the agent says so.
func (c *Coder) used(said said) llm.Usage {
	now := llm.Usage{Prompt: said.input, Completion: said.output, Cached: min(said.cached, said.input)}
	before := c.told
	c.told = now
	if !c.run.Says.Whole || c.session == "" || said.session != c.session {
		return now
	}
	return llm.Usage{
		Prompt: max(0, now.Prompt-before.Prompt), Completion: max(0, now.Completion-before.Completion),
		Cached: max(0, now.Cached-before.Cached),
	}
}
