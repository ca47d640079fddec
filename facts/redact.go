package facts

import (
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
)

// redact takes secrets out of everything that was said in a run. What names a
// test or a place stays, because facts are compared by that.
func (m *Measurer) redact(r *testrun.Result) {
	if m.opts.Redact == nil {
		return
	}
	for i := range r.Facts.Tests {
		r.Facts.Tests[i].Message = m.opts.Redact(r.Facts.Tests[i].Message)
	}
	for _, list := range [][]gates.Diagnostic{r.Facts.Diagnostics, r.Facts.CheckDiagnostics} {
		for i := range list {
			list[i].Message = m.opts.Redact(list[i].Message)
		}
	}
	for i := range r.Runs {
		r.Runs[i].Output = m.opts.Redact(r.Runs[i].Output)
	}
}
