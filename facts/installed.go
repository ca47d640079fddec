package facts

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/wholefile"
	"github.com/git-tdd/git-tdd/testrun"
)

// installed hashes what shows that a dependency outside the tree has changed: in the folders
// that are linked into the workbench, and beside the interpreters. It reads the records of
// installers, so a package that somebody edits in place is not noticed.
func (m *Measurer) installed() string {
	var parts []string
	links := linksOf(m.opts.Repo, m.opts.Link)
	records := m.opts.Languages.All(func(i testrun.Installation) []string { return i.Records })
	for _, name := range slices.Sorted(maps.Keys(links)) {
		parts = append(parts, name, links[name])
		parts = append(parts, linked(links[name], records)...)
	}
	if m.homes == nil { // to find them takes 0.6 ms a tree, ten times as long as to look at them
		m.homes = []string{}
		for _, argv := range m.opts.Language.Tools {
			m.homes = append(m.homes, m.libraries(argv[0])...)
		}
	}
	for _, dir := range m.homes {
		parts = append(parts, dir, ageOf(dir))
	}
	return digest("installed", parts...)
}

// linked describes a folder or a file outside the tree by its installer's records, or by its listing.
func linked(path string, records []string) []string {
	var found []string
	for _, name := range wholefile.Matching(path, records...) {
		found = append(found, name, ageOf(name))
	}
	if len(found) > 0 {
		return found
	}
	return listing(path)
}

// listing describes a file or the entries of a folder: folders by name, because runs leave caches there.
func listing(path string) []string {
	parts := []string{path}
	entries, err := os.ReadDir(path)
	if err != nil {
		return append(parts, ageOf(path))
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if parts = append(parts, e.Name()); !e.IsDir() {
			parts = append(parts, ageOf(filepath.Join(path, e.Name())))
		}
	}
	return parts
}

// ageOf is the size and the time of a file. A folder's time changes when an
// entry is added or removed, for instance when a package is installed.
func ageOf(path string) string {
	fi, err := os.Stat(path)
	if err != nil {
		return "none"
	}
	return fmt.Sprint(fi.Size(), fi.ModTime().UnixNano())
}

// libraries are the folders in which an interpreter finds packages: of its own installation,
// its environment, all versions of a version manager, the user and the system.
func (m *Measurer) libraries(tool string) []string {
	in := m.opts.Language.Installation
	var out []string
	for _, root := range m.prefixes(tool) {
		for _, dir := range wholefile.Matching(root, in.Below...) {
			for _, name := range in.Packages {
				out = append(out, filepath.Join(dir, name))
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// prefixes are the installations that may hold packages for an interpreter.
func (m *Measurer) prefixes(tool string) []string {
	roots := []string{filepath.Join(m.value("HOME"), ".local")}
	if found := m.locate(tool); found != "" {
		root := filepath.Dir(filepath.Dir(found))
		roots = append(roots, root)
		if path, err := filepath.EvalSymlinks(found); err == nil {
			roots = append(roots, filepath.Dir(filepath.Dir(path)))
			if packaged(path) {
				roots = append(roots, "/usr/local", "/var/lib")
			}
		}
		roots = append(roots, wholefile.Matching(root, "versions/*", "installs/*/*")...)
	}
	return slices.DeleteFunc(roots, func(root string) bool { return !filepath.IsAbs(root) })
}
