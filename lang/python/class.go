package python

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/journal"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// raised says what an exception means. The same words mean another thing
// in a test than in production code: a name that a test misses is one that is
// not written yet.
type raised struct{ places *testrun.Places }

// explain finds class and place of an exception.
func (p raised) explain(e journal.Event) journal.Finding {
	f, at := journal.RaisedAt(p.places, e.Frames, func(name string) string {
		if file := p.places.Relative(name); !installed(file) {
			return file
		}
		return ""
	})
	if f.File == "" {
		f.File, f.Line = p.places.Relative(e.File), e.Line
	}
	f.Class, f.Symbol = p.class(e, at)
	return f
}

// installed reports whether a file is one of an environment that is linked in.
func installed(file string) bool {
	return strings.HasPrefix(file, ".venv/") || strings.HasPrefix(file, "venv/") || strings.Contains(file, "site-packages/")
}

func (p raised) class(e journal.Event, at testrun.Place) (gates.Class, string) {
	is := func(kinds ...string) bool {
		return slices.ContainsFunc(kinds, func(kind string) bool { return slices.Contains(e.Kinds, kind) })
	}
	switch {
	case len(e.Kinds) == 0:
		return pythonWords(e.Text), ""
	case is("FixtureLookupError"):
		return gates.ClassCompile, "" // a fixture is the tests' own: no implementor can add it
	case is("AssertionError", "Failed"):
		return expectation(e, at), ""
	case is("NotImplementedError"), e.Kinds[0] == "Exception" && output.SaysUnimplemented(e.Message), e.Kinds[0] == "RuntimeError" && output.SaysUnimplemented(e.Message):
		return gates.ClassUnimplemented, ""
	case is("SyntaxError"), e.Kinds[0] == "ValueError" && strings.Contains(e.Message, "source code string cannot contain null bytes"):
		return gates.ClassSyntax, ""
	case is("ImportError"):
		return p.imported(e, at)
	case at == testrun.InTest && is("NameError", "AttributeError", "TypeError"):
		return missing(e.Message)
	}
	return gates.ClassException, ""
}

// expectation tells a test's expectation from an assert of production code,
// and from a time limit.
func expectation(e journal.Event, at testrun.Place) gates.Class {
	switch {
	case strings.HasPrefix(e.Message, "Timeout") && strings.Contains(e.Message, "pytest-timeout"):
		return gates.ClassTimeout
	case at == testrun.InSource && e.Kinds[0] != "Failed":
		return gates.ClassException
	}
	return gates.ClassAssertion
}

// pythonWords is the class of a failure of which only the text is known, as of
// a report that came from another process.
func pythonWords(text string) gates.Class {
	switch {
	case strings.Contains(text, "NotImplementedError"):
		return gates.ClassUnimplemented
	case strings.Contains(text, "AssertionError"), strings.Contains(text, "\nE       assert "), strings.Contains("\n"+text, "\n[XPASS(strict)]"):
		return gates.ClassAssertion
	}
	return gates.ClassException
}

// missing finds the name that a test asked for in vain.
func missing(message string) (gates.Class, string) {
	builtin := regexp.MustCompile(`^'(NoneType|int|str|float|bool|list|dict|tuple|set|bytes|function|method|generator|coroutine)' object`)
	if builtin.MatchString(message) {
		return gates.ClassException, ""
	}
	for _, re := range []string{
		`^name '([^']+)' is not defined`,
		`has no attribute '([^']+)'`,
		`^(?:[\w.<>]+\.)?(\w+)\(\) (?:got an unexpected keyword|got multiple values|takes|missing)`,
		`^(\w+)\(\) takes no arguments`,
	} {
		if hit := regexp.MustCompile(re).FindStringSubmatch(message); hit != nil {
			return gates.ClassMissingSymbol, hit[1]
		}
	}
	return gates.ClassException, ""
}

// imported is the class of an import that failed. What production code misses
// was not asked for by a test.
func (p raised) imported(e journal.Event, at testrun.Place) (gates.Class, string) {
	class, symbol := gates.ClassInfra, ""
	if hit := regexp.MustCompile(`^cannot import name '([^']+)' from (?:partially initialized module )?'([^']*)'`).FindStringSubmatch(e.Message); hit != nil {
		class, symbol = gates.ClassCompile, hit[1]
		if p.own(hit[2]) {
			class = gates.ClassMissingSymbol
		}
	} else if e.Name != "" && !p.foreign(e.Name) {
		class, symbol = gates.ClassMissingSymbol, e.Name[strings.LastIndexByte(e.Name, '.')+1:]
	}
	switch {
	case class == gates.ClassInfra:
		return class, ""
	case class == gates.ClassCompile, at != testrun.InTest, strings.Contains(e.Message, "circular import"):
		return gates.ClassCompile, ""
	}
	return class, symbol
}

// own reports whether the project has the module.
func (p raised) own(module string) bool {
	top, _, _ := strings.Cut(module, ".")
	for _, root := range []string{"", "src", "lib", "tests", "test"} {
		for _, name := range []string{top, top + ".py"} {
			if p.places.Relative(path.Join(root, name)) != "" {
				return true
			}
		}
	}
	return false
}

// foreign reports whether a module that is missing is a library's. Python does
// not say, so the tree and its manifests must.
func (p raised) foreign(module string) bool {
	top, _, _ := strings.Cut(module, ".")
	if p.own(module) {
		return false
	}
	known := []string{
		"pytest", "hypothesis", "numpy", "pandas", "scipy", "requests", "httpx", "yaml", "attr", "attrs", "mock", "parameterized",
		"freezegun", "responses", "django", "flask", "fastapi", "pydantic", "sqlalchemy", "matplotlib", "sklearn", "torch", "hamcrest",
	}
	plain := func(name string) string { return strings.ToLower(strings.ReplaceAll(name, "-", "_")) }
	return slices.Contains(known, top) || strings.HasPrefix(top, "pytest_") || slices.Contains(required(p.places.Dir), plain(top))
}

// required lists the libraries that a project's manifests name, as far as
// their lines can tell.
func required(dir string) []string {
	word := regexp.MustCompile(`(?:^|["'])\s*([A-Za-z][\w.-]*)`)
	var out []string
	for _, name := range []string{"pyproject.toml", "setup.cfg", "setup.py", "Pipfile", "requirements.txt", "requirements-dev.txt"} {
		raw, _ := os.ReadFile(filepath.Join(dir, name)) // no such file names nothing
		inside := strings.HasPrefix(name, "requirements")
		for line := range strings.Lines(string(raw)) {
			trimmed := strings.TrimSpace(line)
			header := strings.HasPrefix(trimmed, "[")
			opens := regexp.MustCompile(`dependenc|requires|packages\]`).MatchString(trimmed)
			switch {
			case opens:
				inside = true
			case header, strings.HasPrefix(trimmed, "]") && name == "pyproject.toml":
				inside = false
			}
			if !inside || header {
				continue
			}
			for _, hit := range word.FindAllStringSubmatch(trimmed, -1) {
				out = append(out, strings.ToLower(strings.ReplaceAll(hit[1], "-", "_")))
			}
		}
	}
	return out
}
