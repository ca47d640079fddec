package javascript

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/journal"
)

// FuzzManifest finds the runner that a package.json names.
func FuzzManifest(f *testing.F) {
	f.Add([]byte(`{"scripts": {"test": "tsc && vitest run"}}`), "npm test")
	f.Add([]byte(`{"scripts": {"test": "node --test"}}`), "npm run test -- x")
	f.Fuzz(func(t *testing.T, text []byte, command string) {
		m := parseManifest(string(text))
		argv := strings.Fields(command)
		if len(argv) == 0 {
			return
		}
		runner, _ := runnerOf(argv, m.script())
		if got := reporterArgs(argv, runner, "/reporters"); len(got) < len(argv) || !slices.Equal(got[:len(argv)], argv) {
			t.Fatalf("%q became %q", argv, got)
		}
	})
}

// What ts-jest says where a file does not compile, as it says it.
func TestCompiledByJest(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"index.ts", "a.test.ts"} {
		if err := errors.Join(os.MkdirAll(filepath.Join(dir, "src"), 0o700), os.WriteFile(filepath.Join(dir, "src", name), nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	const failed = "  ● Test suite failed to run\n\n    "
	for text, want := range map[string]journal.Finding{
		"src/index.ts:246:4 - error TS1109: Expression expected.\n\n    246 (((\n           \n    src/index.ts:247:1 - error TS1005: ')' expected.": {Class: gates.ClassSyntax, File: "src/index.ts", Line: 246},
		"src/a.test.ts:1:10 - error TS2305: Module './index' has no exported member 'add'.":                                                         {Class: gates.ClassMissingSymbol, Symbol: "add", File: "src/a.test.ts", Line: 1},
		"src/index.ts:1:10 - error TS2304: Cannot find name 'add'.":                                                                                 {Class: gates.ClassCompile, File: "src/index.ts", Line: 1},
		"src/a.test.ts:3:1 - error TS2304: Cannot find name 'add'.\n    src/a.test.ts:4:7 - error TS2322: Type 'string' is not assignable.":         {Class: gates.ClassCompile, File: "src/a.test.ts", Line: 4},
		"src/index.ts:1:19 - error TS2307: Cannot find module 'lodash' or its corresponding type declarations.":                                     {Class: gates.ClassInfra, File: "src/index.ts", Line: 1},
	} {
		x := explainer{&testrun.Places{Dir: dir, Language: TypeScript()}, "calc"}
		got := x.explain(journal.Event{Event: "broken", File: "src/a.test.ts", Message: failed + text})
		got.Message = ""
		if got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}

// What a package.json says otherwise than it should takes nothing from the rest, and what a
// script quotes parts no commands.
func TestManifest(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"name": 1, "scripts": {"build": 2, "test": "tsc && mocha --grep 'a && b'"}}`: "mocha --grep 'a && b'",
		`{"scripts": {"test": "mocha \"a|b\" || jest"}}`:                               "jest",
		`{"scripts": {"test": "ava"}`:                                                  "",
		`{"scripts": "ava"}`:                                                           "",
	} {
		if got := strings.Join(parseManifest(text).script(), " "); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
