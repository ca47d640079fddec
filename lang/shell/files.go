package shell

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// batsFiles lists the files that a command of bats runs all tests of, as far as
// its words tell; none where it picks tests by a filter.
func batsFiles(dir string, argv []string) []string {
	words := argv[slices.IndexFunc(argv, isBats)+1:]
	picks := regexp.MustCompile(`^(?:-[[:alpha:]]*f|--filter|--negative-filter)`)
	if slices.ContainsFunc(words, picks.MatchString) {
		return nil
	}
	recursive := slices.ContainsFunc(words, regexp.MustCompile(`^(?:-[[:alpha:]]*r[[:alpha:]]*|--recursive)$`).MatchString)
	var out []string
	for _, word := range words {
		if !strings.HasPrefix(word, "-") {
			out = append(out, filesIn(dir, filepath.Clean(word), recursive)...)
		}
	}
	return out
}

// isBats reports whether a word of a command is bats.
func isBats(word string) bool { return filepath.Base(word) == "bats" }

// filesIn lists the files that one word stands for.
func filesIn(dir, word string, recursive bool) []string {
	var out []string
	root := filepath.Join(dir, word)
	_ = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error { // what cannot be read is no test
		switch {
		case err != nil:
			return nil //nolint:nilerr // see above
		case d.IsDir() && name != root && !recursive:
			return fs.SkipDir
		case d.Type().IsRegular() && (name == root || filepath.Ext(name) == ".bats"):
			out = append(out, name)
		}
		return nil
	})
	return out
}

// skippedFiles lists the files that hold tests, and that bats did not mention.
// Since 1.11 it says nothing of one that exits with 0 while it is loaded.
func (r *bats) skippedFiles() []string {
	var out []string
	declares := regexp.MustCompile(`(?m)^@test[ \t]`)
	for _, name := range r.wanted {
		file := r.places.Relative(name)
		if r.heard[file] || slices.Contains(out, file) {
			continue
		}
		if _, masked := shellMask(r.places.Text(file)); declares.MatchString(masked) {
			out = append(out, file)
		}
	}
	return out
}
