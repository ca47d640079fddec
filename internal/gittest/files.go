package gittest

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// Files maps paths to contents. As in the output of "ls -F", a name that ends in
// * is an executable, and one that ends in @ a symbolic link to its content.
type Files map[string]string

// Txtar reads the files of a text in which each follows a line "-- name --".
func Txtar(text string) Files {
	out := Files{}
	for _, f := range txtar.Parse([]byte(text)).Files {
		out[f.Name] = string(f.Data)
	}
	return out
}

// With returns the files with some changes. The content "-" takes a file away.
func (f Files) With(changes Files) Files {
	out := maps.Clone(f)
	maps.Copy(out, changes)
	maps.DeleteFunc(out, func(_, content string) bool { return content == "-" })
	return out
}

// Write writes the files below a folder.
func (f Files) Write(tb testing.TB, dir string) {
	tb.Helper()
	for name, content := range f {
		path := filepath.Join(dir, filepath.FromSlash(strings.TrimRight(name, "*@")))
		if strings.HasSuffix(name, "@") {
			Check(tb, os.MkdirAll(filepath.Dir(path), 0o700))
			Check(tb, os.Symlink(content, path))
			continue
		}
		Write(tb, path, content)
		if strings.HasSuffix(name, "*") {
			Check(tb, os.Chmod(path, 0o700))
		}
	}
}

// Snapshot reads the files below a folder, all but those in the folders named. A
// folder that does not exist holds none.
func Snapshot(tb testing.TB, dir string, but ...string) Files {
	tb.Helper()
	out := Files{}
	Check(tb, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if path == dir && errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		Check(tb, err)
		name, err := filepath.Rel(dir, path)
		Check(tb, err)
		name = filepath.ToSlash(name)
		if d.IsDir() && slices.Contains(but, name) {
			return filepath.SkipDir
		}
		info, err := d.Info()
		Check(tb, err)
		switch mode := info.Mode(); {
		case mode.Type() == fs.ModeSymlink:
			out[name+"@"], err = os.Readlink(path)
		case mode.IsRegular() && mode.Perm()&0o111 != 0:
			out[name+"*"] = Read(tb, path)
		case mode.IsRegular():
			out[name] = Read(tb, path)
		}
		return err
	}))
	return out
}
