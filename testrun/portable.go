package testrun

import (
	"path/filepath"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

// portable takes the paths of this machine out of what commands said: the
// workbench is the root of the tree, wherever it stands. What is said goes to
// models, logs and commits, and facts are the same for every checkout.
func (s *Session) portable(r Result) Result {
	var pairs []string
	for _, place := range []struct{ path, name string }{{s.tree, "."}, {s.Request.Scratch, "$SCRATCH"}} {
		for _, path := range []string{place.path, Resolved(place.path)} {
			if place.name == "." {
				pairs = append(pairs, path+string(filepath.Separator), "")
			}
			pairs = append(pairs, path, place.name)
		}
	}
	workbench := strings.NewReplacer(pairs...)
	short := func(text string) string { return workbench.Replace(s.Local(text)) }
	for i := range r.Runs {
		r.Runs[i].Output = short(r.Runs[i].Output)
	}
	for i := range r.Facts.Tests {
		r.Facts.Tests[i].Message = short(r.Facts.Tests[i].Message)
	}
	for _, found := range [][]gates.Diagnostic{r.Facts.Diagnostics, r.Facts.CheckDiagnostics} {
		for i := range found {
			found[i].Message = short(found[i].Message)
		}
	}
	return s.Request.Folder.placed(r)
}
