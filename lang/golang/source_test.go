package golang

import (
	"slices"
	"strings"
	"testing"
)

const testSource = `package x

import "testing"

func helper(t *testing.T) { t.Helper() }

func TestMain(m *testing.M) {}
func TestOne(t *testing.T) {
	want := 3
	for _, tt := range []struct {
		in   string
		want int
	}{
		{"1,2", 3},
		{in: "", want: 0},
	} {
		if got := Add(tt.in); got != tt.want {
			t.Errorf("Add(%q) = %d", tt.in, got)
		}
	}
	p := parse(want)
	if diff := cmp.Diff(Point{1, 2}, p); diff != "" {
		t.Fatal(diff)
	}
	require.NoError(t, err)
	switch p {
	case 1, 2:
		t.Fail()
	}
	t.Log(err.Error())
}
func TestGröße(t *testing.T) {}
func Testify(t *testing.T) {}
func FuzzTwo(f *testing.F) { f.Fuzz(func(t *testing.T, s string) { if s == "x" { t.Fatal() } }) }
func ExampleThree() {}
func (s suite) TestMethod() {}
`

func TestDeclared(t *testing.T) {
	t.Parallel()
	want := []string{"TestOne", "TestGröße", "FuzzTwo", "ExampleThree"}
	if got := Language().Declared(testSource); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Language().Declared("func TestA(t *testing.T) {\nfunc TestB("); !slices.Equal(got, []string{"TestA", "TestB"}) {
		t.Errorf("of a broken text: %q", got)
	}
}

func TestAssertions(t *testing.T) {
	t.Parallel()
	want := []string{
		`want := 3`,
		`{"1,2", 3}`,
		`{in: "", want: 0}`,
		`if got := Add(tt.in); got != tt.want: t.Errorf`,
		`cmp.Diff(Point{1, 2}, p)`,
		`if diff := cmp.Diff(Point{1, 2}, p); diff != "": t.Fatal`,
		`require.NoError(t, err)`,
		`case 1, 2: t.Fail`,
		`if s == "x": t.Fatal`,
	}
	got := Language().Assertions(testSource)
	if !slices.Equal(got, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for old, weaker := range map[string]string{`{"1,2", 3}`: `{"1,2", 4}`, "want := 3": "want := 4", "got != tt.want": "got > tt.want", "Point{1, 2}": "Point{}", "s == \"x\"": "false"} {
		if slices.Equal(Language().Assertions(strings.Replace(testSource, old, weaker, 1)), want) {
			t.Errorf("%s for %s was not noticed", weaker, old)
		}
	}
	const measures = "func BenchmarkAdd(b *testing.B) {\n\tsize := 8\n\tfor i := 0; i < b.N; i++ { Add(size) }\n}\nfunc TestLaw(t *testing.T) { for i := 0; i < 9; i++ { law(t, i) } }\n"
	if got := Language().Assertions(measures); len(got) > 0 {
		t.Errorf("of what only counts and measures: %q", got)
	}
	if got := Language().Assertions("func TestA(t *testing.T) { if x {\n t.Fatal(1)\n"); len(got) == 0 {
		t.Error("nothing of a broken text")
	}
}

func FuzzSource(f *testing.F) {
	f.Add(testSource)
	f.Add("package x\nfunc TestA(")
	f.Fuzz(func(_ *testing.T, src string) {
		declared(src)
		assertions(src)
	})
}
