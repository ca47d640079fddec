package evidence_test

import (
	"cmp"
	"context"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/evidence"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/syntax"
)

// What a check asks is asked before the lines above it, too, but for what gives something to
// what is asked, or is a part of a line.
func TestRemembers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"def test_it():\n    s = Shed()\n    s.put(3)\n    s.take()\n    assert s.total() == 3\n":                                            "def test_it():|s = Shed()|s.total()|s.put(3)|s.total()|s.take()|s.total()|assert s.total() == 3",
		"def test_it():\n    with shed() as s:\n        s.take()\n    assert s.total() == 3\n":                                               "def test_it():|with shed() as s:|s.take()|s.total()|assert s.total() == 3",
		"it('it', async () => {\n  s.put({\n    a: 1,\n  });\n  expect(await s.total('a')).toBe(3);\n});\n":                                  "it('it', async () => {|s.put({|a: 1,|});|await s.total('a');|expect(await s.total('a')).toBe(3);|});",
		"func TestIt(t *testing.T) {\n\ts.Put(3)\n\tif got := s.Total(); got != 3 {\n\t\tt.Error(got)\n\t}\n}\n":                             "func TestIt(t *testing.T) {|s.Total()|s.Put(3)|s.Total()|if got := s.Total(); got != 3 {|t.Error(got)|}|}",
		"def test_it\n  total += 1\n  @shed.put(total)\n  assert_equal 3, @shed.total(total)\nend\n":                                         "def test_it|total += 1|@shed.total(total)|@shed.put(total)|@shed.total(total)|assert_equal 3, @shed.total(total)|end",
		"public function testIt() {\n    $this->shed->put(3);\n    $this->assertSame(3, $this->shed->total(1, (2)));\n    done();\n}\n":      "public function testIt() {|$this->shed->total(1, (2));|$this->shed->put(3);|$this->shed->total(1, (2));|$this->assertSame(3, $this->shed->total(1, (2)));|done();|}",
		"def test_it():\n    s.take()\n    assert total() == 3\n":                                                                            "def test_it():|s.take()|total()|assert total() == 3",
		"test('it', () => {\n  assert.deepEqual(new Set(list(a, b)), c);\n});\n":                                                             "test('it', () => {|list(a, b);|assert.deepEqual(new Set(list(a, b)), c);|});",
		"func TestIt(t *testing.T) {\n\tif got := len(x); got != Size(3) {\n\t\tt.Error(x)\n\t}\n}\n":                                        "",
		"func TestIt(t *testing.T) {\n\tif got, want := Size(3), 4; got != want {\n\t\tt.Error(x)\n\t}\n}\n":                                 "func TestIt(t *testing.T) {|Size(3)|if got, want := Size(3), 4; got != want {|t.Error(x)|}|}",
		"fn it() {\n    assert_eq!(total(&s), 3);\n}\n":                                                                                      "fn it() {|total(&s);|assert_eq!(total(&s), 3);|}",
		"def test_it():\n    s.take()\n    assert s.total(\n        1) == 3\n":                                                               "",
		"#[test]\nfn it() {\n    let mut s = Shed::new();\n    s.put(3);\n    // it goes\n    s.take();\n    assert_eq!(s.total(), 3);\n}\n": "#[test]|fn it() {|let mut s = Shed::new();|s.put(3);|// it goes|s.total();|s.take();|s.total();|assert_eq!(s.total(), 3);|}",
	} {
		at := strings.Index(text, "3)\n\n")
		for _, begin := range []string{"assert", "expect", "if got", "$this->assert"} {
			if i := strings.LastIndex(text, begin); i >= 0 {
				at = i
			}
		}
		end := at + strings.Index(text[at:]+" {\n", "\n")
		if strings.Contains(text[at:], "(\n") {
			end = len(text)
		}
		file := evidence.File{Path: "it", Content: text, Declared: []string{"it"}, Checks: []syntax.Check{{Test: "it", At: syntax.Span{Start: at, End: end}}}}
		passes := gates.Test{ID: "it", Status: gates.StatusPassed, File: "it"}
		asked := ""
		side := evidence.Side{Files: []evidence.File{file}, Plain: gates.Facts{Outcome: gates.Passed, Tests: []gates.Test{passes}}, Run: func(_ context.Context, q evidence.Question) (gates.Facts, error) {
			asked = cmp.Or(q.Files["it"], asked)
			return gates.Facts{Outcome: gates.Passed, Tests: []gates.Test{passes}}, nil
		}}
		if _, err := evidence.Remembers(t.Context(), side, side); err != nil {
			t.Fatal(err)
		}
		var lines []string
		for line := range strings.Lines(asked) {
			lines = append(lines, strings.TrimSpace(line))
		}
		if got := strings.Join(lines, "|"); got != want {
			t.Errorf("of\n%s\ngot\n%s\nwant\n%s", text, got, want)
		}
	}
}
