package php

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

// narrow is a call of PHPUnit for a few tests only.
func narrow(argv []string, tests []gates.Test) []string {
	if len(argv) == 0 || filepath.Base(argv[0]) != "phpunit" || slices.ContainsFunc(argv, func(arg string) bool { return strings.HasPrefix(arg, "--filter") }) {
		return nil
	}
	var names []string
	for _, t := range tests {
		parts := strings.Split(t.ID, "::")
		if len(parts) < 3 {
			return nil
		}
		name, _, _ := strings.Cut(parts[2], " ")
		names = append(names, regexp.QuoteMeta(name))
	}
	slices.Sort(names)
	return append(slices.Clone(argv), "--filter=/::("+strings.Join(slices.Compact(names), "|")+")( .*)?$/")
}
