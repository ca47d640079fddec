package adopt

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
)

// Elsewhere says why tests may show something else in the working tree than where a tree
// is measured: build output beside the sources, which is in no tree, and a copy of the
// project among its dependencies, which no change of the tree reaches.
func Elsewhere(ctx context.Context, repo *gitx.Repo, tree gitx.ID, projects testrun.Projects, w config.Workbench) ([]string, error) {
	entries, err := repo.Entries(ctx, tree)
	if err != nil || repo.Top == "" {
		return nil, err
	}
	at := func(name string) string { return filepath.Join(repo.Top, filepath.FromSlash(name)) }
	var out []string
	for _, p := range projects {
		in := p.Language.Installation
		if file := unbuilt(repo.Top, entries, p); file != "" && len(w.SetupCmd) == 0 && !slices.Contains(w.Link, file) {
			out = append(out, fmt.Sprintf("%s is build output that git ignores, so it is not there where a tree is measured, and what needs it is skipped or fails; "+
				"build it for each tree, for instance with ci.check_cmd: [%s]", file, strings.Join(in.Compiles, ", ")))
		}
		if in.Copied == nil {
			continue
		}
		for _, name := range p.Language.Link {
			if found := in.Copied(at(p.Path(name)), at(p.Dir)); found != "" {
				out = append(out, found+" is a copy of this project: tests that import it do not see what a commit changes; install the project editable (pip install -e .)")
			}
		}
	}
	return out, nil
}

// buildsPattern finds, in a command, that it builds by itself what it needs.
var buildsPattern = lazyregexp.New(`build|compile|develop`)

// unbuilt is a file of the working tree that a build put beside the sources of a project
// whose commands do not build it; empty if there is none.
func unbuilt(top string, entries []gitx.Entry, p testrun.Project) string {
	in := p.Language.Installation
	if len(in.Compiled) == 0 || buildsPattern.MatchString(strings.Join(slices.Concat(p.Commands.Check, p.Commands.Test), " ")) {
		return ""
	}
	known := map[string]bool{}
	var folders []string
	for _, e := range entries {
		known[e.Path] = true
		if within, ok := p.Within(e.Path); ok && p.Language.Kind(within) == gates.KindSource {
			folders = append(folders, path.Dir(e.Path))
		}
	}
	for _, dir := range slices.Compact(folders) {
		files, _ := os.ReadDir(filepath.Join(top, filepath.FromSlash(dir))) // a folder that is not checked out holds nothing
		for _, f := range files {
			built := slices.ContainsFunc(in.Compiled, func(pattern string) bool { return doublestar.MatchUnvalidated(pattern, f.Name()) })
			if name := path.Join(dir, f.Name()); built && !known[name] {
				return name
			}
		}
	}
	return ""
}
