package coverage

import (
	"strings"
	"testing"
)

func FuzzV8Text(f *testing.F) {
	f.Add("function a() { return 1 }\n", 0, 24, 0)
	f.Fuzz(func(t *testing.T, text string, start, end, count int) {
		t.Parallel()
		l, every := Lines{}, map[int]bool{}
		for n := range strings.Split(text, "\n") {
			every[n+1] = true
		}
		ok := newV8Text(text, every).add(l, "a.js", v8Script{Functions: []v8Function{{Ranges: []v8Range{{start, end, count}}}}})
		for line := range l["a.js"] {
			if !ok || line < 1 || line > 1+strings.Count(text, "\n") {
				t.Errorf("line %d, ok %v", line, ok)
			}
		}
	})
}
