package python

import (
	"cmp"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/internal/wholefile"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/output"
)

var versionPattern = lazyregexp.New(`(?m)^version(?:_info)?\s*=\s*(\d+)\.(\d+)`)

// activate sets what activating a virtual environment sets: the one that a tool made
// for a project, with pytest in it. It sets nothing where one is active, or stands in
// the project under its usual name. tox, nox and hatch make theirs in the project; Poetry,
// hatch, PDM and pipenv in the user's home.
func activate(project string, value func(string) string) []string {
	if value("VIRTUAL_ENV") != "" || python(filepath.Join(project, ".venv")) || python(filepath.Join(project, "venv")) {
		return nil
	}
	found := wholefile.Matching(project, ".tox/*", ".nox/*", ".hatch/*")
	elsewhere := testrun.FoldersOf(
		"~/.cache/pypoetry/virtualenvs/*", "~/Library/Caches/pypoetry/virtualenvs/*",
		"~/.local/share/hatch/env/virtual/*/*/*", "~/Library/Application Support/hatch/env/virtual/*/*/*",
		"~/.local/share/pdm/venvs/*", "~/Library/Application Support/pdm/venvs/*", "~/.local/share/virtualenvs/*")
	for _, pattern := range elsewhere(value) {
		some, _ := filepath.Glob(pattern)
		found = append(found, slices.DeleteFunc(some, func(dir string) bool { return !madeFor(dir, project) })...)
	}
	if best := best(found, project); best != "" {
		return []string{"VIRTUAL_ENV=" + best, "PATH=" + filepath.Join(best, "bin") + string(os.PathListSeparator) + value("PATH")}
	}
	return nil
}

// best is the virtual environment that suits the tests of a project: one with pytest in
// which the project is installed as it stands, or, if it is installed in none, one with
// pytest alone; of several that of the newest Python. A copy of the project would be
// tested in its place.
func best(found []string, project string) string {
	var installed, others []string
	copies := false
	for _, dir := range found {
		switch {
		case !python(dir) || len(packages(dir, "pytest")) == 0:
		case leadsBack(dir, project) != "":
			installed = append(installed, dir)
		case copied(dir, project) != "":
			copies = true
		default:
			others = append(others, dir)
		}
	}
	if len(installed) == 0 && !copies {
		installed = others
	}
	if len(installed) == 0 {
		return ""
	}
	return slices.MaxFunc(installed, func(a, b string) int { return cmp.Compare(version(a), version(b)) })
}

// python reports whether a folder has an interpreter.
func python(dir string) bool {
	return testrun.Locate(filepath.Join(dir, "bin", "python"), "", nil) != ""
}

// packages lists what matches a pattern among what is installed in a virtual environment.
func packages(dir, pattern string) []string {
	return wholefile.Matching(dir, "lib/python*/site-packages/"+pattern)
}

// madeFor reports whether a virtual environment was made for a project: the project is
// installed there, or pipenv says so.
func madeFor(dir, project string) bool {
	said, _ := wholefile.Read(filepath.Join(dir, ".project"))
	return strings.TrimSpace(string(said)) == project || leadsBack(dir, project) != "" || copied(dir, project) != ""
}

// version is that of the Python of a virtual environment, as one number; 0 of what is
// none.
func version(dir string) int {
	text, _ := wholefile.Read(filepath.Join(dir, "pyvenv.cfg"))
	hit := versionPattern().FindStringSubmatch(string(text))
	if hit == nil {
		return 0
	}
	return 1000*output.Atoi(hit[1]) + output.Atoi(hit[2])
}

// leadsBack finds what an editable install left in a virtual environment: the path of
// the project, in a file that python reads when it starts or that finds its packages.
func leadsBack(environment, project string) string {
	for _, pattern := range []string{"*.pth", "__editable__*.py", "*.egg-link"} {
		for _, name := range packages(environment, pattern) {
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
	for _, name := range packages(environment, "*.dist-info/direct_url.json") {
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
