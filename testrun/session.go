package testrun

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/git-tdd/git-tdd/sandbox"
	"github.com/git-tdd/git-tdd/testrun/machine"
)

// Session is the work of one call: the request, private directories for it, and
// what was run so far. A [Reader] gets one to run its command in.
type Session struct {
	Request   Request
	Env       []string // the environment of every command
	Reports   string   // a directory for the reports of this call, empty but for the next three
	Journals  string   // an empty directory for what our reporters write
	Coverage  string   // likewise, for the lines that were reached
	Bin       string   // for programs of ours; what runs behind [Session.Keeper] cannot change them
	Reporters string   // where our reporters are to be installed; it does not exist yet

	tree  string // the workbench, in which the project is
	start Starter
	runs  []Run

	oomKills  int                    // of the kernel, before the first command
	lastWalls *sandbox.Walls         // those of the last command
	started   int                    // commands so far
	alone     time.Duration          // of those that ran what was built before
	filling   atomic.Pointer[string] // the folder on whose disk a command left too little room
	greedy    atomic.Bool            // a command left too little memory
	memory    func() (left uint64, known bool)
}

// What a scratch directory holds of one call.
const (
	scratchTmp       = "tmp"
	scratchReports   = "reports"
	scratchJournals  = "journal" // within the reports
	scratchReporters = "reporters"
	scratchLayers    = "layers" // what commands changed in dependencies
)

// newSession prepares scratch, without files of an earlier call, so that no stale report is read.
func newSession(req Request) (*Session, error) {
	if !filepath.IsAbs(req.Dir) || !filepath.IsAbs(req.Scratch) {
		return nil, fmt.Errorf("testrun: Dir %q and Scratch %q must be absolute paths", req.Dir, req.Scratch)
	}
	if req.Commands.Timeout <= 0 {
		req.Commands.Timeout = defaultTimeout
	}
	tree := req.Dir
	req.Dir = filepath.Join(tree, filepath.FromSlash(req.Folder.Dir))
	reports := filepath.Join(req.Scratch, scratchReports)
	tmp := temporary(req)
	s := &Session{
		Request: req, Env: environ(req, tmp), tree: tree,
		Reports: reports, Journals: filepath.Join(reports, scratchJournals),
		Coverage: filepath.Join(reports, "coverage"), Bin: filepath.Join(reports, "bin"),
		Reporters: filepath.Join(req.Scratch, scratchReporters),
		start:     req.Start, oomKills: machine.OOMKills(), memory: machine.Memory,
	}
	if s.start == nil {
		s.start = Launch
	}
	if err := Clear(req.Scratch); err != nil {
		return nil, err
	}
	for _, dir := range []string{tmp, s.Journals, s.Coverage, s.Bin} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("make scratch: %w", err)
		}
	}
	return s, nil
}

// temporary is the folder for temporary files.
func temporary(req Request) string { return filepath.Join(req.Scratch, scratchTmp) }

// Clear removes what the last call left in its scratch directory; the next call does so itself.
func Clear(scratch string) error {
	for _, name := range []string{scratchTmp, scratchReports, scratchReporters, scratchLayers} {
		if err := RemoveAll(filepath.Join(scratch, name)); err != nil {
			return fmt.Errorf("clear scratch: %w", err)
		}
	}
	return nil
}

// RemoveAll removes a file or a folder, also one that nobody may write to, as in Go's module cache.
func RemoveAll(name string) error {
	if os.RemoveAll(name) == nil {
		return nil
	}
	_ = filepath.WalkDir(name, func(path string, d fs.DirEntry, err error) error { // what stays closed fails below
		if err == nil && d.IsDir() {
			return os.Chmod(path, 0o700) //nolint:gosec // a directory must be searchable to be emptied
		}
		return nil
	})
	return os.RemoveAll(name)
}

// Places are those of the project.
func (s *Session) Places() *Places {
	return &Places{Dir: s.Request.Dir, At: s.Root(), Language: s.Request.Language}
}

// announce tells the caller what comes next.
func (s *Session) announce(name string, argv []string) {
	if s.Request.Phase != nil {
		s.Request.Phase(name, argv)
	}
}

// Keeper is a program that runs another one, named by its arguments, so that its changes to build
// output and caches are lost: a test that spoils them would decide what later measurements compile.
// It is for test processes of a build tool, and empty if nobody can mount.
func (s *Session) Keeper() (string, error) {
	own, err := os.Executable()
	if !s.Request.Keep || err != nil {
		return "", nil //nolint:nilerr // without our own program there is no box either
	}
	var words strings.Builder
	for _, word := range sandbox.Keeping(own, filepath.Join(s.Request.Scratch, scratchLayers), append(s.kept(), s.Bin)) {
		words.WriteString(" '" + strings.ReplaceAll(word, "'", `'\''`) + "'")
	}
	name := filepath.Join(s.Bin, "git-tdd-keep")
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
