package main

import (
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// tinyProject is a project whose tests take no time: the exit code of a script.
func tinyProject() gittest.Files {
	return gittest.Files{
		".tdd.yaml":    "language: generic\nci:\n  test_cmd: [sh, tests/all.sh]\n",
		"add.sh":       "add() { echo 0; }\n",
		"tests/all.sh": tinyTests,
		"README.md":    "Adds.\n",
	}
}

const tinyTests = ". ./add.sh\n[ \"$(add 0 0)\" = 0 ] || exit 1\n"

// guardedCommand makes a repository with hooks in a new folder, and goes there:
// guarded DIR. red.sh and red2.sh beside it are its next tests, green.sh and
// tidy.sh its next sources.
func guardedCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: guarded DIR")
	}
	dir := ts.MkAbs(args[0])
	write := func(name, text string) {
		name = filepath.Join(dir, filepath.FromSlash(name))
		ts.Check(os.MkdirAll(filepath.Dir(name), 0o755))
		ts.Check(os.WriteFile(name, []byte(text), 0o600))
	}
	for name, text := range tinyProject() {
		write(name, text)
	}
	write("../red.sh", tinyTests+"[ \"$(add 1 2)\" = 3 ] || exit 1\n")
	write("../red2.sh", tinyTests+"[ \"$(add 1 2)\" = 3 ] || exit 1\n[ \"$(add 4)\" = 4 ] || exit 1\n")
	write("../green.sh", "add() { echo $(($1 + $2)); }\n")
	write("../tidy.sh", "# add prints the sum of two numbers.\nadd() { echo $(($1 + $2)); }\n")
	ts.Check(ts.Chdir(dir))
	for _, args := range [][]string{
		{"init", "-q"},
		{"add", "."},
		{"commit", "-qm", "chore: start"},
		{"tdd", "trust"},
		{"tdd", "hooks", "install"},
	} {
		ts.Check(ts.Exec("git", args...))
	}
}
