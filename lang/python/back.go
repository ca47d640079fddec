package python

import (
	"encoding/json"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/git-tdd/git-tdd/internal/wholefile"
)

// leadsBack finds what an editable install left in a virtual environment: the path of
// the project, in a file that python reads when it starts or that finds its packages.
func leadsBack(environment, project string) string {
	for _, pattern := range []string{"*.pth", "__editable__*.py", "*.egg-link"} {
		found, _ := filepath.Glob(filepath.Join(environment, "lib", "python*", "site-packages", pattern)) // a path with characters of patterns finds none
		for _, name := range found {
			text, err := wholefile.Read(name)
			if err == nil && names(strings.ReplaceAll(string(text), environment, ""), project) {
				return name
			}
		}
	}
	return ""
}

// names reports whether a text names a folder, or what is in it, and not only one whose
// path begins alike.
func names(text, folder string) bool {
	for {
		_, after, found := strings.Cut(text, folder)
		if !found || after == "" || strings.IndexByte("/\\'\"\r\n", after[0]) >= 0 {
			return found
		}
		text = after
	}
}

// copied finds what pip wrote down of a project that it installed from its folder, or
// from an archive that was built there, and not editable.
func copied(environment, project string) string {
	found, _ := filepath.Glob(filepath.Join(environment, "lib", "python*", "site-packages", "*.dist-info", "direct_url.json")) // a path with characters of patterns finds none
	for _, name := range found {
		var from struct {
			URL string `json:"url"`
			Dir struct {
				Editable bool `json:"editable"`
			} `json:"dir_info"`
		}
		text, err := wholefile.Read(name)
		if err != nil || json.Unmarshal(text, &from) != nil || from.Dir.Editable {
			continue
		}
		if at, err := url.Parse(from.URL); err == nil && at.Scheme == "file" && strings.HasPrefix(filepath.Clean(at.Path)+"/", project+"/") {
			return filepath.Dir(name)
		}
	}
	return ""
}
