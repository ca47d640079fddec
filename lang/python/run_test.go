package python

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/testrun/projecttest"
)

const pyproject = "-- pyproject.toml --\n[project]\nname = \"calc\"\nversion = \"1\"\ndependencies = [\"other-lib>=2\"]\n" +
	"[tool.pytest.ini_options]\npythonpath = [\".\"]\n"

func testFile(body string) string {
	return "-- tests/test_new.py --\n" + strings.TrimLeft(body, "\n")
}

// TestBytecodeOfAnotherTree swaps a source for one of the same size within a
// second, so that Python believes its compiled file to be up to date.
func TestBytecodeOfAnotherTree(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "python3", "pytest")
	req := projecttest.Project(t, Language(), pyproject+"-- calc.py --\ndef add(a, b):\n    return a + b\n"+testFile("import calc\ndef test_a():\n    assert calc.add(1, 2) == 3\n"))
	source, now := filepath.Join(req.Dir, "calc.py"), time.Now()
	chtimes := func() {
		if err := os.Chtimes(source, now, now); err != nil {
			t.Fatal(err)
		}
	}
	chtimes()
	compile := exec.CommandContext(t.Context(), "python3", "-m", "compileall", "-q", ".")
	compile.Dir = req.Dir
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	projecttest.Write(t, req.Dir, "-- calc.py --\ndef add(a, b):\n    return a - b\n")
	chtimes()
	if got := projecttest.Measure(t, req); got.Facts.Outcome != gates.Failed {
		t.Errorf("outcome %s: the code of another tree ran", got.Facts.Outcome)
	}
	if left, _ := filepath.Glob(filepath.Join(req.Dir, "__pycache__")); len(left) > 0 {
		t.Errorf("compiled files were left: %v", left)
	}
}

// TestIdsOfASet measures tests whose order and ids depend on the hashes of texts, which
// Python draws anew for each process unless somebody says otherwise.
func TestIdsOfASet(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "python3", "pytest")
	body := "import os\nimport pytest\nWORDS = {'a', 'b', 'c', 'd', 'e', 'f'}\n@pytest.mark.parametrize('words', [WORDS], ids=['-'.join(WORDS)])\ndef test_a(words):\n    assert words\n" +
		"def test_seed():\n    assert os.environ['PYTHONHASHSEED'] == '7'\n"
	ids := map[string]bool{}
	for range 3 {
		got := projecttest.Measure(t, projecttest.Project(t, Language(), pyproject+testFile(body)))
		ids[got.Facts.Tests[0].ID] = true
	}
	if len(ids) != 1 {
		t.Errorf("three runs have %d names for one test: %v", len(ids), ids)
	}
	own := projecttest.Project(t, Language(), pyproject+testFile(body))
	own.Env = append(own.Env, "PYTHONHASHSEED=7")
	if got := projecttest.Measure(t, own); got.Facts.Outcome != gates.Passed {
		t.Errorf("the project's own seed does not count: %s, %v", got.Facts.Outcome, got.Facts.Tests)
	}
}
