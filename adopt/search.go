package adopt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
)

// Search is where to look for projects, and which are wanted.
type Search struct {
	Sources   testrun.Sources
	Languages testrun.Languages
	Language  string // only projects of this language; empty: of any
	Folder    string // only those in this folder; empty: in any
	// Here reports whether a program is found from a folder of the project; nil if any is.
	Here func(program, dir string) bool

	unread *error // why a file could not be read; nil if files cannot fail
}

// In looks at the files of a tree, and at the programs of this machine.
func In(ctx context.Context, repo *gitx.Repo, tree gitx.ID, languages testrun.Languages, environ []string) (Search, error) {
	entries, err := repo.Entries(ctx, tree)
	if err != nil {
		return Search{}, err
	}
	s := Search{Languages: languages, unread: new(error), Here: func(program, dir string) bool {
		return testrun.Locate(program, filepath.Join(repo.Top, filepath.FromSlash(dir)), environ) != ""
	}}
	s.Sources = testrun.Sources{Paths: check.Paths(entries), Read: func(path string) string {
		text, _, err := repo.Text(ctx, tree, path)
		*s.unread = cmp.Or(*s.unread, err)
		return string(text)
	}}
	return s, nil
}

// failed is why what was found is not to be trusted: a file could not be read.
func (s Search) failed(err error) error {
	if s.unread != nil && *s.unread != nil {
		return *s.unread
	}
	return err
}

// Project is one that was found, and how it is tested.
type Project struct {
	Found
	testrun.Choice

	Set   config.Project
	Paths []string // of its files, from its folder
}

// Key is the folder as the configuration writes it.
func (p Project) Key() string { return cmp.Or(p.Dir, ".") }

// Settings are the defaults with all that is found: the projects, or the language and
// commands of the whole. Of several projects they are those that some paths touch, see
// [Touched]; all where paths is nil.
func (s Search) Settings(paths []string) (config.Settings, error) {
	several, _, err := s.Several()
	if err != nil {
		return config.Settings{}, err
	}
	if paths != nil {
		several = Touched(several, paths)
	}
	if len(several) == 0 {
		one, err := s.Alone()
		return one.Settings(), err
	}
	return Settings(several), nil
}

// Text is the configuration that is found, as [Search.Settings] finds it; nil if nothing is.
func (s Search) Text(paths []string) ([]byte, error) {
	settings, err := s.Settings(paths)
	switch {
	case errors.Is(err, config.ErrNoLanguage):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return config.Render(settings), nil
}

// Settings are the defaults with some projects.
func Settings(several []Project) config.Settings {
	out := config.Default()
	out.Projects = map[string]config.Project{}
	for _, p := range several {
		out.Projects[p.Key()] = p.Set
	}
	return out
}

// Only are those projects that are to be kept, each with what it reads of them.
func Only(all []Project, keep func(Project) bool) []Project {
	out := slices.DeleteFunc(slices.Clone(all), func(p Project) bool { return !keep(p) })
	for i := range out {
		var reads []string
		for _, o := range out {
			if slices.Contains(out[i].Set.Reads, o.Dir) {
				reads = append(reads, o.Dir)
			}
		}
		out[i].Set.Reads = reads
	}
	return out
}

// Touched are the projects whose tests can tell whether some paths have changed: those
// that hold one of them and those that read these. It is all of them where a path lies
// in none.
func Touched(all []Project, paths []string) []Project {
	held := map[string]bool{}
	for _, name := range paths {
		dir, found := "", false
		for _, p := range all {
			if within := p.Dir == "" || strings.HasPrefix(name, p.Dir+"/"); within && len(p.Dir) >= len(dir) {
				dir, found = p.Dir, true
			}
		}
		if !found {
			return all
		}
		held[dir] = true
	}
	return Only(all, func(p Project) bool {
		return held[p.Dir] || slices.ContainsFunc(p.Set.Reads, func(dir string) bool { return held[dir] })
	})
}

// Several finds the projects of a tree that has several, or one in a folder, and those
// that are not wanted. It finds none if the whole tree is one.
func (s Search) Several() (chosen []Project, skipped []Found, err error) {
	defer func() { err = s.failed(err) }()
	wanted, skipped := s.wanted()
	switch {
	case s.Folder != "" && len(wanted) == 0:
		f, err := s.foundIn()
		if err != nil {
			return nil, skipped, err
		}
		wanted = append(wanted, f)
	case len(wanted) == 0, len(wanted) == 1 && wanted[0].Dir == "":
		return nil, nil, nil
	}
	reads := Reads(s.Sources, wanted)
	for _, f := range wanted {
		p := s.project(f, wanted)
		if p.Set.Reads = reads[f.Dir]; len(p.Set.Reads) == 0 {
			p.Set.Reads = nil
		}
		chosen = append(chosen, p)
	}
	return chosen, skipped, nil
}

// wanted picks the projects with tests, of the language and in the folder that were named, if any were.
func (s Search) wanted() (chosen, skipped []Found) {
	for _, f := range Find(s.Languages, s.Sources) {
		if f.Tested && (s.Language == "" || s.Language == f.Language.Name) && (s.Folder == "" || f.Dir == s.Folder || strings.HasPrefix(f.Dir, s.Folder+"/")) {
			chosen = append(chosen, f)
		} else {
			skipped = append(skipped, f)
		}
	}
	return chosen, skipped
}

// foundIn makes a project of a folder that no marker shows to be one.
func (s Search) foundIn() (Found, error) {
	f := Found{Dir: s.Folder, By: s.Folder}
	if s.Language != "" {
		l, err := s.Languages.ByName(s.Language)
		f.Language = l
		return f, err
	}
	found := s.Languages.Candidates(s.Sources.In(testrun.Folder{Dir: s.Folder}).Paths)
	if len(found) == 0 {
		return f, unfit(fmt.Sprintf("nothing in %s says how it is tested; name its language: git tdd init --language NAME %s", s.Folder, s.Folder))
	}
	f.Language, f.By = found[0], s.Folder+"/"+found[0].FoundBy
	return f, nil
}

// project finds the commands of a project. Those that are its language's usual ones are left out.
func (s Search) project(f Found, all []Found) Project {
	own := s.Sources.In(around(f.Dir, all))
	choice, usual := s.runnable(f.Language, own, f.Dir), f.Language.For(own.Paths).Defaults
	return Project{Found: f, Choice: choice, Paths: own.Paths, Set: config.Project{
		Language: f.Language.Name, TestCmd: unlike(choice.Commands.Test, usual.Test),
		CheckCmd: unlike(choice.Commands.Check, usual.Check), FmtCmd: unlike(choice.Commands.Fmt, usual.Fmt),
	}}
}

// unlike is a command, if it is not the usual one.
func unlike(argv, usual []string) []string {
	if slices.Equal(argv, usual) {
		return nil
	}
	return append([]string{}, argv...)
}
