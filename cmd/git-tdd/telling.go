package main

import (
	"context"
	"strings"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/lang"
)

// telling says which gates only tell; empty if none does.
func telling(names []string) string {
	switch len(names) {
	case 0:
		return ""
	case len(gates.All()):
		return "the rules only tell (gates.enforce): hooks let every commit through; `git tdd report --told` counts what they would have refused"
	}
	return "these gates only tell (gates.enforce): " + strings.Join(names, ", ") + "; `git tdd report --told` counts what they would have refused"
}

// telling are the gates that only tell by HEAD's rules; none outside a repository.
func (p *program) telling(ctx context.Context) []string {
	repo, err := p.open(ctx)
	if err != nil {
		return nil
	}
	head, err := repo.Head(ctx)
	if err != nil {
		return nil
	}
	rules, err := check.ReadSettings(ctx, repo, head.Tree, p.environ, lang.All())
	if err != nil {
		return nil
	}
	return rules.Settings.Gates.Telling()
}
