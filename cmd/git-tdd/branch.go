package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-tdd/git-tdd/gitx"
)

// movable is HEAD, if a command may move its branch.
func movable(ctx context.Context, repo *gitx.Repo, what string) (gitx.Head, error) {
	head, err := repo.Head(ctx)
	switch underway := repo.Underway(); {
	case err != nil:
		return head, err
	case underway != "":
		return head, &usageError{fmt.Sprintf("a %[1]s is under way; finish it, or give it up with `git %[1]s --abort`, then %[2]s", underway, what)}
	case head.Unborn() || head.Detached():
		return head, &usageError{what + " moves a branch, and there is none here; `git switch` to the branch, or make its first commit, then " + what}
	}
	return head, nil
}

// unpublished refuses to replace a commit that others may have seen. otherwise says what to do.
func unpublished(ctx context.Context, repo *gitx.Repo, id gitx.ID, otherwise string) error {
	remotes, err := repo.Containing(ctx, id, "refs/remotes")
	if err != nil || len(remotes) == 0 {
		return err
	}
	return &usageError{fmt.Sprintf("%s is on %s already, so others may build on it; %s", id.Short(), strings.TrimPrefix(remotes[0], "refs/remotes/"), otherwise)}
}

// undoneRefs are the refs that keep undone commits reachable.
const undoneRefs = "refs/tdd/undone/"

// keepUndone keeps a commit reachable.
func keepUndone(ctx context.Context, repo *gitx.Repo, name string, id gitx.ID) error {
	now, err := repo.Ref(ctx, name)
	if err != nil || now == id {
		return err
	}
	return repo.UpdateRef(ctx, gitx.RefUpdate{Name: name, New: id, Old: now, Log: "undone"})
}
