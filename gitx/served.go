package gitx

import "context"

// OpenServed opens a repository that others push to, without a working tree. In a hook for a push
// it sees what is pushed: those objects lie in quarantine, in a folder that the environment names.
// What is written meanwhile goes there too, and is gone if the push is refused.
func OpenServed(ctx context.Context, opts Options) (*Repo, error) {
	r, err := unplaced(opts)
	if err != nil {
		return nil, err
	}
	r.env = append(r.env, chosen(opts.Environ, "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH")...)
	if _, err := r.gitDirs(ctx, chosen(opts.Environ, "GIT_DIR")); err != nil {
		return nil, err
	}
	r.dir, r.explicit = r.GitDir, true
	return r, nil
}

// Place is where a person finds the repository: its working tree, or else its git directory.
func (r *Repo) Place() string {
	if r.Top == "" {
		return r.GitDir
	}
	return r.Top
}
