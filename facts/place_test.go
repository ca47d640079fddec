package facts

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/envvar"
	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/sandbox"
	"github.com/git-tdd/git-tdd/testrun"
)

// placing skips a test where commands cannot find the workbench in the project's place.
func placing(tb testing.TB) {
	tb.Helper()
	if !sandbox.Mounts(tb.Context(), tb.TempDir()) {
		tb.Skip("the system lets nobody mount here")
	}
}

// in runs a program in the working tree.
func (l *lab) in(dir, program string, args ...string) {
	l.Helper()
	cmd := exec.CommandContext(l.Context(), program, args...)
	cmd.Dir, cmd.Env = filepath.Join(l.Dir, dir), l.Env
	if out, err := cmd.CombinedOutput(); err != nil {
		l.Skipf("%s %s: %v\n%s", program, strings.Join(args, " "), err, out)
	}
}

// pointing is a kind of project whose dependencies lead back to the working tree.
type pointing struct {
	language, source string
	right, wrong     string // contents of the source
	files            files
	test             []string
	install          func(l *lab)
}

func pointingProjects() map[string]pointing {
	return map[string]pointing{
		"editable install": {
			language: "python", source: "src/calc/__init__.py", right: "def add(a, b): return a + b\n", wrong: "def add(a, b): return a - b\n",
			files: files{
				"pyproject.toml":     "[project]\nname = \"calc\"\nversion = \"1\"\n\n[build-system]\nrequires = []\nbuild-backend = \"setuptools.build_meta\"\n",
				"tests/test_calc.py": "import unittest\nimport calc\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(calc.add(1, 2), 3)\n",
			},
			test: []string{"python3", "-m", "unittest", "discover", "-s", "tests"},
			install: func(l *lab) {
				l.in(".", "python3", "-m", "venv", "--without-pip", ".venv")
				found, err := filepath.Glob(filepath.Join(l.Dir, ".venv/lib/python3*/site-packages"))
				if err != nil || len(found) != 1 {
					l.Fatal(found, err)
				}
				// What `pip install -e .` writes.
				gittest.Check(l, os.WriteFile(filepath.Join(found[0], "__editable__.calc-1.pth"), []byte(filepath.Join(l.Dir, "src")+"\n"), 0o600))
			},
		},
		"Composer": {
			language: "php", source: "src/Calc.php", right: "<?php\nnamespace App;\nclass Calc { static function add($a, $b) { return $a + $b; } }\n", wrong: "<?php\nnamespace App;\nclass Calc { static function add($a, $b) { return $a - $b; } }\n",
			files: files{
				"composer.json": `{"name": "a/b", "autoload": {"psr-4": {"App\\": "src/"}}}`,
				"test.php":      "<?php\nrequire __DIR__ . '/vendor/autoload.php';\nrequire_once __DIR__ . '/src/Calc.php';\nexit(App\\Calc::add(1, 2) === 3 ? 0 : 1);\n",
			},
			test: []string{"php", "test.php"},
			install: func(l *lab) {
				// What Composer writes: the folder of the project, seen from vendor.
				files{
					"vendor/autoload.php":               "<?php\nrequire_once dirname(__DIR__) . '/src/Calc.php';\n",
					"vendor/composer/autoload_psr4.php": "<?php\n$vendorDir = dirname(__DIR__);\n$baseDir = dirname($vendorDir);\nreturn array('App\\\\' => array($baseDir . '/src'));\n",
				}.Write(l, l.Dir)
			},
		},
		"npm workspace": {
			language: "javascript", source: "packages/calc/index.js", right: "exports.add = (a, b) => a + b\n", wrong: "exports.add = (a, b) => a - b\n",
			files: files{
				"package.json":               `{"name": "all", "private": true, "workspaces": ["packages/*"]}`,
				"packages/calc/package.json": `{"name": "calc", "version": "1.0.0", "main": "index.js"}`,
				"packages/app/package.json":  `{"name": "app", "version": "1.0.0", "dependencies": {"calc": "1.0.0"}}`,
				"packages/app/app.test.js":   "const test = require('node:test'); const assert = require('node:assert');\ntest('adds', () => assert.strictEqual(require('calc').add(1, 2), 3))\n",
			},
			test:    []string{"node", "--test"},
			install: func(l *lab) { l.in(".", "npm", "install", "--offline", "--no-audit", "--no-fund") },
		},
		"pnpm workspace": {
			language: "javascript", source: "packages/calc/index.js", right: "exports.add = (a, b) => a + b\n", wrong: "exports.add = (a, b) => a - b\n",
			files: files{
				"package.json":               `{"name": "all", "private": true}`,
				"packages/calc/package.json": `{"name": "calc", "version": "1.0.0", "main": "index.js"}`,
				"packages/app/package.json":  `{"name": "app", "version": "1.0.0", "dependencies": {"calc": "workspace:*"}}`,
				"packages/app/app.test.js":   "const test = require('node:test'); const assert = require('node:assert');\ntest('adds', () => assert.strictEqual(require('calc').add(1, 2), 3))\n",
			},
			test: []string{"node", "--test"},
			install: func(l *lab) { // what pnpm makes: links in the folder of each part
				gittest.Check(l, os.MkdirAll(filepath.Join(l.Dir, "packages/app/node_modules"), 0o700))
				gittest.Check(l, os.Symlink("../../calc", filepath.Join(l.Dir, "packages/app/node_modules/calc")))
			},
		},
		"pnpm workspace of TypeScript": {
			language: "typescript", source: "packages/calc/index.js", right: "exports.add = (a, b) => a + b\n", wrong: "exports.add = (a, b) => a - b\n",
			files: files{
				"tsconfig.json":              `{}`,
				"package.json":               `{"name": "all", "private": true}`,
				"packages/calc/package.json": `{"name": "calc", "version": "1.0.0", "main": "index.js"}`,
				"packages/app/package.json":  `{"name": "app", "version": "1.0.0", "dependencies": {"calc": "workspace:*"}}`,
				"packages/app/app.test.js":   "const test = require('node:test'); const assert = require('node:assert');\ntest('adds', () => assert.strictEqual(require('calc').add(1, 2), 3))\n",
			},
			test: []string{"node", "--test"},
			install: func(l *lab) { // what pnpm makes: links in the folder of each part
				gittest.Check(l, os.MkdirAll(filepath.Join(l.Dir, "packages/app/node_modules"), 0o700))
				gittest.Check(l, os.Symlink("../../calc", filepath.Join(l.Dir, "packages/app/node_modules/calc")))
			},
		},
	}
}

func (p pointing) tree(l *lab, source string) gitx.ID {
	l.Helper()
	return l.tree(p.files.With(files{p.source: source}))
}

// What is measured is the tree, and not the working tree to which dependencies point
// back: neither is a break missed, nor an honest change refused.
func TestPlace_dependenciesThatPointBack(t *testing.T) {
	t.Parallel()
	placing(t)
	for name, p := range pointingProjects() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gittest.Need(t, p.test[0])
			l := newLab(t)
			p.files.Write(l, l.Dir)
			files{p.source: p.right}.Write(l, l.Dir)
			p.install(l)
			opts := l.shell("")
			opts.Language, opts.Commands = language(l, p.language), testrun.Commands{Test: p.test, Timeout: time.Minute}
			opts.Link = opts.Language.Link
			m := newMeasurer(l, opts)
			before := snapshot(l, l.Dir, ".git")
			if got := of(l, m, p.tree(l, p.wrong)); got.Facts.Outcome != gates.Failed {
				t.Errorf("a break is missed: %+v", got)
			}
			files{p.source: p.wrong}.Write(l, l.Dir)
			if got := of(l, m, p.tree(l, p.right)); got.Facts.Outcome != gates.Passed {
				t.Errorf("what is right is refused: %+v", got)
			}
			files{p.source: p.right}.Write(l, l.Dir)
			delete(before, "/"+p.source)
			after := snapshot(l, l.Dir, ".git")
			delete(after, "/"+p.source)
			if changed := differences(before, after); len(changed) > 0 {
				t.Errorf("the working tree changed: %q", changed)
			}
		})
	}
}

// Where nobody can mount, what would measure the working tree is refused by name, and
// anything else is measured.
func TestPlace_whereNobodyMounts(t *testing.T) { //nolint:paralleltest // in a process of its own
	if sandbox.Mounts(t.Context(), t.TempDir()) {
		withoutNamespaces(t, "TestPlace_whereNobodyMounts")
		return
	}
	for name, p := range pointingProjects() { //nolint:paralleltest // likewise
		t.Run(name, func(t *testing.T) {
			gittest.Need(t, p.test[0])
			l := newLab(t)
			p.files.Write(l, l.Dir)
			files{p.source: p.right}.Write(l, l.Dir)
			p.install(l)
			opts := l.shell("")
			opts.Language, opts.Commands = language(l, p.language), testrun.Commands{Test: p.test, Timeout: time.Minute}
			opts.Languages, opts.Link = lang.All(), opts.Language.Link
			tree := p.tree(l, p.wrong)
			if got, err := newMeasurer(t, opts).Entry(t.Context(), tree); err == nil || !strings.Contains(err.Error(), "leads back to the working tree") {
				t.Errorf("%v: %+v", err, got)
			}
			gittest.Check(t, os.RemoveAll(filepath.Join(l.Dir, opts.Link[0])))
			gittest.Check(t, os.RemoveAll(filepath.Join(l.Dir, "packages")))
			if got, err := newMeasurer(t, opts).Entry(t.Context(), tree); err != nil {
				t.Errorf("%v: %+v", err, got)
			}
		})
	}
}

// withoutNamespaces runs a test again where the system makes no namespaces for anybody.
func withoutNamespaces(t *testing.T, test string) {
	t.Helper()
	own, err := os.Executable()
	gittest.Check(t, err)
	cmd := exec.CommandContext(t.Context(), "unshare", "-Ur", "sh", "-c", `echo 0 >/proc/sys/user/max_user_namespaces && exec "$0" "$@"`, own, "-test.run=^"+test+"$", "-test.v")
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: "+test) {
		t.Errorf("%v\n%s", err, out)
	}
}

// Commands stand in the project's own place, and find no repository there, nor in the
// place of another working tree; what they change in dependencies is lost.
func TestPlace(t *testing.T) {
	t.Parallel()
	placing(t)
	l := newLab(t)
	files{"a": "dirty", "deps/lib": "linked", "untracked": ""}.Write(t, l.Dir)
	l.Git("commit", "-q", "--allow-empty", "-m", "x")
	other, inner := filepath.Join(t.TempDir(), "other"), filepath.Join(l.Dir, "inner")
	l.Git("worktree", "add", "-q", "--detach", other)
	l.Git("worktree", "add", "-q", "--detach", inner)
	opts := l.shell(`test "$PWD" = "` + l.repo.Top + `" && grep -q tree a && grep -q tree ` + other + `/a && ! test -e .git && ! test -e untracked &&
! test -e inner && ! test -e ` + other + `/.git && echo spoiled >deps/lib && echo made >deps/new && ! test -e deps/never && pwd`)
	opts.Link = []string{"deps"}
	m := newMeasurer(t, opts)
	for range 2 {
		got, err := m.Again(t.Context(), l.tree(files{"a": "tree"}))
		gittest.Check(t, err)
		if got.Result.Facts.Outcome != gates.Passed || got.Result.Runs[0].Output != ".\n" {
			t.Errorf("%+v", got.Result)
		}
	}
	if l.Read("deps/lib") != "linked" || l.Read("a") != "dirty" || l.Read("untracked") != "" {
		t.Error("the working tree changed")
	}
	// From a working tree within another one: what lies above it stays to be seen.
	repo, err := gitx.Open(t.Context(), gitx.Options{Dir: inner, Environ: l.Env})
	gittest.Check(t, err)
	defer repo.Close() //nolint:errcheck // only read
	opts = l.shell(`test "$PWD" = "` + inner + `" && grep -q tree a && test -e ../untracked && ! test -e ` + other + `/.git`)
	opts.Repo = repo
	if got := of(t, newMeasurer(t, opts), l.tree(files{"a": "tree"})); got.Facts.Outcome != gates.Passed {
		t.Errorf("%+v", got)
	}
}

// A toolchain within the working tree, which only the environment names, is found.
func TestPlace_toolchainInTheWorkingTree(t *testing.T) {
	t.Parallel()
	placing(t)
	l := newLab(t)
	files{".direnv/tool/bin/tool*": "#!/bin/sh\nexec cat \"${0%/bin/tool}/lib/data\"\n", ".direnv/tool/lib/data": "found", "bin/own*": "#!/bin/sh\necho theirs\n"}.Write(t, l.Dir)
	opts := l.shell("tool && own")
	opts.Environ = append(opts.Environ, "PATH="+l.Dir+"/.direnv/tool/bin:"+l.Dir+"/bin:"+envvar.Get(l.Env, "PATH"))
	if got := of(t, newMeasurer(t, opts), l.tree(files{"bin/own*": "#!/bin/sh\necho tree\n"})); got.Facts.Outcome != gates.Passed || got.Runs[0].Output != "foundtree\n" {
		t.Errorf("%+v", got)
	}
}
