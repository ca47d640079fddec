package check

import (
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/syntax"
)

func TestAddedTokens(t *testing.T) {
	t.Parallel()
	// In what is wanted, [ and ] stand around each addition, and ^ where something went.
	for _, test := range []struct{ name, was, want string }{
		{"a call around", "return s.replace(\" \", \"-\");\n", "return [lower][(]s[)].replace(\" \", \"-\");\n"},
		{"a new line", "a();\n", "a();\n[b][(][1][)][;][\n]"},
		{"another operator", "ok = a < b\n", "ok = a <[=] b\n"},
		{"a text in a text", "f(\"a\")\n", "f(\"^[ ]\")\n"},
		{"two lines in another order", "a(1)\nb(2)\nc(3)\n", "b(2)\na(1)\nc(3)\n"},
		{"deeper", "a(1)\n", "[if][ ][x][:][\n]    a(1)\n"},
		{"a function that ends like another", "x\na {\n  r()\n}\n}\n", "x[,]\na {\n  r()\n}\n[\n][b][ ][{][\n][  ][r][(][)][\n][}][\n]}\n"},
		{"less", "return a + b\n", "return a^\n"},
	} {
		now, places := strings.NewReplacer("[", "", "]", "", "^", "").Replace(test.want), marks(test.want)
		more := moreOf([]rewriting{{was: test.was, now: now}})
		got := addedTokens(test.was, now, more)
		if len(got) != len(places) {
			t.Errorf("%s: %v, want %v", test.name, got, places)
			continue
		}
		for i, s := range got {
			if s != places[i] {
				t.Errorf("%s: %v, want %v", test.name, got, places)
				break
			}
		}
	}
}

// marks reads where the brackets stand in a text.
func marks(text string) []syntax.Span {
	var out []syntax.Span
	at := 0
	for _, r := range text {
		switch r {
		case '[':
			out = append(out, syntax.Span{Start: at})
		case ']':
			out[len(out)-1].End = at
		case '^':
			out = append(out, syntax.Span{Start: at, End: at})
		default:
			at += len(string(r))
		}
	}
	return out
}

func TestAlters(t *testing.T) {
	t.Parallel()
	a := additions{{Start: 4, End: 6}, {Start: 10, End: 10}}
	for edit, want := range map[syntax.Span]bool{
		{Start: 0, End: 4}:   false,
		{Start: 0, End: 5}:   true,
		{Start: 5, End: 6}:   true,
		{Start: 6, End: 10}:  false,
		{Start: 6, End: 11}:  true,
		{Start: 10, End: 12}: false,
	} {
		if got := a.alters(syntax.Edit{Span: edit}); got != want {
			t.Errorf("%v: %v, want %v", edit, got, want)
		}
	}
}

// The limit of a comparison is another one where a side of it was added to.
func TestAdditions_bounds(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		was, now string
		want     bool
	}{
		{"return today > due\n", "return today > due + grace\n", true},
		{"return n < 3\n", "return n < 5\n", true},
		{"if (n <= 3) {\n", "if (n <= 3 && ok) {\n", false},
		{"if n <= 3:\n", "if n <= 3 and ok:\n", false},
		{"return f(n < 3, 1)\n", "return f(n < 3, 2)\n", false},
		{"return n == 3\n", "return n == 5\n", false},
	} {
		at := strings.IndexAny(test.now, "<>=")
		end := at + len(test.now[at:]) - len(strings.TrimLeft(test.now[at:], "<>="))
		other := map[string]string{">": ">=", "<": "<=", "<=": "<", "==": "!="}[test.now[at:end]]
		edit := syntax.Edit{Span: syntax.Span{Start: at, End: end}, Text: other}
		more := moreOf([]rewriting{{was: test.was, now: test.now}})
		if got := addedTokens(test.was, test.now, more).bounds(test.now, edit); got != test.want {
			t.Errorf("%q → %q: %v", test.was, test.now, got)
		}
	}
}
