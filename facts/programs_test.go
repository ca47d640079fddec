package facts

import "testing"

func TestGoesBy(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		base, name string
		want       bool
	}{
		{"cmake", "cmake", true},
		{"python3.11", "python3", true},
		{"x86_64-linux-gnu-g++-12", "c++", true},
		{"clang-14", "c++", true},
		{"ccache", "c++", false},
		{"busybox", "bash", false},
	} {
		if got := goesBy(tt.base, append([]string{tt.name}, "g++", "clang")); got != tt.want {
			t.Errorf("%s called %s: %v", tt.base, tt.name, got)
		}
	}
}
