package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
)

// recall notes what a commit has to do with an earlier one: that it restores its
// tree, or that it is to be folded into it.
func (c *Checker) recall(ctx context.Context, p Proposal, j *Judgement) error {
	k, settings := j.Case, j.Project.Settings
	if p.Parent == "" || len(p.Others) > 0 {
		return nil
	}
	target, fixup := commitmsg.Target(k.Message.Subject)
	switch {
	case fixup:
		found, searched, err := c.earlier(ctx, p.Parent, func(earlier gitx.Commit) bool { return folds(target, earlier) })
		k.Adrift = searched && found.ID == ""
		if found.ID != "" {
			was := commitmsg.Parse(found.Message)
			target, k.FixupOpens = was.Subject, was.Value(gates.KeyOutcome) == string(gates.Acceptance)
		}
		if header, bad := commitmsg.ParseHeader(target); bad == nil {
			k.FixupOf = gates.RoleOf(header.Type)
			if own := settings.OwnRole(header.Type); own != "" && own == gates.Role(commitmsg.Parse(found.Message).Value(gates.KeyRole)) {
				k.FixupOf, k.Rules = gates.Keeper, settings.Rules(own)
			}
		}
		return err
	case reverts(k.Message.Subject):
		return c.reverted(ctx, p, j)
	}
	return nil
}

func (c *Checker) treeOf(ctx context.Context, commit gitx.ID) (gitx.ID, error) {
	if commit == "" {
		return "", nil
	}
	got, err := c.opts.Repo.Commit(ctx, string(commit))
	if errors.Is(err, gitx.ErrMissing) {
		err = fmt.Errorf("the parent is not here; in a shallow clone, `git fetch --unshallow` brings it: %w", err)
	}
	return got.Tree, err
}

// folds reports whether git rebase --autosquash would fold a commit for this
// target into an earlier one: by the beginning of its subject, or by its id.
func folds(target string, into gitx.Commit) bool {
	subject := commitmsg.Parse(into.Message).Subject
	const shortest = 4 // as git abbreviates
	return target != "" && strings.HasPrefix(subject, target) || len(target) >= shortest && strings.HasPrefix(string(into.ID), target)
}

// earlier is the nearest first-parent commit, from one on, of which something
// holds. searched is false if the history goes on beyond what was looked at.
func (c *Checker) earlier(ctx context.Context, from gitx.ID, holds func(gitx.Commit) bool) (found gitx.Commit, searched bool, err error) {
	left, last := reach, gitx.Commit{}
	err = c.opts.Repo.Walk(ctx, string(from), func(commit gitx.Commit) bool {
		last = commit
		if holds(commit) {
			found = commit
			return false
		}
		left--
		return left > 0
	})
	return found, len(last.Parents) == 0 && !c.opts.Repo.Shallow(), err
}

// redText reads the files of the open reds, if a commit outside the loop touches
// what helps tests, and those of the open acceptance tests.
func (c *Checker) redText(ctx context.Context, _ Proposal, j *Judgement) (err error) {
	k := j.Case
	helps := func(f gates.FileChange) bool { return f.Old != nil && f.Old.Kind == gates.KindSupport }
	if len(k.OpenFiles()) == 0 && (k.Plays != "" || !k.OnRed()) || !slices.ContainsFunc(k.Change.Files, helps) {
		return nil
	}
	k.RedText = map[string]string{}
	for _, path := range append(k.RedFiles(), k.OpenFiles()...) {
		if k.RedText[path], err = c.text(ctx, j.parent, path); err != nil {
			return err
		}
	}
	return nil
}

// vanished lists the words of the changed sources that are in none of the tree of
// now. Comments do not count where the language can tell them.
func (c *Checker) vanished(ctx context.Context, p Proposal, j *Judgement) (map[string]bool, error) {
	out := map[string]bool{}
	for _, f := range j.Case.Change.Files {
		if f.Old != nil && f.Old.Kind == gates.KindSource {
			for _, word := range gates.Identifiers(codeIn(j.Project.Language, f.Old.Path, f.Old.Source)) {
				out[word] = true
			}
		}
	}
	return out, c.eachSource(ctx, j.Project.Language, p.Tree, func(_ *gates.File, code string) {
		for _, word := range gates.Identifiers(code) {
			delete(out, word)
		}
	})
}
