package facts

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/envvar"
	"github.com/git-tdd/git-tdd/internal/wholefile"
	"github.com/git-tdd/git-tdd/testrun"
)

// fingerprint hashes everything that determines which version a toolchain reports, without
// running it: the programs, the version manager behind them, the files that choose a version,
// the environment. complete is false if something that matters cannot be seen: an unknown tool,
// or a script in its place, may look at anything.
func (m *Measurer) fingerprint(files map[string]string) (mark string, complete bool) {
	f := fingerprinter{m: m, chosen: files, complete: true}
	prefixes := append([]string{"XDG_"}, m.opts.Language.Installation.Prefixes...)
	for _, kv := range m.opts.Environ {
		// It may change which toolchain answers: commands see it, or it determines the folders read here.
		name, _, _ := strings.Cut(kv, "=")
		if testrun.Inherits(name, m.opts.Languages) || slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
			f.Add(kv)
		}
	}
	f.Add(words(m.opts.Env))
	for _, name := range m.opts.Folder.Up(m.opts.Language.VersionFiles) {
		text, there := files[name]
		f.Add(name, fmt.Sprint(there), text)
		for dir := m.opts.Dirs.Cache; ; dir = filepath.Dir(dir) {
			f.Content(filepath.Join(dir, name)) // tools look there too
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	for _, argv := range m.opts.Language.Tools {
		f.tool(argv)
	}
	return digest("toolchain", f.parts...), f.complete && len(m.opts.Language.Tools) > 0
}

// value is a variable as the commands see it.
func (m *Measurer) value(name string) string {
	return envvar.Get(slices.Concat(m.opts.Environ, m.opts.Env), name)
}

// fingerprinter is the fingerprint of a toolchain while it is taken.
type fingerprinter struct {
	m        *Measurer
	chosen   map[string]string // the files that choose a version, by name
	parts    []string
	complete bool
}

// Add adds anything else that matters.
func (f *fingerprinter) Add(parts ...string) { f.parts = append(f.parts, parts...) }

// File adds the file system's record of a file, following links, or that there is none.
func (f *fingerprinter) File(name string) {
	fi, err := os.Stat(name)
	if err != nil {
		f.Add(name, "none")
		return
	}
	s := statOf(fi)
	f.complete = f.complete && s.CTime != 0
	f.Add(name, fmt.Sprint(s))
}

// Content adds the content of a small file.
func (f *fingerprinter) Content(name string) {
	data, err := wholefile.Read(name)
	f.Add(name, fmt.Sprint(err == nil), string(data))
}

// Value is a variable as the commands see it.
func (f *fingerprinter) Value(name string) string { return f.m.value(name) }

// Chosen are the texts of the files that choose a version.
func (f *fingerprinter) Chosen() []string { return slices.Collect(maps.Values(f.chosen)) }

// Incomplete notes that something that matters cannot be seen.
func (f *fingerprinter) Incomplete() { f.complete = false }

// tool adds what determines the answer of one program.
func (f *fingerprinter) tool(argv []string) {
	name := argv[0]
	found := f.m.locate(name)
	path, err := filepath.EvalSymlinks(found)
	if found == "" || err != nil {
		f.Incomplete()
		return
	}
	f.Add(name, found, path)
	f.File(path)
	identify := f.m.opts.Language.Installation.Identify
	isScript := script(path)
	known := !isScript && identify != nil && identify(f, name, path)
	switch {
	case isScript:
		f.script(found, path)
	case !known:
		f.plainTool(name, found, path)
	}
	// With more arguments it may read anything. A tool that its language knows prints a version.
	f.complete = f.complete && len(argv) == 2 && (known || strings.HasPrefix(argv[1], "-"))
}

// locate finds a program as a command would, of those that are not the project's.
func (m *Measurer) locate(name string) string {
	return testrun.Locate(name, m.opts.Dirs.Cache, slices.Concat(m.opts.Environ, m.opts.Env))
}

// script reports whether a program is a script, or cannot be read.
func script(name string) bool {
	f, err := wholefile.Open(name)
	if err != nil {
		return true
	}
	defer func() { _ = f.Close() }()
	head := make([]byte, 2)
	_, err = f.Read(head)
	return err != nil || string(head) == "#!"
}

// plainTool adds a program about which nothing else is known. It is real if it has its own name
// and is in an installation, bin beside lib: a version manager's shim is neither.
func (f *fingerprinter) plainTool(name, found, path string) {
	root := filepath.Dir(filepath.Dir(path))
	lib, err := os.Stat(filepath.Join(root, "lib"))
	f.complete = f.complete && err == nil && lib.IsDir() && goesBy(filepath.Base(path), append([]string{name}, f.m.opts.Language.Installation.Aliases...)) && !standIn(path)
	f.File(filepath.Join(root, "lib"))
	f.Content(filepath.Join(filepath.Dir(filepath.Dir(found)), "pyvenv.cfg"))
	if packaged(path) {
		f.complete = f.complete && f.packages()
	}
}

// goesBy reports whether a program has one of the names that it is known by.
func goesBy(base string, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return strings.Contains(base, name) })
}

// standIn reports whether a program is where version managers keep their shims.
func standIn(path string) bool {
	return slices.ContainsFunc(strings.Split(filepath.ToSlash(path), "/"), func(part string) bool {
		return slices.Contains([]string{"shims", ".proto", ".volta", "mise"}, part)
	})
}

// packaged reports whether a path belongs to the system's packages.
func packaged(path string) bool {
	return strings.HasPrefix(path, "/usr/") && !strings.HasPrefix(path, "/usr/local/")
}

// packages adds the state of the system's package database, without which no packaged file changes.
func (f *fingerprinter) packages() bool {
	for _, name := range []string{
		"/var/lib/dpkg/status", "/var/lib/rpm/rpmdb.sqlite", "/usr/lib/sysimage/rpm/rpmdb.sqlite", "/var/lib/pacman/local", "/lib/apk/db/installed",
	} {
		if _, err := os.Stat(name); err == nil {
			f.File(name)
			return true
		}
	}
	return false
}

// script adds a tool that is a script: a shim of pyenv, nodenv or rbenv, the
// command of a node package, or one of the system's own.
func (f *fingerprinter) script(found, path string) {
	f.Content(path)
	switch manager := filepath.Dir(filepath.Dir(found)); {
	case filepath.Base(filepath.Dir(found)) == "shims":
		f.manager(manager, filepath.Base(found))
	case strings.Contains(filepath.ToSlash(path), "/node_modules/"):
		f.nodePackage(path)
	case packaged(path):
		f.complete = f.complete && f.packages()
	default:
		f.complete = false
	}
}

// manager adds what determines which version a manager like rbenv starts. The
// variable and the tree's file are in the fingerprint already.
func (f *fingerprinter) manager(root, tool string) {
	f.Content(filepath.Join(root, "version"))
	all := filepath.Join(root, "versions")
	installed, err := os.ReadDir(all)
	f.complete = f.complete && err == nil && slices.ContainsFunc(f.m.opts.Language.VersionFiles, func(name string) bool {
		return strings.HasSuffix(name, "-version")
	})
	f.File(all)
	for _, version := range installed {
		path, err := filepath.EvalSymlinks(filepath.Join(all, version.Name()))
		if err == nil {
			f.Add(version.Name(), path)
			f.File(filepath.Join(path, "bin", tool))
		}
	}
}

// nodePackage adds the description of the package that a script belongs to.
func (f *fingerprinter) nodePackage(path string) {
	for dir := filepath.Dir(path); filepath.Base(dir) != "node_modules" && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		name := filepath.Join(dir, "package.json")
		if _, err := os.Stat(name); err == nil {
			f.File(name)
			return
		}
	}
	f.complete = false
}
