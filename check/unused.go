package check

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/scan"
)

// unused notes the names that a change declares and that nothing else in its tree
// mentions, neither sources nor tests (what one of the names needs is mentioned there). Of
// what a tester adds, the test is to come; what a merge brings was judged where it was made.
func (c *Checker) unused(ctx context.Context, p Proposal, j *Judgement) (err error) {
	if j.Case.Plays == gates.Tester || j.Case.Merge || p.Parent == "" || !j.Case.After.Complete() {
		return nil
	}
	if fresh := newNames(j.Case.Change); len(fresh) > 0 {
		j.Case.Unused, err = c.unmentioned(ctx, j.Project.Language, p.Tree, fresh)
	}
	return err
}

// unmentioned lists those of some names that nothing else in a tree mentions.
func (c *Checker) unmentioned(ctx context.Context, lang testrun.Language, tree gitx.ID, fresh []gates.Name) ([]gates.Name, error) {
	entries, err := c.opts.Repo.Entries(ctx, tree)
	if err != nil {
		return nil, err
	}
	mentions := map[string]*regexp.Regexp{}
	for _, n := range fresh {
		mentions[n.Name] = regexp.MustCompile(`\b` + regexp.QuoteMeta(n.Name) + `\b`)
	}
	declares := func(e gitx.Entry) int {
		return slices.IndexFunc(fresh, func(n gates.Name) bool { return n.Path == e.Path })
	}
	slices.SortStableFunc(entries, func(a, b gitx.Entry) int { return min(declares(b), 0) - min(declares(a), 0) }) // most names are used there
	for _, entry := range entries {
		code, err := c.code(ctx, lang, &entry)
		if err != nil {
			return nil, err
		}
		fresh = slices.DeleteFunc(fresh, func(n gates.Name) bool {
			found := len(mentions[n.Name].FindAllStringIndex(code, 2))
			return found > 1 || found == 1 && n.Path != entry.Path
		})
		if len(fresh) == 0 {
			break
		}
	}
	return fresh, nil
}

// newNames are the names that the sources of a change declare and did not declare
// before, in any of its files. A program's entry is used by whoever runs it.
func newNames(change gates.Change) []gates.Name {
	was, out := map[string]int{}, []gates.Name{}
	for _, f := range change.Files {
		maps.Copy(was, scan.Names(f.Was().Source))
	}
	for _, f := range change.Files {
		if f.New == nil || f.New.Kind != gates.KindSource {
			continue
		}
		for name, line := range scan.Names(f.New.Source) {
			if was[name] == 0 && name != "main" && !strings.HasPrefix(name, "__") {
				out = append(out, gates.Name{Path: f.New.Path, Line: line, Name: name})
			}
		}
	}
	slices.SortFunc(out, gates.Name.Compare)
	return out
}

// code is the text of a source or test without its comments; empty for other files.
func (c *Checker) code(ctx context.Context, lang testrun.Language, entry *gitx.Entry) (string, error) {
	kind := lang.Kind(entry.Path)
	if kind != gates.KindSource && kind != gates.KindTest && kind != gates.KindSupport || entry.Mode != gitx.ModeFile && entry.Mode != gitx.ModeExecutable {
		return "", nil
	}
	f, err := c.file(ctx, lang, entry)
	if err != nil || f.Binary {
		return "", err
	}
	return codeIn(lang, entry.Path, f.Source+f.Test), nil
}
