package rust

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/testrun"
)

// identify adds the state of an installed toolchain, or of rustup if the program
// is a proxy of it: a link to it, or a copy beside it.
func identify(f testrun.Fingerprint, tool, path string) bool {
	if tool != "cargo" && tool != "rustc" {
		return false
	}
	f.File(filepath.Join(filepath.Dir(filepath.Dir(path)), "lib"))
	beside := filepath.Join(filepath.Dir(path), "rustup")
	f.File(beside)
	_, err := os.Stat(beside)
	switch {
	case err == nil || filepath.Base(path) == "rustup":
		identifyRustup(f)
	case filepath.Base(path) != tool:
		f.Incomplete()
	}
	return true
}

// identifyRustup adds which toolchains there are and how the user chooses among
// them.
func identifyRustup(f testrun.Fingerprint) {
	home := f.Value("RUSTUP_HOME")
	if home == "" {
		home = filepath.Join(f.Value("HOME"), ".rustup")
	}
	if !filepath.IsAbs(home) || slices.ContainsFunc(append(f.Chosen(), f.Value("RUSTUP_TOOLCHAIN")), byPath) {
		f.Incomplete()
	}
	f.Content(filepath.Join(home, "settings.toml"))
	f.Content("/etc/rustup/settings.toml")
	all := filepath.Join(home, "toolchains")
	f.File(all)
	installed, err := os.ReadDir(all)
	if err != nil || runtime.GOOS == "windows" {
		f.Incomplete()
	}
	for _, toolchain := range installed {
		path, err := filepath.EvalSymlinks(filepath.Join(all, toolchain.Name()))
		f.Add(toolchain.Name(), path, fmt.Sprint(err == nil))
		for _, part := range []string{"", "lib", "bin/cargo", "bin/rustc"} {
			f.File(filepath.Join(path, part))
		}
	}
}

// byPath reports whether a choice of a toolchain may be the path of a folder,
// which can lie anywhere.
func byPath(choice string) bool {
	return strings.Contains(choice, "path") || strings.ContainsAny(choice, `/\`)
}

// caches are where cargo keeps what it fetched.
func caches(value func(name string) string) []string {
	home := cargoHome(value)
	return []string{filepath.Join(home, "registry"), filepath.Join(home, "git")}
}

// sees is where rustup keeps what it installed, and what cargo reads of its home: not
// its keys.
func sees(value func(name string) string) []string {
	home := cargoHome(value)
	return []string{
		cmp.Or(value("RUSTUP_HOME"), filepath.Join(value("HOME"), ".rustup")),
		filepath.Join(home, "bin"), filepath.Join(home, "config.toml"), filepath.Join(home, "config"), filepath.Join(home, "env"),
	}
}

func cargoHome(value func(name string) string) string {
	return cmp.Or(value("CARGO_HOME"), filepath.Join(value("HOME"), ".cargo"))
}
