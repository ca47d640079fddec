package rust

import (
	"regexp"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

var (
	// cratePattern finds a crate in the path of one of its files, where cargo keeps
	// what it downloads.
	cratePattern = lazyregexp.New(`/registry/src/[^/]+/([\w-]+?)-\d[^/]*/`)

	tablePattern = lazyregexp.New(`(?m)^[ \t]*\[([^\]\n]+)\][ \t]*(?:#.*)?$`)
)

// forTests reports whether a file belongs to a crate on which, by a Cargo.toml, the
// tests depend and the sources do not. What it panics with is the expectation of a
// test, because nobody else can have called it.
func forTests(file, manifest string) bool {
	hit := cratePattern.FindStringSubmatch(file)
	if hit == nil {
		return false
	}
	tests, sources := false, false
	for _, table := range dependencies(manifest, hit[1]) {
		if strings.HasSuffix(table, "dev-dependencies") {
			tests = true
		} else {
			sources = true
		}
	}
	return tests && !sources
}

// dependencies lists the tables of a Cargo.toml that name a crate.
func dependencies(manifest, crate string) []string {
	name := strings.NewReplacer("_", "[-_]", "-", "[-_]").Replace(regexp.QuoteMeta(crate))
	key := regexp.MustCompile(`(?m)^[ \t]*"?` + name + `"?[ \t]*[.=]`)
	own := regexp.MustCompile(`^(.*dependencies)\."?` + name + `"?$`)
	var out []string
	heads := tablePattern.FindAllStringSubmatchIndex(manifest, -1)
	for i, at := range heads {
		end := len(manifest)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		table := strings.TrimSpace(manifest[at[2]:at[3]])
		if hit := own.FindStringSubmatch(table); hit != nil {
			out = append(out, hit[1])
		} else if strings.HasSuffix(table, "dependencies") && key.MatchString(manifest[at[1]:end]) {
			out = append(out, table)
		}
	}
	return out
}
