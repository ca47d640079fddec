package gates

import "fmt"

// hidesTests refuses new commands that show less of the same tree than the old
// ones: tests that ran are gone, or what failed passes.
func hidesTests(c *Case) []Finding {
	if c.Own == nil {
		return nil
	}
	if out := unfinished(*c.Own); out != nil {
		out[0].Seen = "under the commands that this commit brings, " + out[0].Seen
		return out
	}
	const remedy = "let the new commands run every test that the old ones ran"
	if c.After.Detail == DetailTest && c.Own.Detail != DetailTest {
		return []Finding{{Seen: "under the commands that this commit brings no test can be told from another", Remedy: remedy}}
	}
	if c.After.Outcome == Failed && c.Own.Outcome == Passed && c.OnRed() {
		return []Finding{{Seen: "under the commands that this commit brings the open red passes", Remedy: remedy}}
	}
	if len(c.Deafened) > 0 {
		return []Finding{{
			Path: c.Deafened[0], Seen: "the command that this commit brings succeeds even if there is no code in any source, so its exit code shows nothing",
			Remedy: "name a command that runs the tests, as the old one does",
		}}
	}
	out := unseen(c)
	for _, t := range c.After.Tests {
		now, ran := c.Own.Lookup(t.ID)
		if ran && (now.Status == t.Status || t.Status != StatusPassed) || !ran && c.renamedByChance(t) {
			continue
		}
		seen := "does not run"
		if ran {
			seen = "is " + string(now.Status)
		}
		out = append(out, Finding{Path: t.File, Test: t.ID, Seen: fmt.Sprintf("under the commands that this commit brings this test %s", seen), Remedy: remedy})
	}
	return out[:min(len(out), 5)]
}

// renamedByChance reports whether a test that the new commands do not show has an id that
// changes from run to run, and they show no fewer tests of its file.
func (c *Case) renamedByChance(t Test) bool {
	_, before := c.Before.Lookup(t.ID)
	return !before && c.Drifting(t) && passing(t.File, *c.Own) >= passing(t.File, c.After)
}

// unseen says what a change of commands may hide without any facts showing it.
func unseen(c *Case) []Finding {
	var out []Finding
	if c.After.Detail == DetailExitCode && c.Own.Detail == DetailExitCode {
		out = append(out, Finding{
			Seen:   "the commit changes how the project is tested, and only the exit code tells the result, so that nothing shows whether as much is tested as before",
			Remedy: "read the new command", Note: true,
		})
	}
	if c.After.Check != "" && c.Own.Check == "" {
		out = append(out, Finding{Seen: "the commit takes the check command away", Remedy: "see whether that is meant", Note: true})
	}
	return out
}
