package gates

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// firstLine is the first line of a text, cut if it is long.
func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return Clip(line, 200)
}

// Clip is the beginning of a line, of so many letters at most.
func Clip(line string, most int) string {
	if letters := []rune(line); len(letters) > most {
		return string(letters[:most]) + "…"
	}
	return line
}

// Count is a number of things, in words.
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Counts says how many there are of each kind, without those of which there is none.
func Counts[K ~string](all, kinds []K, word func(K) string) (parts []string) {
	for _, kind := range kinds {
		if n := len(slices.DeleteFunc(slices.Clone(all), func(k K) bool { return k != kind })); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, word(kind)))
		}
	}
	return parts
}

// Word is a kind as it is written.
func Word[K ~string](kind K) string { return string(kind) }

// moreLines returns the lines that occur more often in a text than in another
// one. Indentation does not count.
func moreLines(text, than string) []string { return without(trimmed(text), trimmed(than)) }

// trimmed are the lines of a text, each without the space around it.
func trimmed(text string) []string {
	return Each(slices.Collect(strings.Lines(text)), strings.TrimSpace)
}

// names reports whether one of the lines contains one of the words.
func names(lines []string, words ...string) bool {
	return slices.ContainsFunc(lines, func(line string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return wordAt(line, word) >= 0 })
	})
}

// defines reports whether one of the lines declares the word: it directly
// follows one of the languages' keywords for declarations.
func defines(lines []string, word string) bool {
	return slices.ContainsFunc(lines, func(line string) bool {
		at := wordAt(line, word)
		if at < 0 {
			return false
		}
		before := strings.Fields(line[:at])
		return len(before) > 0 && slices.Contains([]string{
			"fn", "func", "def", "function", "class", "struct", "enum", "trait", "interface",
			"type", "mod", "let", "mut", "const", "static", "var", "macro_rules!",
		}, before[len(before)-1])
	})
}

// wordAt is the index of the first place where the word occurs in text as a
// whole word; -1 if there is none.
func wordAt(text, word string) int {
	for at := 0; word != "" && at < len(text); {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return -1
		}
		i += at
		end := i + len(word)
		if (i == 0 || !wordByte(text[i-1])) && (end == len(text) || !wordByte(text[end])) {
			return i
		}
		at = i + 1
	}
	return -1
}

func wordByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}

// declaration is the index of the line that declares a name, or has it as a title, or
// otherwise of the first that mentions it.
func declaration(lines []string, name string) int {
	if i := slices.IndexFunc(lines, func(line string) bool { return defines([]string{line}, name) }); i >= 0 {
		return i
	}
	quoted := []string{`"` + name + `"`, "'" + name + "'", "`" + name + "`"}
	titles := func(line string) bool { // and none that only begins so
		return slices.ContainsFunc(quoted, func(title string) bool { return strings.Contains(line, title) })
	}
	if i := slices.IndexFunc(lines, titles); i >= 0 {
		return i
	}
	return slices.IndexFunc(lines, func(line string) bool { return wordAt(line, name) >= 0 })
}

// callPattern is a name that is called, made or looked into.
var callPattern = lazyregexp.New(`([\pL_$][\pL\d_$]*)(?:\(|\{|<|::|\s+\{)`)

// calls lists the names that a line calls, or makes values of.
func calls(line string) []string {
	return Each(callPattern().FindAllStringSubmatch(line, -1), func(hit []string) string { return hit[1] })
}

func attribute(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "#[") || strings.HasPrefix(line, "@")
}

// Indent is how far a line is indented.
func Indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// ChangesHelpers reports whether something of a file that is no test is gone or reads
// otherwise: the tests of any file may use it. What it imports is for itself only. What
// comes counts where it may change what the tests of before use.
func (c FileChange) ChangesHelpers() bool {
	if len(cmp.Or(c.New, c.Old).Declared) == 0 {
		return true
	}
	was, now := helpers(c.Old, unicode.IsLetter), helpers(c.New, unicode.IsLetter)
	return changes(was, now) || slices.ContainsFunc(sortedKeys(now), func(head string) bool {
		_, there := was[head]
		return !there && c.intrudes(head, now[head])
	})
}

// changes reports whether some parts of a file are not all as they were.
func changes(was, now map[string]string) bool {
	return slices.ContainsFunc(sortedKeys(was), func(head string) bool { return now[head] != was[head] })
}

var (
	// declaringPattern finds the name that a line declares for others to use.
	declaringPattern = lazyregexp.New(`^(?:[a-z]+ )*(?:def|func|function|fn|class|struct|enum|trait|interface|type|module|mod|const|let|var|static)\b(?: \([^)]*\))? ([\w$]+)|^([\w$]+)(?: ?\(\) ?\{| :?=)`)
	// receiverPattern finds the type that a method of Go is declared for.
	receiverPattern = lazyregexp.New(`^func \((?:\w+ )?\*?(\w+)`)
	// importingPattern finds what only brings names from elsewhere.
	importingPattern = lazyregexp.New(`^(?:package|import|from|use|using|require|#include)(?: |$)|^(?:const|let|var) [^=]*= (?:await )?(?:require|import)\(`)
	// unaskedPattern finds what runs before or after tests without their naming it.
	unaskedPattern = lazyregexp.New(`(?i)^(?:setup|teardown|before|after|init$|testmain|pytest_)`)
)

// DeclaredNames are the functions and types that a text declares, as far as their lines
// show it.
func DeclaredNames(text string) (names []string) {
	for line := range strings.SplitSeq(text, "\n") {
		if m := declaringPattern().FindStringSubmatch(strings.Join(strings.Fields(line), " ")); m != nil && m[1] != "" {
			names = append(names, m[1])
		}
	}
	return names
}

// declaredIn is the name that a line declares; empty if it declares none.
func declaredIn(line string) string {
	m := declaringPattern().FindStringSubmatch(strings.Join(strings.Fields(line), " "))
	if m == nil {
		return ""
	}
	return m[1] + m[2]
}

// intrudes reports whether a part that comes to a file may change what its tests of
// before do: it declares a name that they use, does something to one, or runs unasked.
func (c FileChange) intrudes(head, text string) bool {
	if head == "" || !wordByte(head[0]) || attribute(head) {
		return strings.Contains(head, "autouse")
	}
	words := Identifiers(text)
	if method := receiverPattern().FindStringSubmatch(head); method != nil {
		words = method[1:]
	} else if name := declaredIn(head); name != "" {
		words = []string{name}
	}
	return unaskedPattern.MatchString(words[0]) || slices.ContainsFunc(sideOf(c.Old).Declared, func(test string) bool {
		return names([]string{ownText(c.Old, test)}, words...)
	})
}

// says reports whether a letter is part of a word, a number or a text.
func says(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("\"'`", r)
}

// betweenTests are the lines of a file's tests that belong to none of them and are not blank.
func betweenTests(f *File) []string {
	lines := strings.Split(sideOf(f).Test, "\n")
	for _, name := range sideOf(f).Declared {
		first, last := ownLines(lines, name)
		lines = slices.Delete(lines, first, last)
	}
	return slices.DeleteFunc(lines, func(line string) bool { return strings.TrimSpace(line) == "" })
}

// helpers are the parts of a file between its tests, by their first lines. Lines without a
// letter that counts only close what others open.
func helpers(f *File, counts func(letter rune) bool) map[string]string {
	out, head := map[string]string{}, ""
	for _, line := range betweenTests(f) {
		text := strings.Join(strings.Fields(line), " ")
		if !strings.ContainsFunc(text, counts) || text == "end" {
			continue
		}
		if Indent(line) == 0 {
			head = text
		}
		if !importingPattern.MatchString(head) {
			out[head] += text + "\n"
		}
	}
	return out
}

// originPattern finds where an import has its names from: what stands in quotes, what Python
// says first, or a path without its last part.
var originPattern = lazyregexp.New(`^[^"'<]*(?:["']([^"']+)["']|<([^>]+)>)|^from ([\w.]+) |^(?:import|use|using)(?: static)? ([\w.:\\]+?)(?:(?:::|[.\\])[\w*]+)?(?:::|\\)?(?: as \w+|[ {;].*)?$`)

// blockImportPattern matches a line of Go's import ( … ).
var blockImportPattern = lazyregexp.New(`^(?:[\w.]+ )?"[^"]+"$`)

// origins are the places from which a file of tests imports names.
func origins(f *File) (out []string) {
	for line := range strings.SplitSeq(sideOf(f).Test, "\n") {
		text := strings.Join(strings.Fields(line), " ")
		if !importingPattern.MatchString(text) && !blockImportPattern.MatchString(text) {
			continue
		}
		if m := originPattern().FindStringSubmatch(text); m != nil {
			out = append(out, m[1]+m[2]+m[3]+m[4])
		}
	}
	return out
}

// importsFromElsewhere reports whether a file of tests that was there before no longer imports
// from where it did, and from somewhere else instead.
func (c FileChange) importsFromElsewhere() bool {
	if c.Old == nil || c.New == nil || c.Renamed() || len(c.Old.Declared) == 0 {
		return false
	}
	was, now := origins(c.Old), origins(c.New)
	return len(without(was, now)) > 0 && len(without(now, was)) > 0
}
