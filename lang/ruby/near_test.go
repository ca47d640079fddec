package ruby

import (
	"slices"
	"strings"
	"testing"
)

const (
	nearText = `def sum(a, b)
  raise Negative, "a" if a < 0
  a + b
end
`
	nearError = `Negative > IndexError`
)

func TestNear(t *testing.T) {
	t.Parallel()
	var got []string
	for _, m := range near(nearText) {
		got = append(got, nearText[m.Edit.Start:m.Edit.End]+" > "+m.Edit.Text)
	}
	want := []string{nearError}
	for _, value := range nearValues() {
		want = append(want, "a + b > "+value+".call((a + b))")
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
