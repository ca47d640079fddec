package testrun

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/sandbox"
)

// Bin is the folder for programs of ours; what runs behind [Session.Keeper] cannot change them.
func (s *Session) Bin() (string, error) {
	bin := filepath.Join(s.Reports, "bin")
	if err := os.MkdirAll(bin, 0o700); err != nil {
		return "", fmt.Errorf("make the folder of our programs: %w", err)
	}
	return bin, nil
}

// Keeper is a program that runs another one, named by its arguments, so that its changes to build
// output and caches are lost: a test that spoils them would decide what later measurements compile.
// It is for test processes of a build tool, and empty if nobody can mount.
func (s *Session) Keeper() (string, error) {
	own, err := os.Executable()
	if !s.Request.Keep || err != nil {
		return "", nil //nolint:nilerr // without our own program there is no box either
	}
	bin, err := s.Bin()
	if err != nil {
		return "", err
	}
	var words strings.Builder
	for _, word := range sandbox.Keeping(own, filepath.Join(s.Request.Scratch, scratchLayers), append(s.kept(), bin)) {
		words.WriteString(" '" + strings.ReplaceAll(word, "'", `'\''`) + "'")
	}
	name := filepath.Join(bin, "git-tdd-keep")
	if err := os.WriteFile(name, []byte("#!/bin/sh\nexec"+words.String()+" \"$@\"\n"), 0o700); err != nil { //nolint:gosec // it must be executable
		return "", fmt.Errorf("install what keeps build output: %w", err)
	}
	return name, nil
}

// kept are the folders with what a build leaves for the next one, wherever commands see the project.
func (s *Session) kept() []string {
	l := s.Request.Language
	var out []string
	for _, tree := range append(slices.Clone(s.Request.At), s.tree) {
		root := s.seen(tree)
		for _, name := range l.BuildDirs {
			out = append(out, filepath.Join(root, filepath.Dir(filepath.FromSlash(l.FoundBy)), name))
		}
		for _, name := range l.Keep {
			out = append(out, filepath.Join(root, filepath.FromSlash(name)))
		}
	}
	for _, list := range []Folders{l.Installation.Caches, l.Installation.Builds, l.Installation.Sees} {
		out = append(out, list.Of(func(name string) string { return LookupEnv(s.Env, name) })...)
	}
	return slices.DeleteFunc(out, func(dir string) bool { return !filepath.IsAbs(dir) })
}
