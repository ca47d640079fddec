package cpp

import (
	"path/filepath"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/internal/wholefile"
)

// optionPattern matches an option of CMake, off by default, that builds the tests of
// the project itself.
var optionPattern = lazyregexp.New(`(?im)^[ \t]*option[ \t]*\([ \t]*` +
	`("?)(\w*_(?:(?:BUILD|ENABLE|WITH|MAKE)_(?:UNIT_?)?TESTS?|(?:BUILD|ENABLE)_TESTING|TESTS?)|(?:BUILD|ENABLE|WITH)_(?:UNIT_?)?TESTS?)"?\s+"[^"]*"\s+(?:OFF|FALSE|NO|0)[ \t]*\)`)

// testOptions are the arguments that switch a project's tests on. A library leaves
// them off so that those who build it within theirs need not build its tests.
func testOptions(dir string) []string {
	raw, _ := wholefile.Read(filepath.Join(dir, "CMakeLists.txt")) // none has no options
	var out []string
	for _, hit := range optionPattern.FindAllStringSubmatch(string(raw), -1) {
		out = append(out, "-D"+hit[2]+"=ON")
	}
	return out
}
