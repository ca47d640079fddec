package gates

import "testing"

func TestWeaker(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		was, now []string
		want     bool
	}{
		"the end of it":         {[]string{`assert show(Money(-5)) == "-0.05"`}, []string{`assert show(Money(-5)).endswith("5")`}, true},
		"that there is one":     {[]string{`self.assertEqual(fee(100), 3)`}, []string{`self.assertIsNotNone(fee(100))`}, true},
		"defined":               {[]string{`expect(fee(100)).toBe(3)`}, []string{`expect(fee(100)).toBeDefined()`}, true},
		"truthy, in Ruby":       {[]string{`expect(fee(100)).to eq 3`}, []string{`expect(fee(100)).to be_truthy`}, true},
		"in Go":                 {[]string{`if got := Fee(100); got != 3 {`}, []string{`if got := Fee(100); got < 1 {`}, true},
		"another value":         {[]string{`assert fee(100) == 3`}, []string{`assert fee(100) == 4`}, false},
		"a value with a name":   {[]string{`assert fee(100) == 3`}, []string{`assert fee(100) == FEE`}, false},
		"another input":         {[]string{`assert fee(100) == 3`}, []string{`assert fee(200) > 3`}, false},
		"two in its place":      {[]string{`assert fee(100) == 3`}, []string{`assert fee(100) > 2`, `assert fee(100) == 3.0`}, false},
		"it was vague":          {[]string{`assert fee(100) > 2`}, []string{`assert fee(100)`}, false},
		"gone":                  {[]string{`assert fee(100) == 3`}, nil, false},
		"any error":             {[]string{`assert.throws(() => parse('a'), { message: 'open', column: 9 })`}, []string{`assert.throws(() => parse('a'), ParseError)`}, true},
		"any error as before":   {[]string{`assert.throws(() => parse('a'), ParseError)`}, []string{`assert.throws(() => parse('a'))`}, false},
		"another error":         {[]string{`assert.throws(() => parse('a'), /open/)`}, []string{`assert.throws(() => parse('a'), /open quote/)`}, false},
		"its size":              {[]string{`self.assertEqual(self.naps, [1, 2, 4])`}, []string{`self.assertEqual(len(self.naps), 3)`}, true},
		"its size, of a call":   {[]string{`expect(rows(2)).toEqual(["a", "b"])`}, []string{`expect(rows(2).length).toBe(2)`}, true},
		"its size, in Go":       {[]string{`if !slices.Equal(got, want) || got == nil {`, `if got != want {`}, []string{`if len(got) != 3 {`}, true},
		"its size, in PHP":      {[]string{`$this->assertSame(['a'], $rows)`}, []string{`$this->assertCount(1, $rows)`}, true},
		"its size before, too":  {[]string{`assert len(rows) == 2`}, []string{`assert len(rows) == 3`}, false},
		"its size beside it":    {[]string{`assert rows == [1, 2]`}, []string{`assert len(rows) == 3`, `assert rows == [1, 2, 3]`}, false},
		"a part with a name":    {[]string{`assert rows == [1, 2]`}, []string{`assert rows.all == [1, 2]`}, false},
		"another name":          {[]string{`assert rows == [1, 2]`}, []string{`assert len(arrows) == 2`}, false},
		"as exact in two words": {[]string{`expect(fee(100)).toBe(3)`}, []string{`expect(fee(100)).toStrictEqual(3)`}, false},
	} {
		f := FileChange{Old: &File{Path: "t", Assertions: c.was}, New: &File{Path: "t", Assertions: c.now}}
		if got := f.Weaker(); len(got) > 0 != c.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// A variable of a shell is another thing in each test.
func TestWeaker_shell(t *testing.T) {
	t.Parallel()
	file := func(status string) *File {
		const other = "@test \"other\" {\n  run fee\n  [ \"$status\" -eq 2 ]\n}\n"
		return &File{
			Path: "fee.bats", Test: "@test \"no fee\" {\n  run fee 0\n  " + status + "\n}\n" + other, Declared: []string{"no fee", "other"},
			Assertions: []string{status, "[ \"$status\" -eq 2 ]"},
		}
	}
	const exact, vague, another = `[ "$status" -eq 3 ]`, `[ "$status" -ne 0 ]`, `[ "$status" -eq 1 ]`
	if got := (FileChange{Old: file(exact), New: file(vague)}).Weaker(); len(got) != 1 || got[0].Now != vague || got[0].Line != 3 {
		t.Errorf("%+v", got)
	}
	if got := (FileChange{Old: file(exact), New: file(another)}).Weaker(); got != nil {
		t.Errorf("%+v", got)
	}
	const helped = `[ "$status" -eq "$expected" ]`
	helper := file("fails 3")
	helper.Test, helper.Assertions = "fails() {\n  "+helped+"\n}\n"+helper.Test, []string{helped, "[ \"$status\" -eq 2 ]"}
	if got := (FileChange{Old: file(exact), New: helper}).Weaker(); got != nil {
		t.Errorf("a helper's: %+v", got)
	}
}

// What another test asks is not asked in the place of what this one did.
func TestWeaker_anotherTest(t *testing.T) {
	t.Parallel()
	const exact, other, vague = "assert len(r) == 3", "assert r == [1, 2, 3]", "assert len(r) > 2"
	file := func(first string, more ...string) *File {
		f := &File{Path: "test_r.py", Declared: []string{"test_first"}, Test: "def test_first():\n    " + first + "\n", Assertions: append([]string{first}, more...)}
		for _, a := range more {
			f.Declared, f.Test = append(f.Declared, "test_second"), f.Test+"def test_second():\n    "+a+"\n"
		}
		return f
	}
	if got := (FileChange{Old: file(exact), New: file(other, vague)}).Weaker(); got != nil {
		t.Errorf("%+v", got)
	}
	if got := (FileChange{Old: file(exact), New: file(vague, other)}).Weaker(); len(got) != 1 {
		t.Errorf("%+v", got)
	}
}
