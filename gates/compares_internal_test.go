package gates

import "testing"

// What defines equality is told from what only uses it.
func TestCompares(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"    def __eq__(self, other):":                              true,
		"  def ==(other)":                                           true,
		"#[derive(Debug, PartialEq)]":                               true,
		"func (m Money) Equal(o Money) bool {":                      true,
		"    public boolean equals(Object o) {":                     true,
		"    override fun equals(other: Any?): Boolean":             true,
		"  equals(other) {":                                         true,
		"  valueOf() {\n    return this.n;":                         true,
		"bool operator==(const Money& o) const {":                   true,
		"// both must be equal (see above)\nfunc Sum(a, b int) int": false,
		"if (a.equals(b)) {":                                        false,
		"    return other == self.amount":                           false,
		"  if slices.Equal(a, b) {":                                 false,
	} {
		change := Change{Files: []FileChange{{New: &File{Path: "x", Kind: KindSource, Source: text}}}}
		if got := change.Compares(); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
