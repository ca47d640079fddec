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
	for _, name := range m.versionFileNames() {
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
