package gitx

import (
	"context"
	"errors"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// TestPruned: what nothing refers to yet can be pruned by the user at any moment
// of a step. That is told apart from every other failure of git.
func TestPruned(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := committed(t)
	r := l.open()
	head, err := r.Head(ctx)
	gittest.Check(t, err)
	blob, err := r.WriteBlob(ctx, []byte("not yet in a tree"))
	gittest.Check(t, err)
	tree, err := r.WriteTree(ctx, head.Tree, []TreeEdit{put("new", "not yet in a commit")})
	gittest.Check(t, err)
	id, err := r.CommitTree(ctx, NewCommit{Tree: tree, Author: Ident{Name: "A", Mail: "a@example.com"}, Message: "m\n"})
	gittest.Check(t, err)
	l.Git("gc", "--quiet", "--prune=now")
	if _, err := r.WriteTree(ctx, head.Tree, []TreeEdit{{Path: "x", Blob: blob}}); !errors.Is(err, ErrMissing) {
		t.Errorf("a tree of a pruned blob: %v", err)
	}
	if _, err := r.CommitTree(ctx, NewCommit{Tree: tree, Author: Ident{Name: "A", Mail: "a@example.com"}, Message: "m\n"}); !errors.Is(err, ErrMissing) {
		t.Errorf("a commit of a pruned tree: %v", err)
	}
	if err := r.Land(ctx, Landing{Branch: head.Branch, Old: head.Commit, New: id}); !errors.Is(err, ErrMissing) {
		t.Errorf("a landing of a pruned commit: %v", err)
	}
	l.tidy()
}
