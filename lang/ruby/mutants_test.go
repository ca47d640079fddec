package ruby

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/syntax"
)

const sourceText = `# frozen_string_literal: true
require "set"

class Calc
  LIMIT = 10

  def total(a, b = 1)
    raise ArgumentError, "negative" if a < 0
    return 5 if a == 1
    if a > b && b # why
      a += 1
    end
    puts "a" + "b"
    c = a * 2
    sum(a,
        c)
  end

  def odd? = true
end
`

func TestMutants(t *testing.T) {
	t.Parallel()
	var got []string
	for _, m := range page().Mutants(sourceText) {
		text := strings.ReplaceAll(m.Edit.Text, anotherValue, "another.call")
		got = append(got, fmt.Sprintf("%d: %s > %s", m.Line, sourceText[m.Edit.Start:m.Edit.End], text))
	}
	want := []string{
		"5: 10 > (10 + 1)", "7: 1 > (1 + 1)", "8: a < 0 > !(a < 0)", "8: < > <=", "8: 0 > (0 - 1)",
		"9: 5 > another.call((5))", "9: 5 > (5 + 1)", "9: a == 1 > !(a == 1)", "9: == > !=", "9: 1 > (1 + 1)",
		"10: a > b && b > !(a > b && b)", "10: a > b &&  > ", "10:  && b > ", "10: > > >=", "10: && > ||", "11: += > -=", "11: 1 > (1 + 1)", "14: * > +", "14: 2 > (2 + 1)",
		"15: sum(a,\n        c) > another.call((sum(a,\n        c)))", "15: a > c", "19: true > another.call((true))", "19: true > false",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

func TestCode(t *testing.T) {
	t.Parallel()
	const plain = "def f(a)\n  g a, \"x  y\"\nend\n"
	for other, same := range map[string]bool{
		"# about\ndef f(a) # why\n\n    g   a, \"x  y\"\nend":     true,
		"=begin\ntext\n=end\n" + plain:                            true,
		"def f(a)\n  g a, \"x y\"\nend\n":                         false,
		"# frozen_string_literal: true\n" + plain:                 false,
		plain + "__END__\ndata\n":                                 false,
		"def f(a)\n  g(a, \"x  y\")\nend\n":                       false,
		"def f(a)\n  g a\n  \"x  y\"\nend\n":                      false,
		"def f(a)\n  g a, \"x  y\"\nend\n# frozen\n# nothing\n\n": true,
	} {
		if got := page().Plain(other) == page().Plain(plain); got != same {
			t.Errorf("%q: the same code: %v, want %v", other, got, same)
		}
	}
}

func FuzzMutants(f *testing.F) {
	f.Add(sourceText)
	f.Fuzz(func(t *testing.T, content string) {
		page().Plain(content)
		for _, m := range page().Mutants(content) {
			if syntax.Apply(content, []syntax.Edit{m.Edit}) == content {
				t.Fatalf("%v changes nothing in %q", m, content)
			}
		}
	})
}
