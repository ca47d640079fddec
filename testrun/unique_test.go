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

// Where an object lies is another place in every run.
func TestUniqueIDs_addresses(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{
		"a_spec.rb::takes #<Proc:0x00007f0c9c00a848(&:upcase)>": "a_spec.rb::takes #<Proc:0x…(&:upcase)>",
		"<calc.Sum object at 0x7f3c2a1b4d60>":                   "<calc.Sum object at 0x…>",
		"TestSum/&{0xc000012a80}":                               "TestSum/&{0x…}",
		"[1] com.example.Sum@5e91993f":                          "[1] com.example.Sum@…",
		"parses 0xdeadbeef":                                     "parses 0xdeadbeef",
		"writes to ada@cafe.example":                            "writes to ada@cafe.example",
	} {
		if got := unique([]gates.Test{{ID: id}})[0].ID; got != want {
			t.Errorf("%s: %s, want %s", id, got, want)
		}
	}
	got := unique([]gates.Test{{ID: "Sum@5e91993f", Line: 4}, {ID: "Sum@1b2c3d4e", Line: 2}})
	if got[0].ID != "Sum@…" || got[0].Line != 2 || got[1].ID != "Sum@…#2" {
		t.Errorf("%+v", got)
	}
}
