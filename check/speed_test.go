package check

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// BenchmarkCountLines_worst compares the longest texts that are compared at
// all, with the same lines in another order.
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
