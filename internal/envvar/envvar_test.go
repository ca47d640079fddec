package envvar_test

import (
	"testing"

	"github.com/git-tdd/git-tdd/internal/envvar"
)

func TestGet(t *testing.T) {
	t.Parallel()
	environ := []string{"A=1", "AB=2", "A=3=4", "EMPTY=", "BARE"}
	for name, want := range map[string]string{"A": "3=4", "AB": "2", "EMPTY": "", "BARE": "", "NONE": "", "": ""} {
		if got := envvar.Get(environ, name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}
