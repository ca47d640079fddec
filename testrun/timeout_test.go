package testrun

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/gates"
)

func TestGoVet(t *testing.T) {
	t.Parallel()
	need(t, "go")
	req := project(t, "go", module+"-- calc.go --\npackage calc\n\nimport \"fmt\"\n\nfunc F() { fmt.Printf(\"%d\", \"x\") }\n-- calc_test.go --\npackage calc\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {}\n")
	req.Commands.Check = req.Language.Defaults.Check
	req.Commands.Test = []string{"go", "test", "-vet=off", "./..."}
	got := measure(t, req)
	if got.Facts.Check != gates.Failed || got.Facts.Outcome != gates.Passed {
		t.Errorf("check %s, tests %s", got.Facts.Check, got.Facts.Outcome)
	}
	want(t, "vet", diagnostics(got.Facts.CheckDiagnostics), "calc.go compile")

	write(t, req.Dir, "-- calc.go --\npackage calc\n-- calc_test.go --\npackage calc\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { Sub() }\n")
	got = measure(t, req)
	if got.Facts.Check != gates.Broken {
		t.Errorf("check %s", got.Facts.Check)
	}
	want(t, "vet", diagnostics(got.Facts.CheckDiagnostics), "calc_test.go missing-symbol Sub")
}

func TestTimeoutsNameTheTest(t *testing.T) {
	t.Parallel()
	need(t, "go", "cargo")
	hang := project(t, "go", module+"-- calc_test.go --\npackage calc\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {}\nfunc TestHang(t *testing.T) { println(\"hanging\"); select {} }\nfunc init() { go func() { for { } }() }\n")
	hangRust := project(t, "rust", crate+"-- src/lib.rs --\n#[test] fn a() {}\n#[test] fn hangs() { loop { std::thread::park() } }\n")
	for _, req := range []Request{hang, hangRust} {
		t.Run(req.Language.Name, func(t *testing.T) {
			t.Parallel()
			warm := req // build first, so that the time limit meets the test
			warm.Commands.Test = append(slices.Clone(req.Commands.Test), map[string]string{"go": "-run=^TestA$", "rust": "--no-run"}[req.Language.Name])
			measure(t, warm)
			req.Commands.Timeout = 4 * time.Second
			got := measure(t, req)
			text := ""
			for _, d := range got.Facts.Diagnostics {
				text += d.Message + "\n"
			}
			if got.Facts.Outcome != gates.Timeout || !strings.Contains(strings.ToLower(text), "hang") || got.Facts.Class() != gates.ClassTimeout {
				t.Errorf("%+v", got.Facts)
			}
		})
	}
}
