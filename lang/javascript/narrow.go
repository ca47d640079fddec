package javascript

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

// narrow is a command that runs only the files of a few tests. What npm runs is not
// known here, and is left alone.
func narrow(argv []string, tests []gates.Test) []string {
	at := slices.IndexFunc(argv, func(arg string) bool {
		return slices.Contains([]string{"node", "vitest", "jest"}, strings.TrimSuffix(filepath.Base(arg), ".cmd"))
	})
	if at < 0 || at > 0 && !slices.Contains([]string{"npx", "pnpm", "yarn", "bunx"}, filepath.Base(argv[0])) {
		return nil
	}
	files := filesOf(tests)
	if len(files) == 0 || files[0] == "" {
		return nil
	}
	runner, options := strings.TrimSuffix(filepath.Base(argv[at]), ".cmd"), argv[at+1:]
	head := slices.Clone(argv[:at+1])
	switch runner {
	case "node":
		if !slices.Contains(options, "--test") {
			return nil
		}
	case "vitest":
		if len(options) == 0 || options[0] != "run" {
			return nil
		}
		head, options = append(head, "run"), options[1:]
	case "jest":
		head = append(head, "--runTestsByPath")
	}
	kept, known := withoutFiles(options)
	if !known {
		return nil
	}
	return slices.Concat(head, kept, files)
}

// withoutFiles keeps the options of a command. known is false where a word might be
// the value of one.
func withoutFiles(options []string) (kept []string, known bool) {
	for i, arg := range options {
		switch {
		case strings.HasPrefix(arg, "-"), i > 0 && valued(options[i-1]):
			kept = append(kept, arg)
		case i > 0 && strings.HasPrefix(options[i-1], "-") && options[i-1] != "--test" && !strings.ContainsAny(arg, "./*"):
			return nil, false
		}
	}
	return kept, true
}

// filesOf lists the files that hold some tests.
func filesOf(tests []gates.Test) []string {
	var files []string
	for _, t := range tests {
		files = append(files, t.File)
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// valued reports whether an option takes the next argument as its value.
func valued(option string) bool {
	return slices.Contains(strings.Fields(`--import --require -r --loader --experimental-loader --env-file --conditions -C
		--test-concurrency --test-timeout --config -c --project --environment --pool`), option)
}
