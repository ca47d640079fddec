package testrun

import (
	"testing"

	"github.com/git-tdd/git-tdd/gates"
)

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
