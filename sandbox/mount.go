package sandbox

import (
	"path/filepath"
	"slices"
	"strings"
)

// Mount shows a folder or a file at another path to one command alone.
type Mount struct {
	From, At string // absolute; At is there already
	// Layer is a new folder for each command, removed by the caller, that takes the command's
	// changes, so that From stays as it is; if empty, changes go to From.
	Layer string
	// Stays has the layer be used again: what a command changed is there for the next
	// one that finds the folder under the same layer.
	Stays bool
}

// Outside is the path at which we find what the command finds at a path.
func (c Command) Outside(path string) string {
	for _, m := range slices.Backward(c.Mounts) { // each stands on those before it
		if rest, ok := below(path, m.At); ok {
			path = filepath.Join(m.From, rest)
		}
	}
	return path
}

// below is the rest of a path that is a folder or lies in it.
func below(path, folder string) (rest string, ok bool) {
	if path == folder {
		return "", true
	}
	return strings.CutPrefix(path, folder+string(filepath.Separator))
}
