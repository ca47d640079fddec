package testrun_test

import (
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/testrun"
)

// files are the sources of a project, from a text in which a line "-- NAME --" stands
// before each.
func files(text string) testrun.Sources {
	all := map[string]string{}
	name := ""
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, "-- "); ok {
			name = strings.TrimSuffix(strings.TrimSpace(rest), " --")
			all[name] = ""
		} else {
			all[name] += line
		}
	}
	delete(all, "")
	for name := range all {
		switch {
		case strings.HasSuffix(name, "_test.go"):
			all[name] += "func TestIt(t *testing.T) {}\n"
		case strings.HasPrefix(path.Base(name), "test_"):
			all[name] += "def test_it(): pass\n"
		case strings.HasSuffix(name, ".test.js"):
			all[name] += "test('it', () => {})\n"
		}
	}
	return testrun.Sources{Paths: slices.Sorted(maps.Keys(all)), Read: func(p string) string { return all[p] }}
}

// What a change can have an effect on follows from what files use; what is not
// understood can have one on everything.
func TestImpact(t *testing.T) {
	t.Parallel()
	const everything = "?"
	for name, c := range map[string]struct {
		lang, project string
		want          map[string]string // the files of tests, by what changed
	}{
		"Go": {"go", `-- go.mod --
module example.com/m
-- README.md --
-- root.go --
package m
import _ "embed"
//go:embed c/testdata/told.txt
var told string
-- root_test.go --
package m
-- a/a.go --
package a
-- a/a_test.go --
package a
-- a/more_test.go --
package a
-- a/testdata/x.json --
-- a/data/y.json --
-- b/b.go --
package b
import "example.com/m/a"
-- b/b_test.go --
package b_test
import . "example.com/m/b"
-- c/c.go --
package c
-- c/c_test.go --
package c
var dir = filepath.Join("..", "shared")
-- c/testdata/told.txt --
-- d/d_test.go --
package d
var golden = "../shared/*.golden"
-- shared/one.golden --
-- e/e_test.go --
package e
var _ = exec.Command("go", "build", "./...")
-- vendor/x.org/y/y.go --
package y
-- tools/go.mod --
module example.com/m/tools
-- tools/t.go --
package t
`, map[string]string{
			"a/a.go":              "a/a_test.go a/more_test.go b/b_test.go c/c_test.go e/e_test.go",
			"a/more_test.go":      "a/a_test.go a/more_test.go c/c_test.go e/e_test.go",
			"a/testdata/x.json":   "a/a_test.go a/more_test.go c/c_test.go e/e_test.go",
			"a/data/y.json":       "a/a_test.go a/more_test.go b/b_test.go c/c_test.go e/e_test.go",
			"b/b.go":              "b/b_test.go c/c_test.go e/e_test.go",
			"c/testdata/told.txt": "c/c_test.go e/e_test.go root_test.go",
			"shared/one.golden":   "c/c_test.go d/d_test.go e/e_test.go root_test.go",
			"go.mod":              everything,
			"vendor/x.org/y/y.go": everything,
			"tools/t.go":          everything,
			"new/z.go":            everything,
		}},
		"Python": {"python", `-- pyproject.toml --
-- shop/__init__.py --
-- shop/cart.py --
from .money import add
-- shop/money.py --
-- shop/lonely.py --
-- tests/conftest.py --
from shop import cart
-- tests/test_cart.py --
-- tests/data.json --
-- tests/unit/conftest.py --
-- tests/unit/test_money.py --
from shop import (
    money,
)
-- tests/test_start.py --
import subprocess
-- test_free.py --
-- test_patch.py --
name = "shop.lonely.f"
-- plugins.py --
import importlib
importlib.import_module(name)
-- test_plugins.py --
import plugins
`, map[string]string{
			"shop/money.py":          "test_plugins.py tests/test_cart.py tests/test_start.py tests/unit/test_money.py",
			"shop/__init__.py":       "test_patch.py test_plugins.py tests/test_cart.py tests/test_start.py tests/unit/test_money.py",
			"shop/lonely.py":         "test_patch.py test_plugins.py tests/test_start.py",
			"tests/conftest.py":      "test_plugins.py tests/test_cart.py tests/test_start.py tests/unit/test_money.py",
			"tests/unit/conftest.py": "test_plugins.py tests/test_start.py tests/unit/test_money.py",
			"test_free.py":           "test_free.py test_plugins.py tests/test_start.py",
			"tests/data.json":        everything,
			"pyproject.toml":         everything,
		}},
		"JavaScript": {"javascript", `-- package.json --
{"name": "shop", "devDependencies": {"vitest": "1"}, "dependencies": {"@scope/x": "1"}}
-- package-lock.json --
-- vitest.config.js --
export default { test: { setupFiles: ["test/setup.js"], include: ["test/**/*.test.js"] } }
-- src/cart.js --
import { add } from "./money.js"
import x from "@scope/x/deep"
-- src/money.ts --
export * from "./shapes"
-- src/shapes/index.ts --
-- src/lonely.js --
-- test/setup.js --
-- test/cart.test.js --
import { describe } from "vitest"
import { cart } from "../src/cart.js"
-- test/money.test.js --
const { add } = require("../src/money")
-- test/__snapshots__/money.test.js.snap --
-- test/own.test.js --
import { cart } from "shop"
-- test/start.test.js --
import { spawn } from "node:child_process"
-- test/many.test.js --
for (const name of names) await import(` + "`../src/pages/${name}.js`" + `)
-- src/pages/one.js --
`, map[string]string{
			"test/cart.test.js":                     "test/cart.test.js test/own.test.js test/start.test.js",
			"src/cart.js":                           "test/cart.test.js test/own.test.js test/start.test.js",
			"src/shapes/index.ts":                   "test/cart.test.js test/money.test.js test/own.test.js test/start.test.js",
			"src/pages/one.js":                      "test/many.test.js test/own.test.js test/start.test.js",
			"test/setup.js":                         "test/cart.test.js test/many.test.js test/money.test.js test/own.test.js test/start.test.js",
			"test/__snapshots__/money.test.js.snap": "test/money.test.js test/own.test.js test/start.test.js",
			"src/lonely.js":                         everything,
			"package-lock.json":                     everything,
		}},
		"Rust": {"rust", "-- Cargo.toml --\n-- src/lib.rs --\n", map[string]string{"src/lib.rs": everything}},
	} {
		l, err := lang.All().ByName(c.lang)
		gittest.Check(t, err)
		for changed, want := range c.want {
			t.Run(name+" "+changed, func(t *testing.T) {
				t.Parallel()
				got, known := l.Impact(files(c.project), files(c.project), []string{changed})
				text := strings.Join(got.Tests, " ")
				if !known {
					text = everything
				}
				if text != want {
					t.Errorf("got  %s\nwant %s", text, want)
				}
			})
		}
	}
}
