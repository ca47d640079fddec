package agenthook

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// list is a folder, for patterns; what cannot be read holds nothing.
func list(dir string) ([]fs.DirEntry, error) {
	if !filepath.IsAbs(dir) {
		return nil, fs.ErrNotExist
	}
	return os.ReadDir(dir)
}

// write adds a file that is written, as far as its path is known.
func (s *script) write(w Write) {
	if !known(w.Path) {
		w.Path, _ = path.Split(w.Path[:strings.IndexAny(w.Path, anything[:3]+aName)])
	}
	if w.Path != "" && !strings.HasPrefix(w.Path, "/dev/") {
		w.Path = s.from(w.Path)
		s.writes = append(s.writes, w)
	}
}

// written lists the files that a command names as what it changes.
func written(argv []string) (all []Write) {
	operands := slices.DeleteFunc(slices.Clone(argv[1:]), func(a string) bool { return strings.HasPrefix(a, "-") })
	switch argv[0] {
	case "rm", "unlink", "shred":
		return each(Write{below: true}, operands)
	case "mv":
		last := max(0, len(operands)-1)
		return append(each(Write{below: true}, operands[:last]), each(Write{}, operands[last:])...)
	case "tee", "truncate", "touch", "chmod", "chown":
		return each(Write{}, operands)
	case "cp", "ln", "install", "rsync":
		return each(Write{}, operands[max(0, len(operands)-1):])
	case "git":
		if len(operands) > 0 && (operands[0] == "rm" || operands[0] == "mv") {
			return each(Write{below: true}, operands[1:])
		}
	case "sed", "perl", "ruby":
		if slices.ContainsFunc(argv[1:], inPlace) {
			return each(Write{}, operands)
		}
	case "dd":
		for _, a := range operands {
			if name, ok := strings.CutPrefix(a, "of="); ok {
				return each(Write{}, []string{name})
			}
		}
	}
	return nil
}

// each is the same write of several files.
func each(w Write, names []string) (all []Write) {
	for _, name := range names {
		w.Path = name
		all = append(all, w)
	}
	return all
}

// inPlace reports whether an option makes sed or perl edit in place.
func inPlace(option string) bool {
	return option == "--in-place" || strings.HasPrefix(option, "--in-place=") ||
		strings.HasPrefix(option, "-") && !strings.HasPrefix(option, "--") && strings.Contains(option, "i")
}
