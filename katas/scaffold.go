package katas

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// The files end in .tmpl, so that neither Go, nor git, nor an editor treats
// them as its own.
//
//go:embed all:scaffold
var scaffolds embed.FS

// placeholder stands for the project's identifier in templates and their paths.
const placeholder = "__name__"

// File is one file of a scaffold.
type File struct {
	// Path is slash-separated and relative to the project's root.
	Path    string
	Content []byte
}

// Languages returns the languages that have a scaffold, in order.
func Languages() []string {
	return []string{"cpp", "go", "java", "javascript", "python", "rust", "typescript"}
}

// Installs is the command that installs what is needed to check an empty
// project of the language; empty if the toolchain itself is enough.
func Installs(language string) string {
	if language == "typescript" {
		return "npm install"
	}
	return ""
}

// Scaffold returns the files of an empty project that works, in the order of
// their paths. The project's name may be any text, such as the name of its
// folder; it is turned into a legal identifier of the language. A language
// without a scaffold fails with [ErrUnknown], and the error lists those with
// one.
func Scaffold(language, project string) ([]File, error) {
	key := strings.ToLower(strings.TrimSpace(language))
	if !slices.Contains(Languages(), key) {
		return nil, unknown("scaffold", language, key, Languages())
	}
	root, err := fs.Sub(scaffolds, "scaffold/"+key)
	if err != nil {
		return nil, fmt.Errorf("open the scaffold of %s: %w", key, err)
	}
	return fill(root, identifier(key, project))
}

// fill reads every template and inserts the name.
func fill(root fs.FS, name string) ([]File, error) {
	var files []File
	err := fs.WalkDir(root, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(root, path)
		if err != nil {
			return err
		}
		files = append(files, File{
			Path:    strings.ReplaceAll(strings.TrimSuffix(path, ".tmpl"), placeholder, name),
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
