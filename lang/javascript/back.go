package javascript

import (
	"os"
	"path/filepath"
	"strings"
)

// leadsBack finds a link to a part of the project, as workspaces have them, in a folder
// of modules.
func leadsBack(modules, project string) string {
	inside := func(name, folder string) bool { return strings.HasPrefix(name, folder+string(filepath.Separator)) }
	for _, depth := range []string{"*", "@*/*"} {
		found, _ := filepath.Glob(filepath.Join(modules, depth)) // a path with characters of patterns finds none
		for _, name := range found {
			if fi, err := os.Lstat(name); err != nil || fi.Mode()&os.ModeSymlink == 0 {
				continue
			}
			to, err := filepath.EvalSymlinks(name)
			if err == nil && inside(to, project) && !inside(to, modules) {
				return name
			}
		}
	}
	return ""
}
