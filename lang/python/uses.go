package python

import (
	"path"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
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
		out.Add(name, above(name, "__init__.py")...)
		for _, word := range wordPattern.FindAllString(text, -1) {
			out.Add(name, modules[word]...)
		}
		if kind != gates.KindSource {
			out.Add(name, above(name, "conftest.py")...)
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

// above lists the paths of a name in the folder of a file and in those above.
func above(file, name string) []string {
	var out []string
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		out = append(out, path.Join(dir, name))
		if dir == "." {
			return out
		}
	}
}
