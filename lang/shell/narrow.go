package shell

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

// narrow is a call of bats for a few tests, or for whole files.
func narrow(argv []string, tests []gates.Test) []string {
	at := slices.IndexFunc(argv, isBats)
	if at < 0 || slices.ContainsFunc(argv[:at], func(arg string) bool { return strings.HasPrefix(arg, "-") }) {
		return nil
	}
	out := slices.Clone(argv[:at+1])
	for _, arg := range argv[at+1:] {
		switch {
		case arg == "-r", arg == "--recursive":
		case slices.Contains([]string{"-t", "--tap", "-T", "--timing", "-p", "--pretty", "-x", "--trace", "--no-tempdir-cleanup", "--verbose-run", "--print-output-on-failure"}, arg):
			out = append(out, arg)
		case strings.HasPrefix(arg, "-"):
			return nil // it may have a value
		}
	}
	var files, names []string
	whole := false
	for _, t := range tests {
		file, name, _ := strings.Cut(t.ID, "::")
		if t.ID == "" {
			file, whole = t.File, true
		}
		if filepath.Ext(file) != ".bats" {
			return nil
		}
		name, _, _ = strings.Cut(name, "#") // an ordinal, or a part of the name: it narrows less
		files, names = append(files, file), append(names, regexp.QuoteMeta(name))
	}
	slices.Sort(files)
	slices.Sort(names)
	if !whole {
		out = append(out, "--filter", "^("+strings.Join(slices.Compact(names), "|")+")")
	}
	return append(out, slices.Compact(files)...)
}
