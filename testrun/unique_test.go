package testrun

import (
	"testing"

	"github.com/git-tdd/git-tdd/gates"
)

func TestUniqueIDs(t *testing.T) {
	t.Parallel()
	got := unique([]gates.Test{{ID: "b", File: "2"}, {ID: "a"}, {ID: "b", File: "1"}})
	if len(got) != 3 || got[0].ID != "a" || got[1].ID != "b" || got[1].File != "1" || got[2].ID != "b#2" {
		t.Errorf("%+v", got)
	}
}
