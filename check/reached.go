package check

import (
	"context"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
)

// Reached lists the sources that some tests of a tree execute, by their coverage;
// none where a few tests cannot be run alone, or their coverage not be measured.
func (p *Project) Reached(ctx context.Context, tree gitx.ID, tests []gates.Test) ([]string, error) {
	if p.Language.Narrow == nil || p.Language.Cover == nil || len(tests) == 0 {
		return nil, nil
	}
	argv := p.Language.Narrow(p.Commands.Test, tests)
	if argv == nil {
		return nil, nil
	}
	return p.measurer.Reached(ctx, tree, argv)
}
