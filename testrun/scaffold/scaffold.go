// Package scaffold makes empty projects: a language has a [Template], and any text
// names the project. What a template makes builds, has no test yet, and passes the
// language's formatter and linter without a network.
package scaffold

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/unicode/norm"
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

const (
	// fallback names a project whose own name leaves nothing to use, and keeps
	// a name that is taken or begins with a digit apart.
	fallback = "kata"
	// longest keeps the names of build products below what file systems allow.
	longest = 64
)

// deviceNames mean something to Windows, where no file can be called so.
const deviceNames = ` aux com0 com1 com2 com3 com4 com5 com6 com7 com8 com9 con
		lpt0 lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9 nul prn`

// Identifier turns any text into a name for a project: lower-case ASCII letters
// and digits, in words that are joined as the language has it. Accents are dropped
// and every other sign parts words. A name that is taken gets "kata" behind it, one
// that begins with a digit gets it in front.
func (t Template) Identifier(project string) string {
	plain := runes.Remove(runes.In(unicode.Mn)).String(norm.NFKD.String(project)) // an accent is set apart from its letter
	name := strings.Join(strings.FieldsFunc(strings.ToLower(plain), func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), t.Join)
	if name == "" {
		return fallback
	}
	if unicode.IsDigit(rune(name[0])) {
		name = fallback + t.Join + name
	}
	name = strings.TrimRight(name[:min(len(name), longest)], t.Join)
	taken, _ := fs.ReadFile(t.Files, "scaffold/taken.txt") // a language may have none
	if slices.Contains(strings.Fields(string(taken)+deviceNames), name) {
		name += t.Join + fallback
	}
	return name
}
