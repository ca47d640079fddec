package rust

import (
	"testing"

	"github.com/git-tdd/git-tdd/testrun"
)

// FuzzPanic reads what a failed test of Rust printed.
func FuzzPanic(f *testing.F) {
	f.Add("thread 'a' (7) panicked at src/lib.rs:3:5:\nassertion failed: x\nnote: run with `RUST_BACKTRACE=1`", "a")
	f.Add("\nthread 'main' panicked at src/lib.rs:3:5:\nnot yet implemented", "tests::a")
	f.Fuzz(func(t *testing.T, output, name string) {
		asked := 0
		if failureClass(output, name, func(string, int) testrun.Place { asked++; return testrun.InTest }) == "" {
			t.Fatal("a failure without a class")
		}
		if asked > 1 {
			t.Fatalf("asked %d times for a place", asked)
		}
	})
}
