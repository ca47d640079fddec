package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/Masterminds/semver/v3"

	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
)

// unmet says of which tools a tree's manifests ask for other versions than those of
// the toolchain, as that speaks of itself. What cannot be compared is passed over.
func unmet(ctx context.Context, repo *gitx.Repo, tree gitx.ID, projects testrun.Projects, toolchain string) ([]string, error) {
	var out []string
	for _, p := range projects {
		for _, w := range p.Language.Wants {
			manifest, _, err := repo.Text(ctx, tree, p.Path(w.File))
			if err != nil {
				return nil, err
			}
			want, have := w.In(string(manifest)), versionOf(toolchain, w.Tool)
			if met, known := satisfies(have, want); known && !met {
				out = append(out, fmt.Sprintf("%s asks for %s %s, and here is %s", p.Path(w.File), w.Tool, want, have))
			}
		}
	}
	return out, nil
}

var (
	versionPattern    = lazyregexp.New(`\d+\.\d+(?:\.\d+)?`)
	compatiblePattern = lazyregexp.New(`~=\s*(\d+(?:\.\d+)*)\.(\d+)`)
)

// versionOf is what a tool says that it is; empty where it does not say.
func versionOf(toolchain, tool string) string {
	for block := range strings.SplitSeq(toolchain, "\n\n") {
		asked, said, _ := strings.Cut(strings.TrimLeft(block, "\n"), "\n")
		if name, _, _ := strings.Cut(asked, " "); name == tool && strings.HasSuffix(asked, ": 0") {
			return versionPattern.FindString(said)
		}
	}
	return ""
}

// satisfies reports whether a version is in a range, written as npm, Composer or
// Python's packages do. known is false where either cannot be read.
func satisfies(version, wanted string) (met, known bool) {
	v, err := semver.NewVersion(version)
	if err != nil || wanted == "" {
		return false, false
	}
	// ~=3.1.4 means >=3.1.4 and ==3.1.*.
	wanted = compatiblePattern.ReplaceAllString(wanted, ">=$1.$2, =$1.x")
	wanted = strings.NewReplacer("===", "=", "==", "=", ".*", ".x").Replace(wanted)
	c, err := semver.NewConstraint(wanted)
	if err != nil {
		return false, false
	}
	return c.Check(v), true
}
