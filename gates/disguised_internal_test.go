package gates

import "testing"

func TestDisguised(t *testing.T) {
	t.Parallel()
	old := File{Path: "a.py", Source: "def add(a, b):\n    return a + b\n"}
	for name, c := range map[string]struct {
		comes string
		want  int
	}{
		"an a that is Cyrillic":        {"def \u0430dd(a, b):\n    return 5\n", 1},
		"names in Cyrillic":            {"def сумма(а, b):\n    return а + b\n", 0},
		"Greek":                        {"def shift(α, Δx):\n    return α * Δx\n", 0},
		"a word of both, without twin": {"def test_сумма():\n    return 1\n", 0},
		"emoji":                        {"family = '\U0001f468\u200d\U0001f469'\n", 0},
	} {
		now := old
		now.Source += c.comes
		k := Case{Premise: Premise{Agent: true, Change: Change{Files: []FileChange{{Old: &old, New: &now}}}}}
		if out := disguised(&k.Premise); len(out) != c.want || c.want > 0 && (out[0].Note || out[0].Line != 3) {
			t.Errorf("%s: %v", name, out)
		}
	}
}
