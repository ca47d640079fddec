package check

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// BenchmarkCountLines_worst compares texts that share every line in another
// order, as long as they are compared at all.
func BenchmarkCountLines_worst(b *testing.B) {
	var text []string
	for i := range maxLines / 2 {
		text = append(text, fmt.Sprintf("line %d\n", i))
	}
	before := strings.Join(text, "")
	slices.Reverse(text)
	after := strings.Join(text, "")
	for b.Loop() {
		countLines(before, after)
	}
}
