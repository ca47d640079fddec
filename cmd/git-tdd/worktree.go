package main

import (
	"context"
	"strings"
)

// goInto makes the program work in another folder.
func (p *program) goInto(dir string) { p.dir, p.repo = dir, nil }

// placed is the status of a working tree.
type placed struct {
	Worktree string `json:"worktree"`
	// Busy is what whoever takes steps there says of itself.
	Busy string `json:"busy,omitempty"`
	status
}

// everywhere is the status of every working tree of the repository.
func (p *program) everywhere(ctx context.Context) ([]placed, error) {
	repo, err := p.open(ctx)
	if err != nil {
		return nil, err
	}
	trees, err := repo.WorkingTrees(ctx)
	if err != nil {
		return nil, err
	}
	var out []placed
	for _, w := range trees {
		p.goInto(w.Dir)
		one := placed{Worktree: w.Dir}
		if one.status, err = p.status(ctx); err != nil {
			if ctx.Err() != nil {
				return nil, err
			}
			one.Branch, one.Why = strings.TrimPrefix(w.Branch, "refs/heads/"), err.Error()
		} else {
			one.Busy = p.repo.Holder()
		}
		out = append(out, one)
	}
	return out, nil
}

// showEverywhere prints the working trees, one below the other.
func (p *program) showEverywhere(all []placed) {
	for i, one := range all {
		if i > 0 {
			p.out.printf("\n")
		}
		p.out.printf("%s\n", p.out.paint(bold, one.Worktree))
		p.showStatus(one.status)
		if one.Busy != "" {
			p.out.printf("busy   %s\n", one.Busy)
		}
	}
}
