package gates

import "testing"

func TestOtherValue(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		was, now string
		want     bool
	}{
		{"limit = 10", "limit = 11", true},
		{"limit = 10;", "limit = 0xA;", false},
		{"limit = 1_000", "limit = 1e3", false},
		{"limit = 1.50", "limit = 1.5", false},
		{"limit = 10", "limit = 10L", false},
		{"limit = 0u", "limit = 0ull", false},
		{"limit = 5", "limit = 5usize", false},
		{"limit = 1_000i64", "limit = 1000_u32", false},
		{"limit = 2.5f", "limit = 2.50", false},
		{"limit = 0x1f", "limit = 31ul", false},
		{"limit = 0x1f", "limit = 0x1", true},
		{"limit = 10L", "limit = 11L", true},
		{"limit = 60 * 1000", "limit = 60000", false},
		{"fail('too many')", `fail("too many")`, false},
		{"fail('too many')", "fail('many')", true},
		{"def f(strict=True):", "def f(strict=False):", true},
		{"match('[0-9]')", "match('[0-8]')", false},
		{`say("a\tb")`, `say("a	b")`, false},
		{"if a < 10 {", "if a <= 10 {", false},
		{"take(a, 1)", "take(b, 2)", false},
		{`"""Takes."""`, `"""Takes one."""`, false},
		{"take(1) // once", "take(1) // one time", false},
	} {
		if got := OtherValue(c.was, c.now); got != c.want {
			t.Errorf("%q, %q: %t", c.was, c.now, got)
		}
	}
}

func TestOtherValues(t *testing.T) {
	t.Parallel()
	c := Case{Worth: Worth{Values: []Mutant{{Path: "a.py", Line: 3, Was: "  limit = 11\n", Now: "  limit = 10\n"}}}}
	if out := otherValues(&c); len(out) != 1 || !out[0].Note || out[0].Seen != "the refactoring changes a value, and no test notices: limit = 11 was limit = 10" {
		t.Errorf("a person: %v", out)
	}
	c.Agent = true
	if out := otherValues(&c); len(out) != 1 || out[0].Note {
		t.Errorf("an agent: %v", out)
	}
}
