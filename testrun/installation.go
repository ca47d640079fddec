package testrun

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/wholefile"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// Installation is how the tools and packages of a language are installed. Facts are kept by it.
type Installation struct {
	Inherits []string // variables of the user's environment that commands may inherit for its sake
	Sets     []string // NAME=value that its tools need to say the same everywhere
	Offline  []string // NAME=value by which they do without a network that walls hide
	Prefixes []string // how further variables begin by which its tools choose what they are
	Decides  []string // variables whose values change what tests show
	Aliases  []string // under which names the real program of a tool may lie
	Records  []string // patterns of what installers leave in the folder of dependencies that they fill
	// Settings are NAME=value in the place of what the tools would read in files of
	// the user's, which a test could write; value is a variable as commands see it.
	Settings Folders
	Caches   Folders // in which its tools keep what they fetched
	Builds   Folders // in which they keep what they built; nothing of a project runs there
	Sees     Folders // and files: where its tools themselves may lie in a home, and what they need there
	// Activate is NAME=value of what activating would set: an environment of packages
	// that a tool made for a project, where none is active and commands would find none.
	Activate func(project string, value func(name string) string) []string
	Active   Folders // the environments of packages that are active
	// LeadsBack finds, in a folder of dependencies, what would make commands use the working
	// tree; empty if there is nothing. It is asked if commands do not find the tree in the
	// project's place. Both paths are without links.
	LeadsBack func(dependencies, project string) string
	// Copied finds, in a folder of dependencies, a copy of the project that commands may use; empty if none.
	Copied func(dependencies, project string) string
	// Compiled are patterns of build output beside sources, ignored by git; Compiles is what makes it.
	Compiled, Compiles []string
	// Below are patterns, from the folder of an installation, of the folders that hold packages,
	// and Packages their names; both are empty if packages lie with the project or in its tree.
	Below, Packages []string
	// Identify adds what determines which version a tool reports, if the language
	// knows it; path is the program without symbolic links. Nil knows none.
	Identify func(f Fingerprint, tool, path string) (known bool)
}

// Folders are folders, or files, on this machine; value is a variable as commands see it.
type Folders func(value func(name string) string) []string

// FoldersOf are folders and files below the user's home ("~/.jdks"), and those that a
// variable lists ("$NODE_PATH"); below the folder that a variable names, or else another
// ("$CARGO_HOME|~/.cargo/bin", which are bin below either).
func FoldersOf(names ...string) Folders {
	return func(value func(name string) string) []string {
		var out []string
		for _, name := range names {
			variable, listed := strings.CutPrefix(name, "$")
			variable, usual, chosen := strings.Cut(variable, "|")
			switch home, below, _ := strings.Cut(strings.TrimPrefix(usual, "~/"), "/"); {
			case chosen:
				out = append(out, filepath.Join(cmp.Or(value(variable), filepath.Join(value("HOME"), home)), below))
			case listed:
				out = append(out, filepath.SplitList(value(variable))...)
			default:
				out = append(out, filepath.Join(value("HOME"), filepath.FromSlash(strings.TrimPrefix(name, "~/"))))
			}
		}
		return out
	}
}

// Fingerprint collects what determines which version a tool reports, without running it.
type Fingerprint interface {
	Add(parts ...string)
	File(name string)         // what the file system records of a file, or that there is none
	Content(name string)      // what a small file says
	Value(name string) string // a variable as commands see it
	Chosen() []string         // the texts of the project's files that choose a version
	Incomplete()              // something that matters cannot be seen
}

// All lists something of the installations of all languages, each item once.
func (all Languages) All(of func(Installation) []string) []string {
	var out []string
	for _, l := range all {
		out = append(out, of(l.Installation)...)
	}
	return slices.Compact(slices.Sorted(slices.Values(out)))
}

// folders is All for folders.
func (all Languages) folders(value func(name string) string, of func(Installation) Folders) []string {
	return all.All(func(i Installation) []string { return of(i).Of(value) })
}

// Of are the folders; none where there are none.
func (f Folders) Of(value func(name string) string) []string {
	if f == nil {
		return nil
	}
	return f(value)
}

// Toolchain is what a toolchain says of itself.
type Toolchain struct {
	// Text changes when the toolchain does: what its tools say, and the files that choose it.
	Text string
	// Failed says of each tool that gave no version what became of it.
	Failed []string
}

// Versions asks the tools of a language for their versions.
func Versions(ctx context.Context, req Request) (Toolchain, error) {
	s, err := newSession(req)
	if err != nil {
		return Toolchain{}, err
	}
	var out strings.Builder
	var failed []string
	for _, argv := range req.Language.Tools {
		end, err := s.Run(ctx, Job{Name: "version", Argv: argv})
		if err != nil {
			return Toolchain{}, err
		}
		fmt.Fprintf(&out, "%s: %d\n%s\n", strings.Join(argv, " "), end.Exit, end.Output)
		if end.Exit != 0 || end.TimedOut {
			failed = append(failed, fmt.Sprintf("%s: exit %d: %s", strings.Join(argv, " "), end.Exit, output.LastLine(end.Output)))
		}
	}
	for _, name := range req.Folder.Up(req.Language.VersionFiles) {
		if raw, err := wholefile.Read(filepath.Join(req.Dir, filepath.FromSlash(name))); err == nil {
			fmt.Fprintf(&out, "%s:\n%s\n", name, raw)
		}
	}
	return Toolchain{Text: out.String(), Failed: failed}, nil
}
