package lang_test

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/lang"
)

// Sources that end anywhere are read, too: models and editors leave such behind.
func TestTornSources(t *testing.T) {
	t.Parallel()
	bases, err := filepath.Glob("../check/testdata/stories/*/base.txtar")
	gittest.Check(t, err)
	for _, name := range bases {
		archive, err := txtar.ParseFile(name)
		gittest.Check(t, err)
		l, err := lang.All().ByName(filepath.Base(filepath.Dir(name)))
		if err != nil || len(archive.Files) == 0 {
			continue // a folder of a runner
		}
		for _, f := range archive.Files {
			kind := l.Kind(f.Name)
			for cut := range f.Data {
				for _, text := range []string{string(f.Data[:cut]), string(f.Data[cut:])} {
					l.Syntax.Checks(text, kind)
					l.Syntax.Declared(text)
					l.Syntax.Assertions(text)
					l.Syntax.Mutants(text)
					l.Syntax.Near(text)
					l.Syntax.Code(text)
				}
			}
		}
	}
}
