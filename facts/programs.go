package facts

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

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
