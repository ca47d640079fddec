package testrun_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/git-tdd/git-tdd/sandbox"
	"github.com/git-tdd/git-tdd/testrun/projecttest"
)

// A command may name a program that only its own mounts bring into the project.
func TestProgramOfDependencies(t *testing.T) {
	t.Parallel()
	req := shell(t, "")
	if !sandbox.Mounts(t.Context(), req.Dir) {
		t.Skip("the system lets nobody mount here")
	}
	project := t.TempDir()
	projecttest.Write(t, project, "\n-- deps/bin/tool --\n#!/bin/sh\necho found\n")
	if err := os.Chmod(filepath.Join(project, "deps", "bin", "tool"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(req.Dir, "deps"), 0o700); err != nil {
		t.Fatal(err)
	}
	req.At, req.Deps = []string{project}, map[string]string{"deps": filepath.Join(project, "deps")}
	for _, program := range []string{"deps/bin/tool", filepath.Join(project, "deps", "bin", "tool"), "tool"} {
		req.Commands.Test, req.Environ = []string{program}, []string{"PATH=" + filepath.Join(project, "deps", "bin") + ":/usr/bin:/bin"}
		projecttest.Want(t, program, projecttest.Measure(t, req).Runs[0].Output, "found")
	}
}
