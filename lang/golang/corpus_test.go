package golang

import (
	"testing"

	"github.com/git-tdd/git-tdd/testrun/corpustest"
)

func TestCorpus(t *testing.T) {
	t.Parallel()
	corpustest.Run(t, Language())
}

// module is the go.mod of small projects.
const module = `
-- go.mod --
module example.com/calc

go 1.22
`
