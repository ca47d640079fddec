package testrun

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// jestCache lets Jest keep from one run to the next what it made of a file; it
// would lie among the temporary files otherwise, of which each run has its own.
// An entry is named by the content of the file and by Jest's settings, but not
// by the programs of the project that those name. So nothing is kept where the
// project sets anything of Jest or Babel: what a file becomes is up to it alone.
func jestCache(b *bench, argv []string, manifest npmManifest) []string {
	words := argv
	if npmTest(argv) {
		if strings.ContainsAny(manifest.Scripts["test"], ";|&") {
			return nil // it may change to another folder
		}
		words = slices.Concat(argv, manifest.script())
	}
	if manifest.Jest != nil || manifest.Babel != nil || slices.ContainsFunc(words, setsJest) {
		return nil
	}
	for _, pattern := range []string{"jest.config.*", "babel.config.*", ".babelrc*"} {
		if found, err := fs.Glob(os.DirFS(b.req.Dir), pattern); err != nil || len(found) > 0 {
			return nil
		}
	}
	return []string{"--cacheDirectory=" + filepath.Join(b.req.Scratch, "jest")}
}

// setsJest reports whether an argument changes where Jest finds its settings, or
// what it makes of a file.
func setsJest(word string) bool {
	flag, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
	known := []string{
		"c", "config", "projects", "rootDir", "preset", "transform", "transformIgnorePatterns",
		"cache", "no-cache", "cacheDirectory", "globals", "env", "testEnvironment", "haste",
	}
	return strings.HasPrefix(word, "-") && slices.Contains(known, flag)
}
