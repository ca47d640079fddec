package rust

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

// narrow is a call of cargo test for a few tests only.
func narrow(argv []string, tests []gates.Test) []string {
	if _, ours := cargoArgs(argv, []string{"test", "t"}); !ours || slices.Contains(argv, "--") || slices.Contains(argv, "nextest") {
		return nil
	}
	out := append(slices.Clone(argv), "--", "--exact")
	for _, t := range tests {
		_, name, found := strings.Cut(t.ID, "::")
		if !found || strings.HasPrefix(t.ID, "doc::") || strings.Contains(t.ID, "/doc::") {
			return nil
		}
		out = append(out, name)
	}
	return out
}
