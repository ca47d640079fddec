package testrun

import (
	"context"
	"slices"

	"github.com/git-tdd/git-tdd/gates"
)

// readGoCheck runs go vet and reads its complaints.
func readGoCheck(ctx context.Context, b *bench, argv []string) (report, error) {
	build := newGoBuild(b.places(), goModules(b.req.Dir))
	end, err := b.run(ctx, job{name: "check", argv: argv, hear: func(line []byte) { build.read(string(line)) }})
	if err != nil {
		return report{}, err
	}
	if _, ok := end.trouble(); ok || end.Exit == 0 {
		return end.verdict(), nil
	}
	if len(build.out) == 0 {
		return end.verdict(), nil
	}
	r := report{outcome: gates.Failed, detail: gates.DetailTest, diagnostics: build.out}
	switch {
	case slices.ContainsFunc(build.out, noFact):
		r.outcome = gates.Crashed
	case build.untyped,
		slices.ContainsFunc(build.out, func(d gates.Diagnostic) bool { return d.Class != gates.ClassCompile }):
		r.outcome = gates.Broken
	}
	return r, nil
}
