package testrun_test

import (
	"testing"

	"github.com/git-tdd/git-tdd/testrun/corpustest"
)

func TestCorpus(t *testing.T) {
	t.Parallel()
	corpustest.Run(t)
}
