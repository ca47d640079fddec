package ruby

import (
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

// narrow is a call of RSpec, or of Ruby with minitest, for a few tests only.
func narrow(argv []string, tests []gates.Test) []string {
	if at := slices.IndexFunc(argv, func(word string) bool { return filepath.Base(word) == "rspec" }); at >= 0 {
		return narrowRSpec(argv, at, tests)
	}
	if n := len(argv); n > 2 && filepath.Base(argv[0]) == "ruby" && argv[n-2] == "-e" && argv[n-1] == requireAll {
		return append(slices.Clone(argv), "--", "-n", "/"+names(tests)+"/")
	}
	return nil
}

// narrowRSpec names examples by file and line.
func narrowRSpec(argv []string, at int, tests []gates.Test) []string {
	if slices.ContainsFunc(argv[at+1:], func(arg string) bool { return !strings.HasPrefix(arg, "--") }) {
		return nil // files, or the value of an option
	}
	var places []string
	for _, t := range tests {
		if t.File == "" || t.Line == 0 {
			return nil
		}
		places = append(places, t.File+":"+strconv.Itoa(t.Line))
	}
	slices.Sort(places)
	return append(slices.Clone(argv), slices.Compact(places)...)
}

// names is a pattern for the methods of some tests. Those of blocks are numbered.
func names(tests []gates.Test) string {
	var out []string
	for _, t := range tests {
		name := t.ID[strings.LastIndex(t.ID, "::")+1:]
		out = append(out, regexp.QuoteMeta(strings.TrimPrefix(name, ":")))
	}
	slices.Sort(out)
	return `\A(?:test_\d{4}_)?(?:` + strings.ReplaceAll(strings.Join(slices.Compact(out), "|"), "/", `\/`) + `)\z`
}
