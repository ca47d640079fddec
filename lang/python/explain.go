package python

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/internal/wholefile"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/journal"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// explainer says what an exception means. The same words mean one thing in a test
// and another in production code: a name that a test asks for in vain is one that
// nobody has written yet.
type explainer struct{ places *testrun.Places }

// explain finds class and place of an exception.
func (x explainer) explain(e journal.Event) journal.Finding {
	f, at := journal.RaisedAt(x.places, e.Frames, installed)
	if f.File == "" {
		f.File, f.Line = x.places.Relative(e.File), e.Line
	}
	if n := len(e.Frames); n > 0 && strings.HasPrefix(e.Frames[n-1].File, "<doctest ") {
		at = testrun.InTest // an example of a docstring, wherever that stands
	}
	f.Class, f.Symbol = x.class(e, at)
	return f
}

// installed reports whether a file belongs to a virtual environment.
func installed(file string) bool {
	return strings.HasPrefix(file, ".venv/") || strings.HasPrefix(file, "venv/") || strings.Contains(file, "site-packages/")
}

// class is the class of an exception that was raised in somebody's code, and the
// name that it misses.
func (x explainer) class(e journal.Event, at testrun.Place) (gates.Class, string) {
	switch {
	case len(e.Kinds) == 0:
		return textClass(e.Text), ""
	case e.Is("FixtureLookupError"):
		return gates.ClassCompile, "" // a fixture is the tests' own: no implementor can add it
	case e.Is("Failed") && strings.HasPrefix(e.Message, "async def functions are not natively supported"):
		return gates.ClassInfra, "" // the plugin that would run it is not installed
	case e.Is("AssertionError", "Failed", "DocTestFailure"):
		return expectationClass(e, at), ""
	case e.Is("NotImplementedError"), e.Kinds[0] == "Exception" && output.SaysUnimplemented(e.Message), e.Kinds[0] == "RuntimeError" && output.SaysUnimplemented(e.Message):
		return gates.ClassUnimplemented, ""
	case e.Is("SyntaxError"), strings.Contains(e.Message, "source code string cannot contain null bytes"):
		return gates.ClassSyntax, ""
	case e.Is("ImportError"):
		return x.importClass(e, at)
	case at == testrun.InTest && e.Is("NameError", "AttributeError", "TypeError"):
		return missingName(e.Message)
	}
	return gates.ClassException, ""
}

// expectationClass tells a test's expectation from an assert of production code,
// and from a time limit.
func expectationClass(e journal.Event, at testrun.Place) gates.Class {
	switch {
	case strings.HasPrefix(e.Message, "Timeout") && strings.Contains(e.Message, "pytest-timeout"):
		return gates.ClassTimeout
	case at == testrun.InSource && e.Kinds[0] != "Failed":
		return gates.ClassException
	}
	return gates.ClassAssertion
}

// textClass is the class of a failure of which nothing is known but the text, as
// where the report came from another process.
func textClass(text string) gates.Class {
	switch {
	case strings.Contains(text, "NotImplementedError"):
		return gates.ClassUnimplemented
	case strings.Contains(text, "AssertionError"), strings.Contains(text, "\nE       assert "), strings.Contains("\n"+text, "\n[XPASS(strict)]"):
		return gates.ClassAssertion
	}
	return gates.ClassException
}

var (
	builtinPattern     = lazyregexp.New(`^'(NoneType|int|str|float|bool|list|dict|tuple|set|bytes|function|method|generator|coroutine)' object`)
	missingNamePattern = lazyregexp.New(`^name '([^']+)' is not defined` +
		`|has no attribute '([^']+)'` +
		`|^(?:[\w.<>]+\.)?(\w+)\(\) (?:got an unexpected keyword|got multiple values|takes|missing)`)
)

// missingName finds the name that a test asked for in vain.
func missingName(message string) (gates.Class, string) {
	hit := missingNamePattern().FindStringSubmatch(message)
	if hit == nil || builtinPattern.MatchString(message) {
		return gates.ClassException, ""
	}
	return gates.ClassMissingSymbol, cmp.Or(hit[1:]...)
}

var missingImportPattern = lazyregexp.New(`^cannot import name '([^']+)' from (?:partially initialized module )?'([^']*)'`)

// importClass is the class of an import that failed, and the name that it misses.
// What production code misses was not asked for by a test.
func (x explainer) importClass(e journal.Event, at testrun.Place) (gates.Class, string) {
	class, symbol := gates.ClassInfra, ""
	if hit := missingImportPattern().FindStringSubmatch(e.Message); hit != nil {
		class, symbol = gates.ClassCompile, hit[1]
		if x.own(hit[2]) {
			class = gates.ClassMissingSymbol
		}
	} else if e.Name != "" && !x.foreign(e.Name) && // nor there, where Python looks only once the project is installed
		!x.places.HasAny([]string{"src", "lib"}, path.Join(e.Name, "__init__.py"), e.Name+".py") {
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
func (x explainer) own(module string) bool {
	top, _, _ := strings.Cut(module, ".")
	return x.places.HasAny([]string{"", "src", "lib", "tests", "test"}, top, top+".py")
}

// foreign reports whether a module that is missing is a library's. Python does
// not say, so the tree and its manifests must.
func (x explainer) foreign(module string) bool {
	top, _, _ := strings.Cut(module, ".")
	if x.own(module) {
		return false
	}
	known := []string{
		"pytest", "hypothesis", "numpy", "pandas", "scipy", "requests", "httpx", "yaml", "attr", "attrs", "mock", "parameterized",
		"freezegun", "responses", "django", "flask", "fastapi", "pydantic", "sqlalchemy", "matplotlib", "sklearn", "torch", "hamcrest",
	}
	plain := func(name string) string { return strings.ToLower(strings.ReplaceAll(name, "-", "_")) }
	return slices.Contains(known, top) || strings.HasPrefix(top, "pytest_") || slices.Contains(required(x.places.Dir), plain(top))
}

var (
	packageNamePattern  = lazyregexp.New(`(?:^|["'])\s*([A-Za-z][\w.-]*)`)
	dependenciesPattern = lazyregexp.New(`dependenc|requires|packages\]`)
)

// required lists the libraries that a project's manifests name, as far as
// their lines can tell.
func required(dir string) []string {
	var out []string
	for _, name := range []string{"pyproject.toml", "setup.cfg", "setup.py", "Pipfile", "requirements.txt", "requirements-dev.txt"} {
		raw, _ := wholefile.Read(filepath.Join(dir, name)) // no such file names nothing
		inside := strings.HasPrefix(name, "requirements")
		for line := range strings.Lines(string(raw)) {
			line = strings.TrimSpace(line)
			header := strings.HasPrefix(line, "[")
			inside = dependenciesPattern.MatchString(line) || inside && !header && (name != "pyproject.toml" || !strings.HasPrefix(line, "]"))
			if !inside || header {
				continue
			}
			for _, hit := range packageNamePattern().FindAllStringSubmatch(line, -1) {
				out = append(out, strings.ToLower(strings.ReplaceAll(hit[1], "-", "_")))
			}
		}
	}
	return out
}
