package gates

import (
	"path"
	"slices"
	"strings"
)

// tampered refuses a commit outside the loop that changes an open red, or what it
// uses: whoever does so decides what the next step has to answer. A person may
// take the red back whole, and mends it by a fixup! of its step.
func tampered(c *Case) []Finding {
	if c.Restores != "" || c.FixupOf == Tester || c.Position.Step.Phase != PhaseRed || !c.OnRed() {
		return nil
	}
	var out []Finding
	for _, f := range c.Change.Files {
		if seen := c.touchesRed(f); seen != "" {
			out = append(out, about(Test{File: f.Path()}, seen,
				"leave it as it was until the red is answered; a red that is wrong is mended by a fixup! of its step, or taken back whole"))
		}
	}
	return out
}

// touchesRed says how a change touches an open red; empty if it does not.
func (c *Case) touchesRed(f FileChange) string {
	if f.Old == nil || f.New != nil && sideOf(f.Old).Test == sideOf(f.New).Test && isTesting(sideOf(f.Old).Kind) == isTesting(f.New.Kind) {
		return ""
	}
	if seen := c.touchesFailing(f); seen != "" {
		return seen
	}
	for _, r := range c.Position.Step.Red {
		if r.ByFile() && r.ID == f.Old.Path && f.New != nil && c.stillOpen(f.New) {
			return "the file of the open red changes"
		}
	}
	if f.Old.Kind == KindSupport && slices.ContainsFunc(c.RedFiles(), func(home string) bool { return c.uses(home, f.Old.Path) }) {
		return "the open red uses this file"
	}
	return ""
}

// touchesFailing is touchesRed for a red that runs.
func (c *Case) touchesFailing(f FileChange) string {
	known, trail := c.Known(), c.follow(c.Before, c.After)
	for _, t := range c.Before.With(StatusFailed) {
		name := f.Old.Declares(t.ID)
		if known[t.ID] || name == "" || t.File != "" && t.File != f.Old.Path {
			continue
		}
		now, there := trail.now[t.ID]
		if text := ownText(f.New, name); text != "" && text != ownText(f.Old, name) && now.Status != StatusSkipped {
			return "the open red reads otherwise now: " + t.ID
		}
		if there && shares(f) {
			return "what stands beside the open red in its file changes: " + t.ID
		}
	}
	return ""
}

// stillOpen reports whether a file that did not compile still does not, or holds
// tests that were not there before its red.
func (c *Case) stillOpen(f *File) bool {
	was := c.follow(c.reference(), c.After).was
	return !c.After.Complete() || slices.ContainsFunc(c.After.Tests, func(t Test) bool {
		return f.Declares(t.ID) != "" && was[t.ID].ID == ""
	})
}

// shares reports whether a change alters what the tests of a file share: the lines
// that belong to no test.
func shares(f FileChange) bool {
	words := func(side *File) []string { return strings.Fields(strings.Join(betweenTests(side), " ")) }
	return f.New != nil && !slices.Equal(words(f.Old), words(f.New))
}

// uses reports whether a file of tests names a file of test support, or stands in
// its folder.
func (c *Case) uses(home, support string) bool {
	base := path.Base(support)
	stem, _, _ := strings.Cut(base, ".")
	text := c.RedText[home]
	return path.Dir(home) == path.Dir(support) ||
		wordAt(text, base) >= 0 || wordAt(text, stem) >= 0 || wordAt(text, path.Base(path.Dir(support))) >= 0
}

// OpenFiles are the files of the open acceptance tests.
func (c *Premise) OpenFiles() []string {
	var out []string
	for _, o := range c.open() {
		if t, _ := c.reference().Lookup(o.ID); t.File != "" {
			out = append(out, t.File)
		}
		out = append(out, o.Files...)
	}
	return out
}

// RedFiles are the files of the open reds.
func (c *Premise) RedFiles() []string {
	known := c.Known()
	fail := slices.DeleteFunc(c.Before.With(StatusFailed), func(t Test) bool { return known[t.ID] || t.File == "" })
	broken := slices.DeleteFunc(slices.Clone(c.Position.Step.Red), func(r Red) bool { return !r.ByFile() })
	out := append(Each(fail, func(t Test) string { return t.File }), Each(broken, Red.test)...)
	slices.Sort(out)
	return slices.Compact(out)
}
