//go:build unix

package testrun_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/git-tdd/git-tdd/testrun"
)

// A project in a language that nobody knows is measured by the report that its tests
// write.
func ExampleMeasure() {
	root, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(root) //nolint:errcheck // temporary

	result, err := testrun.Measure(context.Background(), testrun.Request{
		Dir: root, Scratch: filepath.Join(root, "scratch"), Environ: os.Environ(),
		Language: testrun.Generic(),
		Commands: testrun.Commands{
			Test:   []string{"sh", "-c", "echo 1..2; echo ok 1 - adds; echo not ok 2 - divides; exit 1"},
			Report: testrun.Report{Format: testrun.ReportTAP},
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Facts.Outcome)
	for _, t := range result.Facts.Tests {
		fmt.Println(t.Status, t.ID)
	}
	// Output:
	// failed
	// passed adds
	// failed divides
}

// Where no language fits, a project can describe its own.
func ExampleLanguages_Describe() {
	perl, err := testrun.Languages{}.Describe(testrun.Description{
		Name: "perl", Test: []string{"t/**/*.t"}, Source: []string{"lib/**/*.pm"},
		Declares: []string{`\bok\(.*'([^']+)'\);`},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(perl.Kind("t/calc.t"), perl.Kind("lib/Calc.pm"))
	fmt.Println(perl.Declared("ok(add(1, 2) == 3, 'adds');"))
	// Output:
	// test source
	// [adds]
}
