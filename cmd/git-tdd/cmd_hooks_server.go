package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/hooks"
	"github.com/git-tdd/git-tdd/verify"
)

// openServed opens the repository in which the program was started, as one that
// others push to.
func (p *program) openServed(ctx context.Context) (*gitx.Repo, error) {
	repo, err := gitx.OpenServed(ctx, gitx.Options{Dir: p.dir, Environ: p.environ})
	if err == nil {
		p.repo = repo
	}
	return repo, err
}

// openAny opens a repository with or without a working tree.
func (p *program) openAny(ctx context.Context) (*gitx.Repo, error) {
	repo, err := p.open(ctx)
	if errors.Is(err, gitx.ErrBare) {
		return p.openServed(ctx)
	}
	return repo, err
}

// serverInstaller is the installer for the named repository, or for the current
// one.
func (p *program) serverInstaller(c *cli.Context) (hooks.Installer, error) {
	switch dir := c.Args().First(); {
	case c.NArg() > 1:
		return hooks.Installer{}, &usageError{"--server takes one directory"}
	case filepath.IsAbs(dir):
		p.dir = dir
	default:
		p.dir = filepath.Join(p.dir, dir)
	}
	repo, err := p.openServed(c.Context)
	if err != nil {
		return hooks.Installer{}, err
	}
	self, err := ownPath()
	return hooks.Installer{Repo: repo, Binary: self, Server: true}, err
}

// approveServed approves what HEAD of a served repository declares: installing
// the hook there means deciding what runs there. That does not approve what is
// pushed later.
func (p *program) approveServed(ctx context.Context) error {
	head, err := p.repo.Head(ctx)
	if err != nil {
		return err
	}
	if head.Unborn() {
		p.err.printf("nothing is approved yet: HEAD is %s, which has no commit. `git tdd trust REV` here approves what a revision runs\n", head.Name())
		return nil
	}
	store, err := p.trustStore()
	if err != nil {
		return err
	}
	err = p.approveTree(ctx, store, head.Tree, tellApproved)
	if errors.Is(err, config.ErrNoLanguage) {
		return nil // nothing is declared, so nothing can run
	}
	return err
}

// preReceive judges what a push would bring, before any ref moves.
func (p *program) preReceive(ctx context.Context) error {
	p.environ = hooks.ServerEnviron(p.environ)
	repo, err := p.openServed(ctx)
	if err != nil {
		return err
	}
	lines, err := io.ReadAll(os.Stdin)
	if err != nil {
		return fmt.Errorf("read what is being pushed: %w", err)
	}
	checker, err := p.checker(repo, check.Recorded, nil)
	if err != nil {
		return err
	}
	g := &guard{p: p, Guard: hooks.Guard{Repo: repo, Checker: checker, Environ: p.environ}}
	ids, err := g.Incoming(ctx, hooks.ParseUpdates(string(lines)))
	if err != nil || len(ids) == 0 {
		return err
	}
	p.err.printf("git tdd: judging %s\n", count(len(ids), "commit"))
	report, err := g.prove(ctx, ids)
	if _, untrusted := errors.AsType[*untrustedError](err); untrusted {
		return &refusedError{"nothing was taken over: this push runs commands that nobody has approved on the server; " +
			"its administrator fetches it there, looks, and runs `git tdd trust FETCH_HEAD`"}
	}
	if err != nil || g.passes(ctx, report) {
		return err
	}
	p.err.printf("  nothing was taken over; mend it (git commit --amend, git rebase -i) and push again\n")
	return &refusedError{}
}

// prove judges commits and reports those that are not accepted.
func (g *guard) prove(ctx context.Context, ids []gitx.ID) (verify.Report, error) {
	how, shared := verifying{fresh: check.UseRecord}, &check.Shared{}
	return verify.Run(ctx, verify.Options{
		Repo: g.Repo, Jobs: how.side(len(ids)),
		Open: func() (*check.Checker, error) {
			return g.p.checker(g.Repo, how.fresh, nil, sharing(shared), by(check.Somebody))
		},
		Stop: func(err error) bool {
			_, untrusted := errors.AsType[*untrustedError](err)
			return untrusted
		},
		OnProof: g.tellProof,
	}, ids)
}
