package testrun

import (
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/gates"
)

// TestScale measures 5,000 tests and 100 MB of output, and logs what reading
// them costs beside the runner alone. TDD_LONG=1 asks for it.
func TestScale(t *testing.T) {
	t.Parallel()
	if os.Getenv("TDD_LONG") == "" {
		t.Skip("TDD_LONG is not set")
	}
	needPytest(t)
	need(t, "node")
	for _, c := range []struct { //nolint:paralleltest // side by side they would measure each other
		name, language, files string
		argv                  []string
		tests                 int
	}{
		{"pytest", "python", pyproject + pyTest("import pytest\n@pytest.mark.parametrize('x', range(5000))\ndef test_a(x):\n    pass\n"), []string{"python3", "-m", "pytest", "-q"}, 5000},
		{"node", "javascript", nodeProject + nodeTest("for (let i = 0; i < 5000; i++) test(`t${i}`, () => {});\n"), []string{"node", "--test"}, 5000},
		{"loud pytest", "python", pyproject + pyTest("def test_a():\n    for i in range(102400):\n        print('x' * 1023)\n"), []string{"python3", "-m", "pytest", "-s"}, 1},
		{"loud node", "javascript", nodeProject + nodeTest("test('a', () => {});\n"), []string{"sh", "-c", "head -c 104857600 /dev/zero; node --test"}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			req := project(t, c.language, c.files)
			req.Commands.Test = c.argv
			alone := exec.CommandContext(t.Context(), c.argv[0], c.argv[1:]...)
			alone.Dir = req.Dir
			start := time.Now()
			_ = alone.Run() // the verdict is not asked for
			raw := time.Since(start)
			start = time.Now()
			got := measure(t, req)
			t.Logf("runner alone %s, measured %s", raw, time.Since(start))
			passed := len(got.Facts.With(gates.StatusPassed)) + len(got.Facts.With(gates.StatusFailed))
			if passed != c.tests || !slices.Contains([]gates.Outcome{gates.Passed, gates.Failed}, got.Facts.Outcome) {
				t.Errorf("%s, %d tests: %v", got.Facts.Outcome, passed, got.Facts.Diagnostics)
			}
		})
	}
}
