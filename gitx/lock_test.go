package gitx

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

func TestLock(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := committed(t)
	one, two, beside := l.open(), l.open(), l.worktree().open()
	held, err := one.Lock(ctx, "step 4, process 12")
	gittest.Check(t, err)
	var busy *BusyError
	if _, err := two.Lock(ctx, "me too"); !errors.As(err, &busy) || !strings.Contains(err.Error(), "step 4, process 12") {
		t.Errorf("a second lock: %v", err)
	}
	free, err := beside.Lock(ctx, "in another working tree")
	gittest.Check(t, err)
	gittest.Check(t, free.Close())
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := two.Lock(cancelled, "me too"); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	gittest.Check(t, held.Close())
	again, err := two.Lock(ctx, "now me")
	gittest.Check(t, err)
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}
