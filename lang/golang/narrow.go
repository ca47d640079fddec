package golang

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

// narrow is a call of go test for a few tests, or for whole packages.
func narrow(argv []string, tests []gates.Test) []string {
	if len(argv) < 2 || path.Base(argv[0]) != "go" || argv[1] != "test" || hasFlag(argv, "-run") || hasFlag(argv, "-args") {
		return nil
	}
	var names, packages []string
	whole := false
	for _, t := range tests {
		name := functionName(t.ID)
		if name == "" && t.ID != "" || t.File == "" {
			return nil
		}
		whole = whole || t.ID == ""
		names = append(names, regexp.QuoteMeta(name))
		packages = append(packages, "./"+path.Dir(t.File))
	}
	out := []string{argv[0], "test"}
	if !whole {
		out = append(out, "-run=^("+strings.Join(unique(names), "|")+")$")
	}
	for _, arg := range argv[2:] {
		if strings.HasPrefix(arg, "-") {
			out = append(out, arg)
			continue
		}
		if arg != "." && !strings.HasPrefix(arg, "./") {
			return nil // the value of a flag, or packages by another name
		}
	}
	return append(out, unique(packages)...)
}

func unique(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

// functionName is the function that holds the test of an id.
func functionName(id string) string {
	for _, prefix := range []string{"Test", "Example", "Fuzz"} {
		if i := strings.LastIndex(id, "."+prefix); i >= 0 {
			name, _, _ := strings.Cut(id[i+1:], "/")
			return name
		}
	}
	return ""
}
