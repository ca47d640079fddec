package golang

import (
	"context"
	"slices"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
)

// readCheck runs go vet and reads its complaints.
func readCheck(ctx context.Context, s *testrun.Session, argv []string) (testrun.Verdict, error) {
	build := &buildLog{places: s.Places(), modules: findModules(s.Request.Dir)}
	end, err := s.Run(ctx, testrun.Job{Name: "check", Argv: argv, OnLine: func(line []byte) { build.read(string(line)) }})
	if err != nil {
		return testrun.Verdict{}, err
	}
	if _, ok := end.Trouble(); ok || end.Exit == 0 {
		return end.Verdict(), nil
	}
	if len(build.found) == 0 {
		return end.Verdict(), nil
	}
	r := testrun.Verdict{Outcome: gates.Failed, Detail: gates.DetailTest, Diagnostics: build.found}
	switch {
	case slices.ContainsFunc(build.found, testrun.NoFact):
		r.Outcome = gates.Crashed
	case build.untyped,
		slices.ContainsFunc(build.found, func(d gates.Diagnostic) bool { return d.Class != gates.ClassCompile }):
		r.Outcome = gates.Broken
	}
	return r, nil
}
