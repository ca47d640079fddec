package lang_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/testrun/projecttest"
)

// Tools name files by their real paths; the workbench may be reached by a link.
func TestCoverage_behindASymbolicLink(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "npm", "node", "go")
	for language, expected := range map[string]string{
		"go":         "calc.go 1/1",
		"javascript": "calc.js 1/1",
		"python":     "calc.py 2/2",
		"rust":       "src/lib.rs 2/2",
	} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			if language == "python" {
				gittest.Need(t, "pytest")
			}
			known, err := lang.All().ByName(language)
			if err != nil {
				t.Fatal(err)
			}
			req := projecttest.Project(t, known, `
-- go.mod --
module example.com/calc

go 1.22
-- calc.go --
package calc

func Sum(a, b int) int { return a + b }
-- calc_test.go --
package calc

import "testing"

func TestSum(t *testing.T) { Sum(1, 2) }
-- package.json --
{"scripts": {"test": "node --test"}}
-- calc.js --
exports.sum = (a, b) => a + b;
-- test/calc.test.js --
require('node:test')('sum', () => { require('../calc.js').sum(1, 2); });
-- pyproject.toml --
-- calc.py --
def add(a, b):
    return a + b
-- test_calc.py --
import calc


def test_add():
    assert calc.add(1, 2) == 3
-- Cargo.toml --
[package]
name = "calc"
version = "0.1.0"
edition = "2021"
-- src/lib.rs --
pub fn sum(a: i32, b: i32) -> i32 {
    a + b
}
-- tests/calc.rs --
#[test]
fn sums() {
    calc::sum(1, 2);
}
`)
			link := filepath.Join(t.TempDir(), "link")
			if err := os.Symlink(req.Dir, link); err != nil {
				t.Fatal(err)
			}
			req.Dir = link
			got := projecttest.Coverage(projecttest.Cover(t, req).Facts)
			if strings.Contains(got, "install") { // a tool that this machine lacks
				gittest.Need(t, got)
			}
			projecttest.Want(t, "coverage", got, expected)
		})
	}
}
