package onepage

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// TestMarkdown reads what people write, and leaves the rest as it is.
func TestMarkdown(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]Piece{
		"":                    nil,
		"one\ntwo\n\nthree\n": {{Kind: "text", Text: "one two"}, {Kind: "text", Text: "three"}},
		"# A #\n\nB\n---\nc":  {{Kind: "heading", Text: "A"}, {Kind: "heading", Text: "B"}, {Kind: "text", Text: "c"}},
		"- a\n  more\n  1. b\n\n  c\n": {
			{Kind: "item", Mark: "–", Text: "a more"}, {Kind: "item", Mark: "1.", Depth: 1, Text: "b"}, {Kind: "text", Depth: 1, Text: "c"},
		},
		"x\n\n    if a < b {\n\n\n```go\n# no heading\n\n- x\n```\ny": {
			{Kind: "text", Text: "x"}, {Kind: "code", Text: "if a < b {"}, {Kind: "code", Text: "# no heading\n\n- x"}, {Kind: "text", Text: "y"},
		},
		"<b>#1</b>\n#2 is no heading\n-x": {{Kind: "text", Text: "<b>#1</b> #2 is no heading -x"}},
		"```\nnever closed":               {{Kind: "code", Text: "never closed"}},
	} {
		if got := Markdown(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%q:\n%+v\nwant\n%+v", text, got, want)
		}
	}
	long := strings.Repeat("- `a` *b*\nand more\n", 20_000) // in no time that anybody would notice
	if got := Markdown(long); len(got) != 20_000 {
		t.Errorf("%d pieces", len(got))
	}
}

// TestInline: a sign that marks nothing stays a sign.
func TestInline(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a `b*c*` **d e** *f* _g_!":             "a |code:b*c*| |strong:d e| |em:f| |em:g|!",
		"2*3*4, 2 * 3 * 4, snake_case_name, **": "2*3*4, 2 * 3 * 4, snake_case_name, **",
		"<i>x</i> [t](http://x) `":              "<i>x</i> [t](http://x) `",
	} {
		var got []string
		for _, s := range inline(text) {
			if s.Kind != "" {
				s.Text = fmt.Sprintf("%s:%s", s.Kind, s.Text)
			}
			if s.Text != "" {
				got = append(got, s.Text)
			}
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q: %q", text, strings.Join(got, "|"))
		}
	}
}

// TestNewFilter: a kind that all or none are of is no choice.
func TestNewFilter(t *testing.T) {
	t.Parallel()
	f, classes := NewFilter("show", []string{"none", "red", "every", "late"}, [][]string{{"red", "every"}, {"every", "late"}, {"every", "red", "late"}})
	if got := fmt.Sprint(f.Choices, classes); got != "[{all  3} {red 1 2} {late 2 2}] [f1 f2 f1 f2]" {
		t.Error(got)
	}
	if f, _ := NewFilter("show", []string{"red"}, [][]string{{"red"}}); f.Choices != nil {
		t.Errorf("%v", f.Choices)
	}
}
