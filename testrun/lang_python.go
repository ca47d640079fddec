package testrun

import (
	"slices"

	"github.com/git-tdd/git-tdd/gates"
)

// pythonLanguage is Python with pytest, or with unittest where the test command
// says so.
func pythonLanguage() Language {
	return Language{
		Name: "python",
		Markers: []string{
			"pyproject.toml", "setup.py", "setup.cfg", "pytest.ini", "tox.ini", "Pipfile", "requirements.txt", "conftest.py",
		},
		Defaults:     Commands{Test: []string{"python3", "-m", "pytest"}},
		Tools:        [][]string{{"python3", "--version"}},
		VersionFiles: []string{".python-version", "uv.lock", "poetry.lock", "requirements.txt"},
		Link:         []string{".venv", "venv"},
		Rules: slices.Concat(
			sharedSupport(),
			rules(gates.KindSupport, "**/conftest.py", "**/__pycache__/**"),
			rules(gates.KindConfig,
				"**/pyproject.toml", "**/setup.{py,cfg}", "**/{,.}pytest.{ini,toml}", "**/tox.ini", "**/Pipfile*", "**/noxfile.py",
				"**/requirements*.txt", "**/*.lock", "**/.python-version", "**/{,.}ruff.toml", "**/mypy.ini", "**/.coveragerc",
				"**/{sitecustomize,usercustomize}.py", "**/*.pth", "**/Makefile"),
			rules(gates.KindTest, "**/test_*.py", "**/*_test.py", "**/tests.py"),
			rules(gates.KindSupport, "**/tests/**", "**/test/**"),
			rules(gates.KindSource, "**/*.{py,pyi,pyx,pxd,c,cpp,h}"),
			sharedOther(),
		),
		syntax: syntax{declared: pyDeclared, assertions: pyAssertions},
		test:   readPythonTest,
		cover:  coverPython,
	}
}
