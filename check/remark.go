package check

import (
	"context"
	"slices"

	"github.com/git-tdd/git-tdd/evidence"
	"github.com/git-tdd/git-tdd/gates"
)

// remark finds the tests that notice a comment in what the green added: they read the text
// of sources. A person's commit need not wait for that, unless all is asked.
func (e *examination) remark(ctx context.Context, sources []evidence.Source, waited []gates.Test) error {
	if k := e.j.Case; !k.Agent && !k.Derived && e.much != gates.EvidenceFull {
		return nil
	}
	files, run, noticing := e.remarked(sources), e.runner(e.j.Project, e.p.Tree), waited
	for range 2 { // what fails by chance seldom does so twice
		if len(files) == 0 || len(noticing) == 0 {
			return nil
		}
		facts, err := run(ctx, evidence.Question{Files: files, Tests: noticing})
		if err != nil || !facts.Complete() {
			return err
		}
		noticing = slices.DeleteFunc(slices.Clone(noticing), func(t gates.Test) bool { return facts.StatusOf(t.ID) != gates.StatusFailed })
	}
	e.found.Reading = gates.Each(noticing, gates.Test.Name)
	return nil
}

// remarked has the sources, by path, with a comment behind each line that can be made wrong.
func (e *examination) remarked(sources []evidence.Source) map[string]string {
	files := map[string]string{}
	for _, s := range sources {
		if code := codeOf(e.j.Project.syntaxOf(s.Path)); code != nil {
			if text, ok := evidence.Remarked(s, code); ok {
				files[s.Path] = text
			}
		}
	}
	return files
}
