package shell

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

var (
	filterPattern    = lazyregexp.New(`^(?:-[[:alpha:]]*f|--filter|--negative-filter)`)
	recursivePattern = lazyregexp.New(`^(?:-[[:alpha:]]*r[[:alpha:]]*|--recursive)$`)
	testLinePattern  = lazyregexp.New(`(?m)^@test[ \t]`)
)

// testFiles lists the files of which a call of bats runs every test, as far as its
// words tell; none where it picks tests by a filter.
func testFiles(dir string, argv []string) []string {
	words := argv[slices.IndexFunc(argv, isBats)+1:]
	if slices.ContainsFunc(words, filterPattern.MatchString) {
		return nil
	}
	recursive := slices.ContainsFunc(words, recursivePattern.MatchString)
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

// skippedFiles lists the files with tests that bats did not mention. Since 1.11 it
// says nothing of one that exits with 0 while it is loaded.
func (r *stream) skippedFiles() []string {
	var out []string
	for _, name := range r.wanted {
		file := r.places.Relative(name)
		if r.mentioned[file] || slices.Contains(out, file) {
			continue
		}
		if _, masked := page().Mask(r.places.Text(file)); testLinePattern.MatchString(masked) {
			out = append(out, file)
		}
	}
	return out
}
