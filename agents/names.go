package agents

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// The longest names that every file system accepts, in bytes, and what a new path may have.
const (
	maxSegment    = 255
	maxPath       = 4096
	maxNewPath    = 240
	maxNewFolders = 32
)

const remedyPath = "give the path relative to the repository's root, with forward slashes, as in src/lib.rs"

// malformed says why a text is not a path inside a repository.
func malformed(path string) string {
	switch {
	case path == "":
		return "no path"
	case len(path) > maxPath:
		return fmt.Sprintf("a path of %d bytes", len(path))
	case !utf8.ValidString(path):
		return "a path that is not UTF-8"
	case strings.HasPrefix(path, "/"):
		return "an absolute path"
	case strings.Contains(path, `\`):
		return "a backslash in the path"
	case strings.ContainsFunc(path, unicode.IsControl):
		return "a control character in the path"
	case len(path) > 1 && path[1] == ':' && unicode.IsLetter(rune(path[0])):
		return "a path with a drive"
	case strings.HasSuffix(path, "/"):
		return "a path that ends with a slash"
	}
	for segment := range strings.SplitSeq(path, "/") {
		switch {
		case segment == "":
			return "an empty segment in the path"
		case segment == "." || segment == "..":
			return fmt.Sprintf("the segment %q in the path", segment)
		case len(segment) > maxSegment:
			return fmt.Sprintf("a segment of %d bytes in the path", len(segment))
		}
	}
	return ""
}

// guarded is a segment that some file system takes for a name that controls git or git-tdd; empty
// if there is none.
func guarded(path string) string {
	for segment := range strings.SplitSeq(path, "/") {
		name, _, _ := strings.Cut(fold(segment), ":")
		if guardedPattern().MatchString(strings.TrimRight(name, ". ")) {
			return segment
		}
	}
	return ""
}

var (
	// guardedPattern finds names that control git or git-tdd, and their 8.3 aliases.
	guardedPattern = lazyregexp.New(`^(?:(?:\.git|\.gitmodules|\.tdd|\.?tdd\.yaml)$|(?:git|gitmod|gi7eba|tdd)~[0-9])`)
	// reservedPattern finds the names of devices.
	reservedPattern = lazyregexp.New(`^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9]) *$`)
)

// unportable says why a new name does not work on every system.
func unportable(segment string) string {
	stem, _, _ := strings.Cut(fold(segment), ".")
	switch {
	case strings.ContainsFunc(segment, invisible):
		return "an invisible character in the name"
	case strings.ContainsAny(segment, `<>:"|?*`):
		return `one of the characters < > : " | ? * in the name`
	case strings.HasSuffix(segment, ".") || strings.HasSuffix(segment, " "):
		return "a name that ends with a dot or a space"
	case strings.HasPrefix(segment, " "):
		return "a name that begins with a space"
	case reservedPattern().MatchString(stem):
		return "a name that Windows reserves"
	case shortName(stem):
		return "a name that Windows takes for a short form of another"
	}
	return ""
}

// shortName reports whether a folded stem has the form of an 8.3 alias, like progra~1.
func shortName(stem string) bool {
	name, number, found := strings.Cut(stem, "~")
	return found && len(name) <= 6 && len(number) == 1 && strings.Contains("0123456789", number)
}

// fold maps names that some file system considers equal to the same text; it errs on the side of refusing.
func fold(name string) string {
	if !strings.ContainsFunc(name, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return strings.ToLower(name)
	}
	return strings.ReplaceAll(strings.Map(func(r rune) rune {
		if invisible(r) {
			return -1
		}
		return unicode.ToLower(unicode.ToUpper(r))
	}, norm.NFKD.String(name)), "ß", "ss")
}
