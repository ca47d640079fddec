package python

import (
	"os"
	"path/filepath"
	"strings"
)

// leadsBack finds what an editable install left in a virtual environment: the path of
// the project, in a file that python reads when it starts or that finds its packages.
func leadsBack(environment, project string) string {
	for _, pattern := range []string{"*.pth", "__editable__*.py", "*.egg-link"} {
		found, _ := filepath.Glob(filepath.Join(environment, "lib", "python*", "site-packages", pattern)) // a path with characters of patterns finds none
		for _, name := range found {
			text, err := os.ReadFile(name)
			if err == nil && strings.Contains(strings.ReplaceAll(string(text), environment, ""), project) {
				return name
			}
		}
	}
	return ""
}
