package gitx

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/git-tdd/git-tdd/internal/envvar"
)

// OpenServed opens a repository that others push to, bare or not, without a
// working tree. In a hook that git runs for a push it sees what is being
// pushed: those objects lie in quarantine, in a folder that the hook's
// environment names. What is written while they are judged goes there too, and
// is gone if the push is refused.
func OpenServed(ctx context.Context, opts Options) (*Repo, error) {
	r, err := unplaced(opts)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH"} {
		if value := envvar.Get(opts.Environ, name); value != "" {
			r.env = append(r.env, name+"="+value)
		}
	}
	var env []string
	if value := envvar.Get(opts.Environ, "GIT_DIR"); value != "" {
		env = []string{"GIT_DIR=" + value}
	}
	out, err := r.run(ctx, call{args: []string{"rev-parse", "--absolute-git-dir", "--git-common-dir"}, env: env})
	if err != nil {
		return nil, r.notFound(err)
	}
	lines := strings.Split(strings.TrimRight(string(out), "\n"), "\n")
	if len(lines) != 2 {
		return nil, fmt.Errorf("git rev-parse in %s: unexpected answer %q", r.dir, out)
	}
	r.GitDir, r.CommonDir = lines[0], lines[1]
	if !filepath.IsAbs(r.CommonDir) {
		r.CommonDir = filepath.Join(r.dir, r.CommonDir)
	}
	r.dir, r.explicit = r.GitDir, true
	return r, nil
}

// Place is where a person finds the repository: its working tree, or its git
// directory if it has none.
func (r *Repo) Place() string {
	if r.Top == "" {
		return r.GitDir
	}
	return r.Top
}
