package prove_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/prove"
)

// TestFind_squashed: a branch of step commits gives the same report as the same change in
// one commit, proven or not.
func TestFind_squashed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		needs             string
		base, tests, code gittest.Files
		want              prove.Verdict
	}{
		"go": {"go", gittest.Files{"go.mod": "module calc\n\ngo 1.21\n", "calc.go": "package calc\n\nfunc Sum(a, b int) int { return a + b }\n"}, gittest.Files{
			"calc_test.go": "package calc\n\nimport \"testing\"\n\nfunc TestDiff(t *testing.T) {\n\tif got := Diff(5, 3); got != 2 {\n\t\tt.Errorf(\"got %d, want 2\", got)\n\t}\n}\n",
		}, gittest.Files{"diff.go": "package calc\n\nfunc Diff(a, b int) int { return a - b }\n"}, prove.Proven},
		"python": {"pytest", gittest.Files{
			"calc.py": "def total(a, b):\n    return a + b\n", "test_calc.py": "from calc import total\n\n\ndef test_total():\n    assert total(1, 2) == 3\n",
		}, gittest.Files{
			"test_diff.py": "from calc import diff\n\n\ndef test_diff():\n    assert diff(5, 3) is not None\n",
		}, gittest.Files{"calc.py": "def total(a, b):\n    return a + b\n\n\ndef diff(a, b):\n    return a - b\n"}, prove.Refuted},
		"javascript": {"node", gittest.Files{
			"package.json": "{\"scripts\": {\"test\": \"node --test\"}}\n", "calc.js": "exports.sum = (a, b) => a + b;\n",
			"test/sum.test.js": "const test = require('node:test');\nconst assert = require('node:assert');\nconst { sum } = require('../calc');\n\n" +
				"test('sums', () => {\n  assert.strictEqual(sum(1, 2), 3);\n});\n",
		}, gittest.Files{
			"test/diff.test.js": "const test = require('node:test');\nconst assert = require('node:assert');\nconst { diff } = require('../calc');\n\n" +
				"test('takes away', () => {\n  assert.strictEqual(diff(15, 3), 12);\n});\n",
		}, gittest.Files{
			"calc.js": "exports.sum = (a, b) => a + b;\nexports.diff = (a, b) => {\n  if (a > 1000) {\n    return 0;\n  }\n  return a - b;\n};\n",
		}, prove.WithGaps},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gittest.Need(t, c.needs)
			r := gittest.New(t)
			commit := func(files gittest.Files, subject string) {
				for path, text := range files {
					r.Write(path, text)
				}
				r.Commit(subject)
			}
			commit(c.base, "chore: start")
			r.Git("checkout", "-qb", "steps")
			commit(c.tests, "test: differences\n\nTdd-Step: 1\nTdd-Phase: red\n")
			commit(c.code, "feat: differences\n\nTdd-Step: 2\nTdd-Phase: green\n")
			r.Git("checkout", "-qb", "squashed", "main")
			whole := maps.Clone(c.tests)
			maps.Copy(whole, c.code)
			commit(whole, "feat: differences")
			repo, err := gitx.Open(t.Context(), gitx.Options{Dir: r.Dir, Environ: r.Env})
			gittest.Check(t, err)
			t.Cleanup(func() { _ = repo.Close() })
			said := map[string]string{}
			for _, branch := range []string{"steps", "squashed"} {
				change, err := prove.Find(t.Context(), repo, "main.."+branch)
				gittest.Check(t, err)
				said[branch] = told(of(t, r, prove.Full, change))
			}
			if verdict, _, _ := strings.Cut(said["steps"], "\n"); said["steps"] != said["squashed"] || verdict != string(c.want) {
				t.Errorf("in steps: %s\nsquashed: %s\nwant %s", said["steps"], said["squashed"], c.want)
			}
		})
	}
}
