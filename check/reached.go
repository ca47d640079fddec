package check

import (
	"context"

	"github.com/git-tdd/git-tdd/evidence"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
)

// Reached lists the sources that some tests of a tree execute, by their coverage;
// none where a few tests cannot be run alone, or their coverage not be measured.
func (p *Project) Reached(ctx context.Context, tree gitx.ID, tests []gates.Test) ([]string, error) {
	var out []string
	_, err := p.checker.whole(ctx, p, tree, func(part *part, seen gitx.ID) (r testrun.Result, err error) {
		l, own := part.Language, part.asked(evidence.Question{Tests: tests}).Tests
		if seen == "" || l.Narrow == nil || l.Cover == nil || len(own) == 0 {
			return r, nil
		}
		if argv := l.Narrow(part.Commands.Test, part.Local(own)); argv != nil {
			var reached []string
			reached, err = part.measurer.Reached(ctx, seen, argv)
			out = append(out, reached...)
		}
		return r, err
	})
	return out, err
}
