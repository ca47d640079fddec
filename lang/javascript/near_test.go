package javascript

import (
	"slices"
	"strings"
	"testing"
)

const (
	nearText = `function sum(a, b) {
  if (a < 0) {
    throw new Negative("a");
  }
  return a + b;
}
`
	nearError = `Negative > RangeError`
)

func TestNear(t *testing.T) {
	t.Parallel()
	var got []string
	for _, m := range near(nearText) {
		got = append(got, nearText[m.Edit.Start:m.Edit.End]+" > "+m.Edit.Text)
	}
	want := []string{nearError}
	for _, value := range nearValues() {
		want = append(want, "a + b > "+value+"(a + b)")
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
