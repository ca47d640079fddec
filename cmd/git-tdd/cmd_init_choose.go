package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/adopt"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/clean"
)

// search looks for what HEAD's files show of the projects that are wanted.
func (i *initializer) search(ctx context.Context, entries []gitx.Entry) (s adopt.Search, failed func() error, err error) {
	s, failed = i.p.search(ctx, i.repo, i.head.Tree, entries)
	s.Language = i.language
	if known := s.Languages.Names(); i.language != "" && !slices.Contains(known, i.language) {
		return s, failed, noSuch("language", i.language, known)
	}
	s.Folder, err = i.folder()
	return s, failed, err
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
