package main

import (
	"context"

	"github.com/git-tdd/git-tdd/gitx"
)

func (d *doctor) git(ctx context.Context) bool {
	repo, err := d.p.open(ctx)
	if err != nil {
		d.say("repository", ill, err.Error(), "run it inside a repository, or make one with `git tdd init`")
		return false
	}
	d.repo = repo
	version, err := repo.Version(ctx)
	switch {
	case err != nil:
		d.say("git", ill, err.Error(), "install git "+gitx.Oldest+" or newer")
		return false
	case gitx.Older(version, gitx.Oldest):
		d.say("git", ill, version, "install git "+gitx.Oldest+" or newer")
	default:
		d.say("git", well, version, "")
	}
	if d.head, err = repo.Head(ctx); err != nil {
		d.say("repository", ill, err.Error(), "`git fsck` looks for the cause")
		return false
	}
	d.say("repository", well, repo.Top, "")
	d.landing(ctx)
	return true
}

// landing looks for a landing that was cut off.
func (d *doctor) landing(ctx context.Context) {
	switch waits, err := d.repo.Interrupted(ctx); {
	case err != nil:
		d.say("landing", ill, err.Error(), "`git fsck` looks for the cause")
	case waits:
		d.say("landing", ill, "a commit is landing, or its landing was cut off", "run this again with --repair")
	}
	left, err := d.repo.Leftovers()
	if err != nil {
		d.say("leftovers", unsure, err.Error(), "")
	}
	for _, l := range left {
		remedy := "if you know of nobody who uses it: rm -rf " + shell(l.Path)
		if l.Ours {
			remedy = "run this again with --repair"
		}
		d.say("leftovers", unsure, l.What+": "+l.Path, remedy)
	}
}
