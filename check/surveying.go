package check

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/git-tdd/git-tdd/evidence"
	"github.com/git-tdd/git-tdd/gates"
)

// survey is the small errors of a change while they are tried.
type survey struct {
	Search
	first, all []gates.Test
	errors     []evidence.Group
	runs       []evidence.Run // to be used side by side

	mu     sync.Mutex
	next   int
	done   map[int]bool // also those that do not compile
	missed []Tried      // by the first; not yet tried on all
	tried  []Tried
	left   int // for want of time
}

// beside does something with each run, side by side; the first error counts.
func (s *survey) beside(ctx context.Context, do func(ctx context.Context, i int) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var work sync.WaitGroup
	for i := range s.runs {
		work.Go(func() {
			if err := do(ctx, i); err != nil {
				stop(err)
			}
		})
	}
	work.Wait()
	return context.Cause(ctx)
}

// round tries each error that says anything more on the first tests, and then those that these
// miss on all tests. If some are noticed there, what was left out beside them may say more, so
// that there are rounds until one finds nothing to try.
func (s *survey) round(ctx context.Context) (again bool, err error) {
	before := len(s.done)
	s.next = 0
	if err := s.beside(ctx, func(ctx context.Context, i int) error { return s.near(ctx, s.runs[i]) }); err != nil {
		return false, err
	}
	shares := make([][]int, len(s.runs))
	for i, t := range s.missed {
		shares[i%len(shares)] = append(shares[i%len(shares)], t.at)
	}
	s.missed = nil
	err = s.beside(ctx, func(ctx context.Context, i int) error { return s.rest(ctx, s.runs[i], shares[i]) })
	return len(s.done) > before, err
}

// near tries errors on the first tests until none is left.
func (s *survey) near(ctx context.Context, run evidence.Run) error {
	for {
		i, ok := s.take()
		if !ok {
			return nil
		}
		t, ok, err := s.try(ctx, run, i, s.first)
		switch {
		case err != nil:
			return err
		case ok && t.Unnoticed() && len(s.first) < len(s.all):
			s.mu.Lock()
			s.missed = append(s.missed, t)
			s.mu.Unlock()
		case ok:
			s.found(t)
		}
	}
}

// take is the next error to try; ok is false if none is left that says anything more, or no time.
func (s *survey) take() (i int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	missed := slices.DeleteFunc(slices.Concat(s.tried, s.missed), func(t Tried) bool { return !t.Unnoticed() })
	unnoticed := gates.Each(missed, func(t Tried) gates.Mutant { return t.Mutant })
	late := s.late()
	for ; s.next < len(s.errors); s.next++ {
		if i = s.next; s.done[i] || s.Told(s.at(i), unnoticed) {
			continue
		}
		s.done[i] = true
		if !late {
			s.next++
			return i, true
		}
		s.left++
	}
	return 0, false
}

func (s *survey) at(i int) gates.Mutant { return s.errors[i].Mutants()[0] }

func (s *survey) late() bool { return !s.Until.IsZero() && time.Now().After(s.Until) }

// found puts on record what came of an error, and reports whether there is time for more.
func (s *survey) found(t Tried) (goOn bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tried = append(s.tried, t)
	return !s.late()
}

// try tries error i on some tests; ok is false if it does not compile.
func (s *survey) try(ctx context.Context, run evidence.Run, i int, tests []gates.Test) (t Tried, ok bool, err error) {
	g := s.errors[i]
	facts, _, err := evidence.Try(ctx, &g, tests, run)
	made := g.Mutants()
	if err != nil || len(made) == 0 {
		return t, false, err
	}
	t.Mutant, t.at, t.Late = made[0], i, facts.Outcome == gates.Timeout
	if g.PutsBack() && !t.Late && !facts.Complete() {
		return t, false, nil // the rest of the change does not go without it
	}
	t.Caught = failing(tests, facts)
	return t, true, nil
}

// rest tries some errors on all tests, while there is time: those that lie apart together, since
// most often no test notices any of them, and each by itself if one does.
func (s *survey) rest(ctx context.Context, run evidence.Run, errors []int) error {
	for len(errors) > 0 {
		g, joined, apart := s.together(errors)
		quiet, err := s.quiet(ctx, run, g)
		if err != nil {
			return err
		}
		for n, i := range joined {
			t, ok := Tried{Mutant: s.at(i), at: i}, true
			if !quiet {
				t, ok, err = s.try(ctx, run, i, s.all)
			}
			if err != nil {
				return err
			}
			if ok && !s.found(t) {
				s.mu.Lock()
				defer s.mu.Unlock()
				s.left += len(joined) - n - 1 + len(apart)
				return nil
			}
		}
		errors = apart
	}
	return nil
}

// together are those of some errors that lie apart, and the others.
func (s *survey) together(errors []int) (g evidence.Group, joined, apart []int) {
	for _, i := range errors {
		if g.Join(s.errors[i]) {
			joined = append(joined, i)
		} else {
			apart = append(apart, i)
		}
	}
	return g, joined, apart
}

// quiet reports whether all tests pass with several errors at once.
func (s *survey) quiet(ctx context.Context, run evidence.Run, g evidence.Group) (bool, error) {
	made := len(g.Mutants())
	if made == 1 {
		return false, nil
	}
	facts, _, err := evidence.Try(ctx, &g, s.all, run)
	return facts.Complete() && len(g.Mutants()) == made && len(failing(s.all, facts)) == 0, err
}
