package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/katas"
)

func (p *program) initCommand() *cli.Command {
	return &cli.Command{
		Name: "init", Usage: "set up the project here, or start one in an empty folder", ArgsUsage: "[DIR]",
		Description: "In an empty folder: a project of the language, the kata, .tdd.yaml, a repository and\n" +
			"its first commit. What was not said is asked on a terminal; without one, --language must\n" +
			"be given. In an existing project: .tdd.yaml, and kata.md if no kata is named, in a commit\n" +
			"of its own; nothing is overwritten. The tests must be green, or their failures known\n" +
			"(--known-failures): the commit lists them, and no step needs them.\n" +
			"Then git's hooks are installed; git tdd hooks uninstall removes them.\n" +
			"Where several folders have projects with tests, each becomes one, with a language and\n" +
			"commands of its own; init DIR makes one of a folder, --language takes those of one.\n" +
			"Bundled katas: " + strings.Join(kataNames(), ", ") + ".",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "language", Aliases: []string{"l"}, Usage: "`NAME` of the language (default: found)"},
			&cli.StringFlag{Name: "kata", Aliases: []string{"k"}, Usage: "`NAME` of a bundled kata, or a Markdown file (default: a form to fill in)"},
			&cli.BoolFlag{Name: "known-failures", Usage: "adopt a project with failing tests: no step needs them"},
			&cli.BoolFlag{Name: "no-hooks", Usage: "install no git hooks"},
		},
		Action: func(c *cli.Context) error {
			if c.NArg() > 1 {
				return &usageError{"init takes one folder"}
			}
			i := &initializer{p: p, language: c.String("language"), kata: c.String("kata"), dir: p.dir, bare: c.Bool("no-hooks"), known: c.Bool("known-failures")}
			if i.named = c.Args().Present(); i.named {
				i.dir = filepath.Join(p.dir, c.Args().First())
				if filepath.IsAbs(c.Args().First()) {
					i.dir = c.Args().First()
				}
			}
			return i.run(c.Context)
		},
	}
}

func kataNames() []string {
	var names []string
	for _, k := range katas.All() {
		names = append(names, k.Name)
	}
	return names
}

// initializer is one `git tdd init`.
type initializer struct {
	p              *program
	dir            string
	language, kata string
	brief          bool                                  // says what the baseline is, and no more
	bare           bool                                  // installs no hooks
	known          bool                                  // tests that fail are known to
	warned         []string                              // of what
	wrote          []string                              // the files of its commit
	made           []string                              // folders that were not there, the innermost first
	settings       func(config.Settings) config.Settings // of a new project; nil: as they are
	named          bool                                  // the folder was named, and may be one project of several

	empty bool // the folder holds nothing but perhaps a git directory
	repo  *gitx.Repo
	head  gitx.Head
}

func (i *initializer) run(ctx context.Context) (err error) {
	if i.empty, err = i.isEmpty(); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, i.unmake())
		}
	}()
	if err := i.repository(ctx); err != nil {
		return err
	}
	if i.head, err = i.repo.Head(ctx); err != nil {
		return err
	}
	switch {
	case i.head.Unborn() && i.empty:
		return i.scaffold(ctx)
	case i.head.Unborn():
		return &usageError{"there are files here but no commit; commit what you have (git add, git commit), then run git tdd init again"}
	case i.head.Detached():
		return &usageError{"HEAD is detached; `git switch -c NAME` makes a branch to commit to"}
	}
	return i.adopt(ctx)
}

// isEmpty reports whether the folder holds nothing but perhaps a git directory.
// It creates a missing folder.
func (i *initializer) isEmpty() (bool, error) {
	for dir := i.dir; missing(dir); dir = filepath.Dir(dir) {
		i.made = append(i.made, dir)
	}
	if err := os.MkdirAll(i.dir, 0o755); err != nil { //nolint:gosec // a project's folder, under the user's umask
		return false, fmt.Errorf("make the folder: %w", err)
	}
	entries, err := os.ReadDir(i.dir)
	if err != nil {
		return false, fmt.Errorf("read the folder: %w", err)
	}
	for _, e := range entries {
		if e.Name() != ".git" {
			return false, nil
		}
	}
	return true, nil
}

// unmake removes what was made, but for what others may have put something into.
func (i *initializer) unmake() error {
	for _, dir := range i.made {
		if dir == i.dir || filepath.Dir(dir) == i.dir {
			if err := os.RemoveAll(dir); err != nil {
				return fmt.Errorf("remove what was made: %w", err)
			}
			continue
		}
		_ = os.Remove(dir) // fails where it is not empty
	}
	if len(i.made) > 0 {
		i.p.repo = nil // there is none any more
	}
	return nil
}

func missing(name string) bool {
	_, err := os.Lstat(name)
	return errors.Is(err, fs.ErrNotExist)
}

// repository opens the repository of the folder, or makes one if the folder is
// empty.
func (i *initializer) repository(ctx context.Context) error {
	opts := gitx.Options{Dir: i.dir, Environ: i.p.environ}
	repo, err := gitx.Open(ctx, opts)
	inside := filepath.Join(i.dir, ".git")
	switch {
	case errors.Is(err, gitx.ErrNotRepository) || (err == nil && i.empty && missing(inside)):
		if !i.empty {
			return &usageError{i.dir + " is no git repository and not empty; run git init and commit what you have first"}
		}
		if err == nil {
			_ = repo.Close()
		}
		if len(i.made) == 0 {
			i.made = []string{inside}
		}
		repo, err = gitx.Init(ctx, opts)
	case err != nil:
		return err
	}
	i.repo, i.p.repo = repo, repo
	return err
}
