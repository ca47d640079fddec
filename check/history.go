package check

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
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

// vanished lists the words of the changed sources that are in none of the tree of now, and what
// they declared and none declares now. Comments do not count where the language can tell them.
func (c *Checker) vanished(ctx context.Context, p Proposal, j *Judgement) (map[string]bool, error) {
	words, declared := map[string]bool{}, map[string]bool{}
	for _, f := range j.Case.Change.Files {
		if f.Old != nil && f.Old.Kind == gates.KindSource {
			for _, word := range gates.Identifiers(codeIn(j.Project.Language, f.Old.Path, f.Old.Source)) {
				words[word] = true
			}
			for _, name := range gates.DeclaredNames(f.Old.Source) {
				declared[name] = true
			}
		}
	}
	err := c.eachSource(ctx, j.Project.Language, p.Tree, func(f *gates.File, code string) {
		for _, word := range gates.Identifiers(code) {
			delete(words, word)
		}
		for _, name := range gates.DeclaredNames(f.Source) {
			delete(declared, name)
		}
	})
	maps.Copy(words, declared)
	return words, err
}

// reverts reports whether a subject says that the commit takes others back.
func reverts(subject string) bool {
	kind, _ := commitmsg.Special(subject)
	header, err := commitmsg.ParseHeader(subject)
	return kind == "revert" || err == nil && header.Type == "revert"
}

// reverted notes what a revert takes back: down to an earlier tree, or otherwise the
// nearest commit that it names.
func (c *Checker) reverted(ctx context.Context, p Proposal, j *Judgement) error {
	k := j.Case
	var taken []gitx.Commit // the latest first
	found, searched, err := c.earlier(ctx, p.Parent, func(earlier gitx.Commit) bool {
		if earlier.Tree == p.Tree {
			return true
		}
		taken = append(taken, earlier)
		return false
	})
	k.Reverts = &gates.Reverts{}
	if err != nil || found.ID != "" {
		k.Restores = string(found.ID)
		k.Reverts.Unnamed, k.Reverts.Loosely = unnamed(p.Message, unreverted(taken))
		return err
	}
	at := slices.IndexFunc(taken, func(commit gitx.Commit) bool { return names(p.Message, commit) })
	if k.Reverts.Loosely = at < 0 && !searched; at < 0 {
		return nil
	}
	before, err := c.treeBefore(ctx, taken[at])
	if err != nil {
		return err
	}
	k.Reverts.Of, err = c.Change(ctx, j.Project.Language, before, taken[at].Tree)
	return err
}

// unreverted leaves out the commits that others of them took back, and those.
func unreverted(taken []gitx.Commit) []gitx.Commit {
	gone := map[gitx.ID]bool{}
	for i, commit := range taken {
		if gone[commit.ID] || !reverts(commitmsg.Parse(commit.Message).Subject) {
			continue
		}
		for _, earlier := range taken[i+1:] {
			if names(commit.Message, earlier) && !gone[earlier.ID] {
				gone[commit.ID], gone[earlier.ID] = true, true
				break
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(taken), func(commit gitx.Commit) bool { return gone[commit.ID] })
}

// unnamed lists the subjects of the commits that a revert takes back and does not name,
// if they are not of a cycle of which it names a commit. What is all of one cycle needs
// no name.
func unnamed(message string, taken []gitx.Commit) (subjects []string, all bool) {
	cycle, cycles := 0, make([]int, len(taken))
	said := map[int]bool{}
	for i, commit := range slices.Backward(taken) {
		m := commitmsg.Parse(commit.Message)
		subject, fixup := commitmsg.Target(m.Subject)
		header, _ := commitmsg.ParseHeader(subject)
		switch plays := gates.RoleOf(header.Type); {
		case fixup:
		case plays == "" || plays == gates.Tester && m.Value(gates.KeyOutcome) != string(gates.Disputed):
			cycle++
		}
		cycles[i] = cycle
		said[cycle] = said[cycle] || names(message, commit)
	}
	if len(said) < 2 {
		return nil, false
	}
	for i, commit := range taken {
		if !said[cycles[i]] {
			subjects = append(subjects, commitmsg.Parse(commit.Message).Subject)
		}
	}
	return subjects, len(subjects) == len(taken)
}

var idPattern = lazyregexp.New(`\b[0-9a-f]{7,64}\b`)

// names reports whether a message names a commit, by its subject or its id.
func names(message string, commit gitx.Commit) bool {
	subject, _ := commitmsg.Target(commitmsg.Parse(commit.Message).Subject)
	return subject != "" && strings.Contains(message, subject) || slices.ContainsFunc(idPattern().FindAllString(message, -1), func(id string) bool {
		return strings.HasPrefix(string(commit.ID), id)
	})
}
