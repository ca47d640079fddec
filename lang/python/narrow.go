package python

import (
	"path"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

// narrow is a call of pytest or unittest for a few tests only.
func narrow(argv []string, tests []gates.Test) []string {
	at := slices.IndexFunc(argv, func(word string) bool {
		return slices.Contains([]string{"pytest", "py.test", "unittest"}, strings.TrimSuffix(path.Base(word), ".exe"))
	})
	switch {
	case at < 0 || len(tests) == 0 || slices.ContainsFunc(argv[at+1:], func(word string) bool { return strings.ContainsAny(word, "\n") }):
		return nil
	case argv[at] == "unittest":
		return narrowUnittest(argv, at, tests)
	}
	return narrowPytest(argv, at, tests)
}

// narrowPytest names tests by their node ids, without parameters, in the place of
// the files and folders that the command names.
func narrowPytest(argv []string, at int, tests []gates.Test) []string {
	var nodes []string
	for _, t := range tests {
		node, _, _ := strings.Cut(t.ID, "[")
		if t.ID == "" {
			node = t.File
		}
		if t.File == "" || t.ID != "" && !strings.HasPrefix(node, t.File+"::") {
			return nil
		}
		nodes = append(nodes, node)
	}
	out := slices.Clone(argv[:at+1])
	for i := at + 1; i < len(argv); i++ {
		arg := argv[i]
		switch {
		case slices.Contains([]string{"-k", "-m", "-n", "-p", "-o", "-c", "-W", "-r"}, arg) && i+1 < len(argv):
			out = append(out, arg, argv[i+1])
			i++
		case strings.HasPrefix(arg, "-"):
			out = append(out, arg)
		case !slices.ContainsFunc(tests, func(t gates.Test) bool { return !within(t.File, arg) }):
		default:
			return nil // the value of an option, or not all that is tested
		}
	}
	slices.Sort(nodes)
	return append(out, slices.Compact(nodes)...)
}

// within reports whether a file is, or lies in, what an argument names.
func within(file, arg string) bool {
	arg = path.Clean(arg)
	return arg == "." || file == arg || strings.HasPrefix(file, arg+"/")
}

// narrowUnittest picks tests by class and method, among all that the command finds.
func narrowUnittest(argv []string, at int, tests []gates.Test) []string {
	if at == 0 || argv[at-1] != "-m" || slices.Contains(argv, "-k") {
		return nil
	}
	out := slices.Clone(argv)
	for _, t := range tests {
		name, found := strings.CutPrefix(t.ID, t.File+"::")
		if !found || t.File == "" || strings.ContainsAny(name, "[*?+") {
			return nil
		}
		out = append(out, "-k", "*."+strings.ReplaceAll(name, "::", "."))
	}
	return out
}
