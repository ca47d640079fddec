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

// fingerprint hashes all that decides what a toolchain says of its version,
// without running it: the programs, found as they would be, the state of a
// manager of versions behind them, the files that choose one, and the
// environment. sure is false where something decisive cannot be seen; a tool
// that is not known here, or a script in its place, decides by what it likes.
func (m *Measurer) fingerprint(files map[string][]byte) (mark string, sure bool) {
	p := prints{m: m, sure: true}
	for _, kv := range m.opts.Environ {
		if decisive(kv) {
			p.add(kv)
		}
	}
	p.add(words(m.opts.Env))
	for _, name := range m.opts.Language.VersionFiles {
		p.add(name, fmt.Sprint(files[name] != nil), string(files[name]))
		for dir := m.opts.Dirs.Cache; ; dir = filepath.Dir(dir) {
			p.content(filepath.Join(dir, name)) // a tool looks there too
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	for _, argv := range m.opts.Language.Tools {
		p.sure = p.sure && asksVersion(argv)
		p.tool(argv[0], files)
	}
	return digest("toolchain", p.parts...), p.sure && len(m.opts.Language.Tools) > 0
}

// asksVersion reports whether a command can do nothing but print a version:
// with more arguments it may read whatever it likes.
func asksVersion(argv []string) bool {
	return len(argv) == 2 && (strings.HasPrefix(argv[1], "-") || argv[0] == "go" && argv[1] == "version")
}

// decisive reports whether a variable may change which toolchain answers: those
// that commands see, and those by which the folders here are found.
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

// prints collects the parts of a fingerprint.
type prints struct {
	m     *Measurer
	parts []string
	sure  bool
}

func (p *prints) add(parts ...string) { p.parts = append(p.parts, parts...) }

// file adds what the system records of a file, through links, or that there is
// none.
func (p *prints) file(name string) {
	fi, err := os.Stat(name)
	if err != nil {
		p.add(name, "none")
		return
	}
	s := statOf(fi)
	p.sure = p.sure && s.CTime != 0
	p.add(name, fmt.Sprint(s))
}

// content adds what a small file says.
func (p *prints) content(name string) {
	data, err := os.ReadFile(name)
	p.add(name, fmt.Sprint(err == nil), string(data))
}

// tool adds what decides the answer of one program.
func (p *prints) tool(name string, files map[string][]byte) {
	found := p.m.locate(name)
	path, err := filepath.EvalSymlinks(found)
	if found == "" || err != nil {
		p.sure = false
		return
	}
	p.add(name, found, path)
	p.file(path)
	switch {
	case script(path):
		p.script(found, path)
	case name == "go":
		p.goTool(path)
	case name == "cargo" || name == "rustc":
		p.rustTool(name, path, files)
	default:
		p.plainTool(name, found, path)
	}
}

// locate finds a program as a command would: in absolute folders of the PATH.
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

// script reports whether a program is one, or cannot be read.
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
func (p *prints) goTool(path string) {
	for _, root := range []string{filepath.Dir(filepath.Dir(path)), p.m.value("GOROOT")} {
		if root != "" {
			p.file(filepath.Join(root, "VERSION"))
			p.content(filepath.Join(root, "go.env"))
		}
	}
	_, err := os.Stat(filepath.Join(filepath.Dir(filepath.Dir(path)), "VERSION"))
	p.sure = p.sure && err == nil && filepath.Base(path) == "go"
	home := p.m.value("HOME")
	for _, name := range []string{
		p.m.value("GOENV"), filepath.Join(p.m.value("XDG_CONFIG_HOME"), "go", "env"),
		filepath.Join(home, ".config", "go", "env"), filepath.Join(home, "Library", "Application Support", "go", "env"),
	} {
		if filepath.IsAbs(name) {
			p.content(name)
		}
	}
}

// rustTool adds the state of an installed toolchain, or of rustup where the
// program is a proxy of it: a link to it, or a copy beside it.
func (p *prints) rustTool(name, path string, files map[string][]byte) {
	p.file(filepath.Join(filepath.Dir(filepath.Dir(path)), "lib"))
	beside := filepath.Join(filepath.Dir(path), "rustup")
	p.file(beside)
	_, err := os.Stat(beside)
	switch {
	case err == nil || filepath.Base(path) == "rustup":
		p.rustup(files)
	case filepath.Base(path) != name:
		p.sure = false
	}
}

// rustup adds which toolchains there are and how the user chooses among them.
func (p *prints) rustup(files map[string][]byte) {
	home := p.m.value("RUSTUP_HOME")
	if home == "" {
		home = filepath.Join(p.m.value("HOME"), ".rustup")
	}
	p.sure = p.sure && filepath.IsAbs(home) && !byPath(p.m.value("RUSTUP_TOOLCHAIN"))
	for _, content := range files {
		p.sure = p.sure && !byPath(string(content))
	}
	p.content(filepath.Join(home, "settings.toml"))
	p.content("/etc/rustup/settings.toml")
	all := filepath.Join(home, "toolchains")
	p.file(all)
	installed, err := os.ReadDir(all)
	p.sure = p.sure && err == nil && runtime.GOOS != "windows"
	for _, toolchain := range installed {
		path, err := filepath.EvalSymlinks(filepath.Join(all, toolchain.Name()))
		p.add(toolchain.Name(), path, fmt.Sprint(err == nil))
		for _, part := range []string{"", "lib", "bin/cargo", "bin/rustc"} {
			p.file(filepath.Join(path, part))
		}
	}
}

// byPath reports whether a choice of a toolchain may be the path of a folder,
// which can lie anywhere.
func byPath(choice string) bool {
	return strings.Contains(choice, "path") || strings.ContainsAny(choice, `/\`)
}
