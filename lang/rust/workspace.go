package rust

import (
	"regexp"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
)

var (
	workspacePattern = lazyregexp.New(`(?m)^\s*\[workspace(?:\.[\w-]+)*\]`)
	excludePattern   = lazyregexp.New(`(?ms)^\s*exclude\s*=\s*\[([^\]]*)\]`)

	// cratePattern finds a crate in the path of one of its files, where cargo keeps
	// what it downloads.
	cratePattern = lazyregexp.New(`/registry/src/[^/]+/([\w-]+?)-\d[^/]*/`)

	tablePattern = lazyregexp.New(`(?m)^[ \t]*\[([^\]\n]+)\][ \t]*(?:#.*)?$`)
)

// covers reports whether the workspace of a Cargo.toml has the package in a folder.
// Cargo itself refuses one inside that neither belongs to it nor is excluded.
func covers(p testrun.Sources, dir string) bool {
	outer := p.Read("Cargo.toml")
	if !workspacePattern.MatchString(outer) || workspacePattern.MatchString(p.Read(dir+"/Cargo.toml")) {
		return false
	}
	if hit := excludePattern.FindStringSubmatch(outer); hit != nil {
		for one := range strings.SplitSeq(hit[1], ",") {
			one = strings.Trim(strings.TrimSpace(one), `"'`)
			if one != "" && (dir == one || strings.HasPrefix(dir, strings.TrimSuffix(one, "/")+"/")) {
				return false
			}
		}
	}
	return true
}

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
