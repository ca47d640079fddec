package facts

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/envvar"
	"github.com/git-tdd/git-tdd/testrun"
)

// fingerprint hashes everything that determines which version a toolchain
// reports, without running it: the programs, found as a command would find
// them, the state of the version manager behind them, the files that choose a
// version, and the environment. complete is false if something that matters
// cannot be seen; an unknown tool, or a script in its place, may look at
// anything.
func (m *Measurer) fingerprint(files map[string][]byte) (mark string, complete bool) {
	f := fingerprinter{m: m, complete: true}
	for _, kv := range m.opts.Environ {
		if decisive(kv) {
			f.add(kv)
		}
	}
	f.add(words(m.opts.Env))
	for _, name := range m.opts.Language.VersionFiles {
		f.add(name, fmt.Sprint(files[name] != nil), string(files[name]))
		for dir := m.opts.Dirs.Cache; ; dir = filepath.Dir(dir) {
			f.content(filepath.Join(dir, name)) // tools look there too
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	for _, argv := range m.opts.Language.Tools {
		f.complete = f.complete && asksVersion(argv)
		f.tool(argv[0], files)
	}
	return digest("toolchain", f.parts...), f.complete && len(m.opts.Language.Tools) > 0
}

// asksVersion reports whether a command can do nothing but print a version:
// with more arguments it may read anything.
func asksVersion(argv []string) bool {
	return len(argv) == 2 && (strings.HasPrefix(argv[1], "-") || argv[0] == "go" && argv[1] == "version")
}

// decisive reports whether a variable may change which toolchain answers: those
// that commands see, and those that determine the folders read here.
func decisive(kv string) bool {
	name, _, _ := strings.Cut(kv, "=")
	return testrun.Inherits(name) || slices.ContainsFunc([]string{"XDG_", "GO", "CARGO", "RUST"}, func(prefix string) bool {
		return strings.HasPrefix(name, prefix)
	})
}

// value is a variable as the commands see it.
func (m *Measurer) value(name string) string {
	return envvar.Get(slices.Concat(m.opts.Environ, m.opts.Env), name)
}

// fingerprinter collects the parts of a fingerprint.
type fingerprinter struct {
	m        *Measurer
	parts    []string
	complete bool
}

func (f *fingerprinter) add(parts ...string) { f.parts = append(f.parts, parts...) }

// file adds the file system's record of a file, following links, or that there
// is none.
func (f *fingerprinter) file(name string) {
	fi, err := os.Stat(name)
	if err != nil {
		f.add(name, "none")
		return
	}
	s := statOf(fi)
	f.complete = f.complete && s.CTime != 0
	f.add(name, fmt.Sprint(s))
}

// content adds the content of a small file.
func (f *fingerprinter) content(name string) {
	data, err := os.ReadFile(name)
	f.add(name, fmt.Sprint(err == nil), string(data))
}

// tool adds what determines the answer of one program.
func (f *fingerprinter) tool(name string, files map[string][]byte) {
	found := f.m.locate(name)
	path, err := filepath.EvalSymlinks(found)
	if found == "" || err != nil {
		f.complete = false
		return
	}
	f.add(name, found, path)
	f.file(path)
	switch {
	case script(path):
		f.script(found, path)
	case name == "go":
		f.goTool(path)
	case name == "cargo" || name == "rustc":
		f.rustTool(name, path, files)
	default:
		f.plainTool(name, found, path)
	}
}

// locate finds a program as a command would: in the absolute folders of PATH.
func (m *Measurer) locate(name string) string {
	for _, dir := range filepath.SplitList(m.value("PATH")) {
		file := filepath.Join(dir, name)
		fi, err := os.Stat(file)
		if filepath.IsAbs(dir) && err == nil && !fi.IsDir() && fi.Mode()&0o111 != 0 {
			return file
		}
	}
	return ""
}

// script reports whether a program is a script, or cannot be read.
func script(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return true
	}
	defer func() { _ = f.Close() }()
	head := make([]byte, 2)
	_, err = f.Read(head)
	return err != nil || string(head) == "#!"
}

// goTool adds the state of a Go installation and of the user's `go env -w`.
func (f *fingerprinter) goTool(path string) {
	for _, root := range []string{filepath.Dir(filepath.Dir(path)), f.m.value("GOROOT")} {
		if root != "" {
			f.file(filepath.Join(root, "VERSION"))
			f.content(filepath.Join(root, "go.env"))
		}
	}
	_, err := os.Stat(filepath.Join(filepath.Dir(filepath.Dir(path)), "VERSION"))
	f.complete = f.complete && err == nil && filepath.Base(path) == "go"
	home := f.m.value("HOME")
	for _, name := range []string{
		f.m.value("GOENV"), filepath.Join(f.m.value("XDG_CONFIG_HOME"), "go", "env"),
		filepath.Join(home, ".config", "go", "env"), filepath.Join(home, "Library", "Application Support", "go", "env"),
	} {
		if filepath.IsAbs(name) {
			f.content(name)
		}
	}
}

// rustTool adds the state of an installed toolchain, or of rustup if the
// program is its proxy: a link to it, or a copy beside it.
func (f *fingerprinter) rustTool(name, path string, files map[string][]byte) {
	f.file(filepath.Join(filepath.Dir(filepath.Dir(path)), "lib"))
	beside := filepath.Join(filepath.Dir(path), "rustup")
	f.file(beside)
	_, err := os.Stat(beside)
	switch {
	case err == nil || filepath.Base(path) == "rustup":
		f.rustup(files)
	case filepath.Base(path) != name:
		f.complete = false
	}
}

// rustup adds the installed toolchains and how the user chooses between them.
func (f *fingerprinter) rustup(files map[string][]byte) {
	home := f.m.value("RUSTUP_HOME")
	if home == "" {
		home = filepath.Join(f.m.value("HOME"), ".rustup")
	}
	f.complete = f.complete && filepath.IsAbs(home) && !byPath(f.m.value("RUSTUP_TOOLCHAIN"))
	for _, content := range files {
		f.complete = f.complete && !byPath(string(content))
	}
	f.content(filepath.Join(home, "settings.toml"))
	f.content("/etc/rustup/settings.toml")
	all := filepath.Join(home, "toolchains")
	f.file(all)
	installed, err := os.ReadDir(all)
	f.complete = f.complete && err == nil && runtime.GOOS != "windows"
	for _, toolchain := range installed {
		path, err := filepath.EvalSymlinks(filepath.Join(all, toolchain.Name()))
		f.add(toolchain.Name(), path, fmt.Sprint(err == nil))
		for _, part := range []string{"", "lib", "bin/cargo", "bin/rustc"} {
			f.file(filepath.Join(path, part))
		}
	}
}

// byPath reports whether a toolchain may have been chosen by the path of a
// folder, which can be anywhere.
func byPath(choice string) bool {
	return strings.Contains(choice, "path") || strings.ContainsAny(choice, `/\`)
}
