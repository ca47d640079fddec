package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/git-tdd/git-tdd/adopt"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/clean"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/testrun"
)

// search looks for what HEAD's files show of the projects that are wanted.
func (i *initializer) search(ctx context.Context, entries []gitx.Entry) (s adopt.Search, failed func() error, err error) {
	folder, err := i.folder()
	src, failed := sourcesOf(ctx, i.repo, i.head.Tree, entries)
	return adopt.Search{Sources: src, Languages: lang.All(), Language: i.language, Folder: folder, Here: i.p.here(i.repo)}, failed, err
}

// here reports whether a program is found from a folder of a repository.
func (p *program) here(repo *gitx.Repo) func(program, dir string) bool {
	return func(program, dir string) bool {
		return testrun.Locate(program, filepath.Join(repo.Top, filepath.FromSlash(dir)), p.environ) != ""
	}
}

// sourcesOf are the files of a tree; failed says what kept one from being read.
func sourcesOf(ctx context.Context, repo *gitx.Repo, tree gitx.ID, entries []gitx.Entry) (src testrun.Sources, failed func() error) {
	var broken error
	src.Paths = pathsOf(entries)
	src.Read = func(path string) string {
		text, _, err := repo.Text(ctx, tree, path)
		if err != nil {
			broken = err
		}
		return string(text)
	}
	return src, func() error { return broken }
}

// tellAlone says what was found and chosen.
func (i *initializer) tellAlone(a adopt.Alone) {
	if a.Why != "" {
		i.p.out.printf("%s\n", clean.Text(a.Why))
	}
	if len(a.Others) == 0 {
		return
	}
	names := make([]string, 0, len(a.Others))
	for _, l := range a.Others {
		note := ""
		if l.Tested(a.Paths) {
			note = ", its tests do not run"
		}
		names = append(names, fmt.Sprintf("%s (%s%s)", l.Name, clean.Text(l.FoundBy), note))
	}
	i.p.out.printf("also found: %s; git reset --keep HEAD~ and git tdd init --language NAME choose another\n", strings.Join(names, ", "))
}
