package gitx

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Siblings are the roots of the repository's other working trees that exist.
func (r *Repo) Siblings() []string {
	var out []string
	if filepath.Base(r.CommonDir) == ".git" { // of the main one
		out = append(out, filepath.Dir(r.CommonDir))
	}
	records, _ := filepath.Glob(filepath.Join(r.CommonDir, "worktrees", "*", "gitdir")) // a character of patterns in the path hides them
	for _, record := range records {
		raw, _ := os.ReadFile(record) // one that is being removed is none
		if link := strings.TrimSuffix(string(raw), "\n"); filepath.IsAbs(link) {
			out = append(out, filepath.Dir(link))
		}
	}
	return slices.DeleteFunc(out, func(dir string) bool {
		fi, err := os.Stat(dir)
		return dir == r.Top || err != nil || !fi.IsDir()
	})
}
