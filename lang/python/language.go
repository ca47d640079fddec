package python

import (
	"embed"
	"slices"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/coverage"
	"github.com/git-tdd/git-tdd/testrun/scaffold"
)

// files are what writes the journal from inside each runner, and an empty project.
//
//go:embed reporters all:scaffold
var files embed.FS

// Language is Python with pytest, or with unittest where the test command
// says so.
func Language() testrun.Language {
	return testrun.Language{
		Name:        "python",
		Markers:     []string{"pyproject.toml", "setup.py", "setup.cfg", "pytest.ini", "tox.ini", "Pipfile", "requirements.txt", "conftest.py"},
		TestMarkers: []string{"conftest.py"},
		Flat:        []string{"**/test_*.py", "**/*_test.py"},
		Covers: func(p testrun.Sources, dir string) bool {
			return !p.Has(dir+"/pyproject.toml", dir+"/setup.py", dir+"/setup.cfg")
		},
		Defaults:     testrun.Commands{Test: []string{"python3", "-m", "pytest"}},
		Tools:        [][]string{{"python3", "--version"}},
		VersionFiles: []string{".python-version", "uv.lock", "poetry.lock", "requirements.txt"},
		Link:         []string{".venv", "venv"},
		Rules: slices.Concat(testrun.Shadows(".py", "pytest", "_pytest", "unittest", "pluggy", "coverage", "doctest"), testrun.Rules(
			testrun.PathRules(gates.KindSupport, "**/conftest.py", "**/__pycache__/**"),
			testrun.PathRules(gates.KindConfig,
				"**/pyproject.toml", "**/setup.{py,cfg}", "**/{,.}pytest.{ini,toml}", "**/tox.ini", "**/Pipfile*", "**/noxfile.py",
				"**/requirements*.txt", "**/*.lock", "**/.python-version", "**/{,.}ruff.toml", "**/mypy.ini", "**/.coveragerc",
				"**/{sitecustomize,usercustomize}.py", "**/*.pth"),
			testrun.PathRules(gates.KindTest, "**/test_*.py", "**/*_test.py", "**/tests.py"),
			testrun.PathRules(gates.KindSupport, "**/tests/**", "**/test/**"),
			testrun.PathRules(gates.KindSource, "**/*.{py,pyi,pyx,pxd,c,cpp,h}"),
		)),
		Idiom:    `a test is a function test_name with a bare assert, or a method of a unittest.TestCase where the project has those; import a name that does not exist yet inside the test, so that the other tests of the file still run; pytest.raises(ValueError) for an error.`,
		Stub:     `raise NotImplementedError`,
		Raises:   "raises an exception",
		Scaffold: scaffold.Template{Files: files, Root: "scaffold", Join: "_"},
		Installation: testrun.Installation{
			Inherits: []string{"VIRTUAL_ENV", "PYENV_ROOT", "PYENV_VERSION"},
			Records:  []string{"lib/python*/site-packages", "Lib/site-packages", "pyvenv.cfg"},
			Below:    []string{"lib/python*", "lib64/python*", "Lib"}, Packages: []string{"site-packages", "dist-packages"},
			Activate: activate, Active: testrun.FoldersOf("$VIRTUAL_ENV"), LeadsBack: leadsBack, Copied: copied, Compiled: []string{"*.so", "*.pyd"}, Compiles: []string{".venv/bin/python", "setup.py", "build_ext", "--inplace"},
			Sees: testrun.FoldersOf("$VIRTUAL_ENV", "$PYENV_ROOT", "~/.pyenv", "~/.local/lib", "~/.local/share/uv", "~/.local/share/virtualenvs", "~/.cache/pypoetry/virtualenvs", "~/.local/share/hatch/env", "~/.local/share/pdm/venvs"),
		},
		Awareness: testrun.Awareness{
			Asks:    lazyregexp.New(`\bsys\.(?:modules|_getframe|settrace|setprofile|meta_path)\b|\binspect\.(?:stack|currentframe|getouterframes|trace)\b|\btraceback\.(?:extract_stack|walk_stack|print_stack)\b|^\s*(?:import|from)\s+(?:pytest|_pytest|unittest|nose|hypothesis|doctest|coverage)\b|\b(?:builtins|__builtins__)(?:\.\w+|\[[^]]*\])\s*=|\bsetattr\(\s*(?:builtins|__builtins__|unittest|pytest)\b|\bgc\.get_(?:objects|referrers)\b|\bos\.(?:_exit|abort|kill|getppid)\b`),
			Helps:   lazyregexp.New(`(?m)^(?:import|from)\s+(?:pytest|_pytest|unittest|nose|hypothesis)\b`),
			Leaves:  lazyregexp.New(`\bsys\.(?:argv|exit|orig_argv)\b|\b(?:quit|exit)\(|\braise\s+SystemExit\b`),
			Program: lazyregexp.New(`(?m)^if\s+__name__\s*==|^#!|\bargparse\b|\bdef main\(`),
		},
		Syntax: testrun.Syntax{Declared: page().Declared, Assertions: page().Assertions, Checks: page().Checks, Mutants: page().Mutants, Near: page().Near, Code: code, Docs: &syntax.Documenting{Block: docstringPattern, Example: ">>>", Item: itemPattern, Behind: true}},
		Narrow: narrow,
		Uses:   uses,
		Test:   readTest,
		Cover: testrun.CoverByReporter(coverage.Reasons{ // it starts coverage.py in each process of the tests
			Missing: "coverage.py is not installed for the Python that runs the tests (pip install coverage)",
			Silent:  "for Python it is measured where pytest or unittest runs, and neither did, or not to its end",
		}),
		Installs: []testrun.Install{ // they make an environment with what a project needs
			{Has: []string{"uv.lock"}, Run: `uv sync`},
			{Has: []string{"poetry.lock"}, Run: `poetry config virtualenvs.in-project true --local && poetry install`},
			{Has: []string{"pdm.lock"}, Run: `pdm install`},
			{Has: []string{"Pipfile"}, Run: `PIPENV_VENV_IN_PROJECT=1 pipenv install --dev`},
			{Has: []string{"requirements-dev.txt"}, Run: `python3 -m venv .venv && .venv/bin/pip install pytest -r requirements-dev.txt`},
			{Has: []string{"pyproject.toml"}, Run: `python3 -m venv .venv && .venv/bin/pip install pytest -e .`},
			{Has: []string{"setup.py"}, Run: `python3 -m venv .venv && .venv/bin/pip install pytest -e .`},
			{Has: []string{"requirements.txt"}, Run: `python3 -m venv .venv && .venv/bin/pip install pytest -r requirements.txt`},
			{Run: `python3 -m venv .venv && .venv/bin/pip install pytest`},
		},
	}
}
