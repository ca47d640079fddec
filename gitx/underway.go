package gitx

import (
	"os"
	"path/filepath"
)

// Underway names what the user is in the middle of in this working tree:
// "rebase", "cherry-pick", "revert", "merge"; empty if there is nothing. The next
// commit belongs to that, and to nobody else.
func (r *Repo) Underway() string {
	for _, s := range []struct{ file, name string }{
		{"rebase-merge", "rebase"},
		{"rebase-apply", "rebase"},
		{"CHERRY_PICK_HEAD", "cherry-pick"},
		{"REVERT_HEAD", "revert"},
		{"MERGE_HEAD", "merge"},
	} {
		if _, err := os.Lstat(filepath.Join(r.GitDir, s.file)); err == nil {
			return s.name
		}
	}
	return ""
}
