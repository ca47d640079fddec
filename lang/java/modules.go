package java

import (
	"path"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
)

// modulePathPattern finds the modules that a pom.xml names.
var modulePathPattern = lazyregexp.New(`<module>\s*([^<]+?)\s*</module>`)

// covers reports whether a build runs the tests of the project in a folder: Maven
// those of its modules, and of theirs; Gradle those of all that its settings take in,
// which is what has no settings of its own.
func covers(p testrun.Sources, dir string) bool {
	if p.Has("settings.gradle", "settings.gradle.kts") && !p.Has("pom.xml") {
		return !p.Has(dir+"/settings.gradle", dir+"/settings.gradle.kts", dir+"/pom.xml")
	}
	for _, hit := range modulePathPattern.FindAllStringSubmatch(p.Read("pom.xml"), -1) {
		module := strings.TrimSuffix(path.Clean(hit[1]), "/pom.xml")
		if module == dir {
			return true
		}
		if rest, below := strings.CutPrefix(dir, module+"/"); below && covers(p.In(testrun.Folder{Dir: module}), rest) {
			return true
		}
	}
	return false
}
