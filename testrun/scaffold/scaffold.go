// Package scaffold makes empty projects: a language has a [Template], and any text
// names the project. What a template makes builds, has no test yet, and passes the
// language's formatter and linter without a network.
package scaffold

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// placeholder stands for the project's identifier in templates and their paths.
const placeholder = "__name__"

// Template is an empty project of a language.
type Template struct {
	// Files are the files below Root, where __name__ stands for the project's
	// identifier in paths and texts. Their names end in .tmpl, so that neither a
	// toolchain, nor git, nor an editor takes them for its own. The words of the file
	// scaffold/taken.txt are no identifier of a project.
	Files fs.FS
	Root  string
	Join  string // between the words of an identifier
	// Install is the command that installs what the project is checked with; empty
	// where the toolchain itself can.
	Install string
}

// Exists reports whether the language has a template at all.
func (t Template) Exists() bool { return t.Files != nil }

// File is one file of a project.
type File struct {
	// Path is slash-separated and relative to the project's root.
	Path    string
	Content []byte
}

// Make returns the files of an empty project, in the order of their paths. The
// project may be named by any text, such as the name of its folder; it is turned
// into an identifier that is legal in the language.
func (t Template) Make(project string) ([]File, error) {
	root, err := fs.Sub(t.Files, t.Root)
	if err != nil {
		return nil, fmt.Errorf("open the scaffold: %w", err)
	}
	name := t.Identifier(project)
	var files []File
	err = fs.WalkDir(root, ".", func(path string, _ fs.DirEntry, err error) error {
		file, ok := strings.CutSuffix(path, ".tmpl")
		if err != nil || !ok {
			return err
		}
		text, err := fs.ReadFile(root, path)
		if err != nil {
			return err
		}
		files = append(files, File{
			Path:    strings.ReplaceAll(file, placeholder, name),
			Content: []byte(strings.ReplaceAll(string(text), placeholder, name)),
		})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the scaffold: %w", err)
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return files, nil
}
