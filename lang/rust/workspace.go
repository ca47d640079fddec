package rust

import (
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
)

var (
	workspacePattern = lazyregexp.New(`(?m)^\s*\[workspace(?:\.[\w-]+)*\]`)
	excludePattern   = lazyregexp.New(`(?ms)^\s*exclude\s*=\s*\[([^\]]*)\]`)
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
