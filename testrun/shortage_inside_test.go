package testrun

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/sandbox"
)

// A loop that never ends may fill the memory long before its time is over, and then other
// programs go first, or the whole machine stands still.
func TestMemoryIsNotFilled(t *testing.T) {
	t.Parallel()
	forever := func(ctx context.Context, _ sandbox.Command) (sandbox.Ending, error) {
		<-ctx.Done()
		return sandbox.Ending{Code: -1, Late: true}, nil
	}
	s, err := newSession(Request{Dir: t.TempDir(), Scratch: t.TempDir(), Start: forever})
	if err != nil {
		t.Fatal(err)
	}
	var asked atomic.Int64
	s.memory = func() (uint64, bool) { return 8<<30 - uint64(asked.Add(1))<<30, true }
	end, err := s.Run(t.Context(), Job{Name: "test", Argv: []string{"loop"}})
	trouble, stopped := end.Trouble()
	if err != nil || !stopped || trouble.Outcome != gates.Timeout || !strings.Contains(trouble.Diagnostics[0].Message, "memory") {
		t.Errorf("%+v, %v", trouble, err)
	}
}

// What fails while the kernel kills processes for lack of memory is no fact.
func TestOutOfMemoryIsNoFact(t *testing.T) {
	t.Parallel()
	s, err := newSession(Request{Dir: t.TempDir(), Scratch: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	failed := Verdict{Outcome: gates.Failed, Detail: gates.DetailTest}
	if got := s.sound(failed, nil); got.Outcome != gates.Failed {
		t.Errorf("without a kill: %+v", got)
	}
	s.oomKills-- // one more has been killed since
	if got := s.sound(failed, nil); got.Outcome != gates.Crashed || got.Diagnostics[0].Class != gates.ClassInfra {
		t.Errorf("after a kill: %+v", got)
	}
	if got := s.sound(Verdict{Outcome: gates.Passed}, nil); got.Outcome != gates.Passed {
		t.Errorf("what passed: %+v", got)
	}
}
