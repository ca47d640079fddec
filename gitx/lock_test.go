package gitx

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

func TestLock(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := committed(t)
	dir := filepath.Join(t.TempDir(), "other")
	l.git(t, "worktree", "add", "--quiet", "-b", "other", dir)
	one, two := l.open(t), openAt(t, dir, l.env)
	held, err := one.Lock(ctx, "step 4, process 12")
	if err != nil {
		t.Fatal(err)
	}
	var busy *BusyError
	if _, err := two.Lock(ctx, "me too"); !errors.As(err, &busy) || !strings.Contains(err.Error(), "step 4, process 12") {
		t.Errorf("a second lock: %v", err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := two.Lock(cancelled, "me too"); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if err := held.Release(); err != nil {
		t.Fatal(err)
	}
	again, err := two.Lock(ctx, "now me")
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Release(); err != nil {
		t.Error(err)
	}
}
