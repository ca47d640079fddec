package check

import (
	"context"
	"errors"
	"sync"

	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
)

// Declared is the configuration of a tree.
type Declared struct {
	Settings config.Settings // with what the user's environment overrides
	File     string          // path of the file in the tree; empty if it has none
	// Own is what the tree itself declares, without the user's environment: what
	// an approval must cover, because the environment is the user's own word.
	Own func() (config.Settings, error)
}

// ReadSettings reads the configuration of a tree.
func ReadSettings(ctx context.Context, repo *gitx.Repo, tree gitx.ID, environ []string, known testrun.Languages) (Declared, error) {
	file, text, err := configOf(ctx, repo, tree)
	if err != nil {
		return Declared{File: file}, err
	}
	return declared(file, text, environ, known)
}

// configOf finds the configuration of a tree; file is empty if it has none.
func configOf(ctx context.Context, repo *gitx.Repo, tree gitx.ID) (file string, text []byte, err error) {
	for _, name := range []string{config.FileName, config.AltFileName} {
		text, ok, err := repo.Text(ctx, tree, name)
		if err != nil || ok {
			return name, text, err
		}
	}
	return "", nil, nil
}

// Guarded reports whether a tree has a configuration, and so asks to be guarded.
func Guarded(ctx context.Context, repo *gitx.Repo, tree gitx.ID) (bool, error) {
	file, _, err := configOf(ctx, repo, tree)
	return file != "", err
}

func declared(file string, text []byte, environ []string, known testrun.Languages) (Declared, error) {
	d := Declared{File: file, Own: sync.OnceValues(func() (config.Settings, error) { return config.Parse(text, nil, known) })}
	var err error
	d.Settings, err = config.Parse(text, environ, known)
	if bad, ok := errors.AsType[*config.Error](err); ok && file != "" {
		bad.File = file
	}
	for i, gone := range d.Settings.Retired {
		if gone.File != "" {
			d.Settings.Retired[i].File = file
		}
	}
	return d, err
}

// Settings is [ReadSettings] with what the checker knows.
func (c *Checker) Settings(ctx context.Context, tree gitx.ID) (Declared, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.declared(ctx, tree)
}

// declared is ReadSettings, but parses each text only once: the trees of a
// history rarely differ in it, and parsing it for each would be a quarter of a
// verify of 1,000 commits whose facts are on record.
func (c *Checker) declared(ctx context.Context, tree gitx.ID) (Declared, error) {
	file, text, err := configOf(ctx, c.opts.Repo, tree)
	if file == "" && c.opts.Adopt != nil && err == nil {
		text, err = c.opts.Adopt(ctx, tree)
	}
	if err != nil {
		return Declared{}, err
	}
	key := file + "\x00" + string(text)
	if d, ok := c.configs[key]; ok {
		return d, nil
	}
	d, err := declared(file, text, c.opts.Environ, c.opts.Languages)
	if err != nil && file == "" {
		d, err = declared(file, nil, c.opts.Environ, c.opts.Languages)
	}
	if err == nil {
		c.configs[key] = d
	}
	if len(d.Settings.Retired) > 0 && c.opts.Retired != nil {
		c.opts.Retired()
	}
	return d, err
}
