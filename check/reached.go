package check

import (
	"context"

	"github.com/git-tdd/git-tdd/evidence"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
)

// Reached lists the sources that some tests of a tree execute, as [Project.CoveredBy] knows.
func (p *Project) Reached(ctx context.Context, tree gitx.ID, tests []gates.Test) (out []string, err error) {
	files, err := p.CoveredBy(ctx, tree, tests)
	for _, f := range files {
		if f.Reached > 0 {
			out = append(out, f.Path)
		}
	}
	return out, err
}

// CoveredBy is the coverage of some tests of a tree, run by themselves; empty where the
// runner cannot do that, or their coverage cannot be measured.
func (p *Project) CoveredBy(ctx context.Context, tree gitx.ID, tests []gates.Test) (out []gates.FileCoverage, err error) {
	_, err = p.checker.whole(ctx, p, tree, func(part *part, seen gitx.ID) (r testrun.Result, err error) {
		l, own := part.Language, part.asked(evidence.Question{Tests: tests}).Tests
		if seen == "" || l.Narrow == nil || l.Cover == nil || len(own) == 0 {
			return r, nil
		}
		if argv := l.Narrow(part.Commands.Test, part.Local(own)); argv != nil {
			var found gates.Coverage
			found, err = part.measurer.Covered(ctx, seen, argv)
			out = append(out, found.Files...)
		}
		return r, err
	})
	return out, err
}
