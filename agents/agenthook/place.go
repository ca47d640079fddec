package agenthook

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/hooks"
)

// Places lists the working trees that a call is about: where the agent works, and
// where its command goes or its tool writes. A folder in none is the agent's own.
func (c Call) Places(environ []string) []string {
	script := readScript(c.Command, c.Dir, environ)
	dirs := append([]string{c.Dir}, gates.Each(script.commands, func(cmd command) string { return cmd.dir })...)
	for _, w := range append(slices.Clone(c.Writes), script.writes...) {
		if filepath.IsAbs(w.Path) {
			dirs = append(dirs, filepath.Dir(w.Path))
		}
	}
	var places []string
	if topOf(c.Dir) == "" {
		places = append(places, c.Dir)
	}
	tops := slices.DeleteFunc(gates.Each(dirs, topOf), func(top string) bool { return top == "" })
	return gates.Union(places, tops)
}

// topOf is the working tree that holds a folder, which need not exist.
func topOf(dir string) string {
	for dir = gitx.Resolved(dir); filepath.IsAbs(dir); dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil && filepath.Base(dir) != ".git" {
			return dir
		}
		if filepath.Dir(dir) == dir {
			break
		}
	}
	return ""
}

// mine reports whether a folder belongs to the judge's working tree.
func (j Judge) mine(dir string) bool {
	top := topOf(dir)
	return top == "" && dir == j.Repo.Top || top == gitx.Resolved(j.Repo.Top)
}

// goesAround says which way around the rules a script takes; of a clone without hooks, it says so once.
func (j Judge) goesAround(ctx context.Context, s script, turn *session) (string, error) {
	if why := s.dodge(j.mine); why != "" {
		return why + Wall, nil
	}
	commits := slices.ContainsFunc(s.commands, func(c command) bool {
		return c.argv[0] == "git" && j.mine(c.dir) && slices.Contains(c.argv, "commit")
	})
	if !commits || turn.Warned {
		return "", nil
	}
	remedy, err := hooks.Installer{Repo: j.Repo}.Unguarded(ctx)
	if err != nil || remedy == "" {
		return "", err
	}
	turn.Warned = true
	if !turn.save() {
		return "", nil
	}
	return NoWall + ", then commit again (this is said once)", nil
}
