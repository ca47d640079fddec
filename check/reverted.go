package check

import (
	"context"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

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
