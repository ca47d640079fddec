package python

import (
	"path"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// wordPattern matches what may be the name of a module, wherever it stands: in an
// import, in a string that names one, in what follows an import.
var wordPattern = lazyregexp.New(`\w+`)

// computesPattern matches what imports a module whose name is computed.
var computesPattern = lazyregexp.New(`\b(?:__import__|pkgutil|runpy|iter_entry_points|entry_points|import_module|spec_from_file_location)\b`)

// startsPattern matches what starts programs, which may read anything.
var startsPattern = lazyregexp.New(`\b(?:subprocess|popen|multiprocessing|sys\.executable|testdir|pytester|os\.(?:system|exec\w+|spawn\w+))\b`)

// uses says what the files of a project use: the modules whose names they hold, the
// packages that they lie in, and conftest.py beside and above tests.
func uses(p testrun.Sources) testrun.Uses {
	modules, rules := modulesOf(p.Paths), testrun.Language{Rules: Language().Rules}
	out := testrun.Uses{}
	for _, name := range p.Paths {
		kind := rules.Kind(name)
		if path.Ext(name) != ".py" || kind == gates.KindConfig {
			continue
		}
		text := p.Read(name)
		folder := testrun.Folder{Dir: path.Dir(name)}
		out.Add(name, folder.Up([]string{"__init__.py"})...)
		for _, word := range wordPattern().FindAllString(text, -1) {
			out.Add(name, modules[word]...)
		}
		if kind != gates.KindSource {
			out.Add(name, folder.Up([]string{"conftest.py"})...)
		}
		if computesPattern.MatchString(text) || kind != gates.KindSource && startsPattern.MatchString(text) {
			out.Add(name, testrun.Anything)
		}
	}
	return out
}

// modulesOf lists the files of the modules of each name, a package's name that of its
// first one.
func modulesOf(paths []string) map[string][]string {
	out := map[string][]string{}
	for _, name := range paths {
		if path.Ext(name) != ".py" {
			continue
		}
		module := strings.TrimSuffix(path.Base(name), ".py")
		if module == "__init__" {
			module = path.Base(path.Dir(name))
		}
		out[module] = append(out[module], name)
	}
	return out
}

// narrow is a call of pytest or unittest for a few tests only.
func narrow(argv []string, tests []gates.Test) []string {
	at := slices.IndexFunc(argv, func(word string) bool {
		return slices.Contains([]string{"pytest", "py.test", "unittest"}, output.Program(word))
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
	return append(out, slices.Compact(slices.Sorted(slices.Values(nodes)))...)
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
