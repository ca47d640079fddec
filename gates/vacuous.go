package gates

import "fmt"

// Reversed is a control for a commit that changed tests while everything was
// green: the tests as they are now, run with the sources from before a green.
type Reversed struct {
	Step  int    // of the red that the sources are from
	Test  string // the id of the test that was red then
	Facts Facts
}

// Touches reports whether a change alters a file that declares the test of an
// id, and whether it alters that test's own text.
func (c Change) Touches(id string) (file, text bool) {
	for _, f := range c.Files {
		for _, side := range []*File{f.Old, f.New} {
			if name := declaredName(side, id); name != "" && f.TouchesTest() {
				file = true
				text = text || ownText(f.Old, name) != ownText(f.New, name)
			}
		}
	}
	return file, text
}

// vacuous refuses a change to tests after which a test no longer fails with the
// sources for which it was once red. Tests that do not compile with those
// sources show nothing either way.
func vacuous(c *Case) []Finding {
	if c.Reversed == nil || !c.Reversed.Facts.Complete() {
		return nil
	}
	id := c.Reversed.Test
	if now, ok := c.follow(c.Before, c.After).now[id]; ok {
		id = now.ID
	}
	t, ran := c.Reversed.Facts.Lookup(id)
	if !ran || t.Status != StatusPassed {
		return nil
	}
	return []Finding{about(t, fmt.Sprintf("this test, as it is now, passes against the sources of step %d, for which it was red", c.Reversed.Step),
		"let it check what it checked")}
}
