package golang

import (
	"context"
	"slices"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
)

// readGoCheck runs go vet and reads its complaints.
func readGoCheck(ctx context.Context, b *testrun.Session, argv []string) (testrun.Verdict, error) {
	build := newGoBuild(b.Places(), goModules(b.Request.Dir))
	end, err := b.Run(ctx, testrun.Job{Name: "check", Argv: argv, OnLine: func(line []byte) { build.read(string(line)) }})
	if err != nil {
		return testrun.Verdict{}, err
	}
	if _, ok := end.Trouble(); ok || end.Exit == 0 {
		return end.Verdict(), nil
	}
	if len(build.out) == 0 {
		return end.Verdict(), nil
	}
	r := testrun.Verdict{Outcome: gates.Failed, Detail: gates.DetailTest, Diagnostics: build.out}
	switch {
	case slices.ContainsFunc(build.out, testrun.NoFact):
		r.Outcome = gates.Crashed
	case build.untyped,
		slices.ContainsFunc(build.out, func(d gates.Diagnostic) bool { return d.Class != gates.ClassCompile }):
		r.Outcome = gates.Broken
	}
	return r, nil
}
