package loop

import (
	"context"

	"github.com/git-tdd/git-tdd/agents"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
)

// candidate is a tree that may become the step's commit.
type candidate struct {
	proposal
	tree    gitx.ID
	special gates.Special // what the commit declares itself to be
	by      string        // the model that wrote it; empty for the step's own
}

// apply applies the edits to HEAD's tree, as objects: no file of the user is touched.
func (l *Loop) apply(ctx context.Context, s *step, p proposal) (candidate, error) {
	whole, problems, err := l.whole(ctx, s, p)
	if err != nil {
		return candidate{}, err
	}
	if len(problems) > 0 {
		return candidate{}, p.refuse(problems...)
	}
	var edits []gitx.TreeEdit
	var written []string
	for _, e := range whole {
		edits = append(edits, gitx.TreeEdit{Path: e.Path, Content: []byte(e.Content), Delete: e.Action == agents.Delete})
		if e.Action != agents.Delete {
			written = append(written, e.Path)
		}
	}
	tree, err := l.opts.Repo.WriteTree(ctx, s.head.Tree, edits)
	if err != nil {
		return candidate{}, err
	}
	l.doing(s.doing(p.number, "fmt"))
	formatted, runs, err := l.opts.Checker.Format(ctx, s.project, tree, written)
	if err != nil {
		return candidate{}, err
	}
	for _, run := range runs {
		s.log.ran(run)
	}
	if formatted == s.head.Tree {
		return candidate{}, p.refuse(gates.Finding{
			Gate: "plan", Seen: "the edits change nothing", Remedy: "give edits that take the step, or say that there is nothing to do, where your role may",
		})
	}
	return candidate{proposal: p, tree: formatted}, nil
}

// whole makes whole files of edits, or says why they must not be written.
func (l *Loop) whole(ctx context.Context, s *step, p proposal) ([]agents.Edit, []gates.Finding, error) {
	modes := map[string]string{}
	for _, e := range s.project.Entries {
		modes[e.Path] = e.Mode
	}
	if problems := agents.CheckPaths(p.edits, modes, l.offLimits(s, p.edits.Edits)); len(problems) > 0 {
		return nil, problems, nil
	}
	for _, e := range p.edits.Edits {
		if s.shown[e.Path] && (e.Action == agents.Upsert || e.Action == agents.Delete) {
			return nil, []gates.Finding{{Gate: "plan", Path: e.Path, Seen: "the whole of a file that was shown to you in part", Remedy: `change it with "replace" or "append"`}}, nil
		}
	}
	if problems, err := l.lookAgain(ctx, s, p.edits); err != nil || len(problems) > 0 {
		return nil, problems, err
	}
	return agents.Whole(p.edits.Edits, func(path string) (string, bool, error) {
		content, ok, err := l.opts.Repo.Text(ctx, s.head.Tree, path)
		return string(content), ok, err
	})
}
