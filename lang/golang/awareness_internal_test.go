package golang

import "testing"

// Whoever looks at the stack may find a test there; what a function is called says nothing
// of who calls.
func TestAsks(t *testing.T) {
	t.Parallel()
	asks := Language().Awareness.Asks
	for line, want := range map[string]bool{
		"if testing.Testing() {":                             true,
		"_, file, _, _ := runtime.Caller(1)":                 true,
		"f := runtime.CallersFrames(pcs)":                    true,
		"name := runtime.FuncForPC(v.Pointer()).Name()":      false,
		"return strings.HasSuffix(os.Args[0], \".test\")":    true,
		"runtime.GC() // so that testing memory is possible": false,
	} {
		if got := asks.MatchString(line); got != want {
			t.Errorf("%s: %t, want %t", line, got, want)
		}
	}
}
