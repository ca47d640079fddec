package python

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/journal"
	"github.com/git-tdd/git-tdd/testrun/projecttest"
)

const testSource = `
import pytest
# assert nothing
CASES = [
    (1, 2),  # a row
    (3, 4),
]
EXPECTED = "a # b"

@pytest.mark.parametrize(
    "a, b",
    CASES,
)
def test_one(a, b):
    """assert in a text
    def test_text():
    """
    if a > 1:
        assert add(
            a, b
        ) == 3
    with pytest.raises(ValueError):
        boom()
class TestGroup:
    async def test_two(self):
        self.assertEqual(
            1,
            2)
        x = compute()
def helper(): pass
`

func TestSource(t *testing.T) {
	t.Parallel()
	if got := page().Declared(testSource); !slices.Equal(got, []string{"test_one", "test_two"}) {
		t.Errorf("declared %q", got)
	}
	projecttest.Want(t, "assertions", strings.Join(page().Assertions(testSource), "\n"), `
CASES = [ (1, 2), (3, 4), ]
EXPECTED = "a # b"
@pytest.mark.parametrize( "a, b", CASES, )
if a > 1: assert add( a, b ) == 3
with pytest.raises(ValueError):
self.assertEqual( 1, 2)
`)
}

func FuzzSource(f *testing.F) {
	f.Add(testSource)
	f.Add("'''")
	f.Add("x = 'a\nb \\")
	f.Fuzz(func(t *testing.T, text string) {
		names := page().Declared(text)
		if again := page().Declared(text + "\n"); len(names) > 0 && len(again) == 0 {
			t.Fatalf("%q, then %q", names, again)
		}
		page().Assertions(text)
	})
}

func FuzzExplain(f *testing.F) {
	f.Add("ImportError", "cannot import name 'a' from 'b.c' (x)", "", "a.py", 1)
	f.Add("AttributeError", "module 'a' has no attribute 'b'", "", "tests/test_a.py", 1)
	f.Add("ModuleNotFoundError", "No module named 'a'", "a.b", "tests/test_a.py", 0)
	f.Fuzz(func(t *testing.T, kind, message, name, file string, line int) {
		p := explainer{&testrun.Places{Dir: "/nowhere", Language: Language()}}
		got := p.explain(journal.Event{
			Kinds: []string{kind}, Message: message, Name: name, File: file, Line: line,
			Frames: []journal.Frame{{File: file, Line: line}},
		})
		if got.Class == "" {
			t.Fatal("a failure without a class")
		}
	})
}
