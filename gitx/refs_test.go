package gitx

import (
	"context"
	"errors"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

func TestRefs(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := newLab(t)
	one := l.commit("one")
	two := l.commit("two")
	r := l.open()
	const name = "refs/tdd/attempts/1"
	if id, err := r.Ref(ctx, name); err != nil || id != "" {
		t.Errorf("missing: %q %v", id, err)
	}
	steps := []struct {
		update RefUpdate
		want   ID
		err    error
	}{
		{RefUpdate{Name: name, New: one}, one, nil},
		{RefUpdate{Name: name, New: two, Log: "again"}, one, ErrMoved},
		{RefUpdate{Name: name, New: two, Old: one, Log: "moved\non"}, two, nil},
		{RefUpdate{Name: name, New: one, Old: one}, two, ErrMoved},
		{RefUpdate{Name: name, New: two, Old: one}, two, nil}, // already there
		{RefUpdate{Name: name, Old: one}, two, ErrMoved},
		{RefUpdate{Name: name, Old: two}, "", nil},
		{RefUpdate{Name: name, Old: two}, "", nil}, // already gone
		{RefUpdate{Name: name, New: two, Old: one}, "", ErrMoved},
	}
	for i, s := range steps {
		if err := r.UpdateRef(ctx, s.update); !errors.Is(err, s.err) {
			t.Errorf("%d: %v, want %v", i, err, s.err)
		}
		if id, err := r.Ref(ctx, name); err != nil || id != s.want {
			t.Errorf("%d: %s %v, want %s", i, id, err, s.want)
		}
	}
	for _, n := range []string{"a", "b", "sub/c"} {
		gittest.Check(t, r.UpdateRef(ctx, RefUpdate{Name: "refs/tdd/attempts/" + n, New: one}))
	}
	refs, err := r.Refs(ctx, "refs/tdd/attempts")
	if err != nil || len(refs) != 3 || refs[2] != (NamedRef{Name: "refs/tdd/attempts/sub/c", ID: one}) {
		t.Errorf("%v %v", refs, err)
	}
	if refs, err = r.Refs(ctx, "refs/none"); err != nil || refs != nil {
		t.Errorf("%v %v", refs, err)
	}
}

// TestRefIsExact: a ref of a longer name is not taken for a missing one.
func TestRefIsExact(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := committed(t)
	l.Git("update-ref", "refs/heads/refs/tdd/next", "HEAD")
	r := l.open()
	if id, err := r.Ref(ctx, "refs/tdd/next"); err != nil || id != "" {
		t.Errorf("%s %v", id, err)
	}
	if is, err := r.Interrupted(ctx); err != nil || is {
		t.Errorf("interrupted: %v %v", is, err)
	}
	if rec, err := r.Recover(ctx); err != nil || rec != NothingToRecover {
		t.Errorf("%s %v", rec, err)
	}
}

func TestUpdateRefWaitsForALockAndGivesUp(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := newLab(t)
	one := l.commit("one")
	two := l.commit("two")
	r := l.open()
	l.Write(".git/refs/heads/main.lock", "")
	err := r.UpdateRef(ctx, RefUpdate{Name: "refs/heads/main", New: one, Old: two, Log: "back"})
	var ge *Error
	if !errors.As(err, &ge) || errors.Is(err, ErrMoved) {
		t.Errorf("%v", err)
	}
	l.remove(".git/refs/heads/main.lock")
	if err := r.UpdateRef(ctx, RefUpdate{Name: "refs/heads/main", New: one, Old: two, Log: "back"}); err != nil {
		t.Error(err)
	}
}
