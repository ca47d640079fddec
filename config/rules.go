package config

import (
	"cmp"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/internal/nearest"
	"github.com/git-tdd/git-tdd/testrun"
)

// The rules below judge one value each. They return what to write instead, or
// "" if the value is right.

// The names that may be given.
var (
	languagePattern = lazyregexp.New(`^[a-z\d+#._-]{0,32}$`)
	rolePattern     = lazyregexp.New(`^[a-z][a-z\d-]{0,31}$`)
	providerPattern = lazyregexp.New(`^[A-Za-z\d._-]{1,32}$`)
	variablePattern = lazyregexp.New(`^[A-Za-z_]\w*$`)
)

// unless is what to write instead of a value that is not right.
func unless[T any](right func(T) bool, value T, remedy string) string {
	if right(value) {
		return ""
	}
	return remedy
}

func oneOf(words ...string) func(string) string {
	return func(s string) string {
		if slices.Contains(words, s) {
			return ""
		}
		if near := nearest.Of(s, words); near != "" {
			return "write " + near
		}
		return "write one of " + strings.Join(words, ", ")
	}
}

func optional(rule func(string) string) func(string) string {
	return func(s string) string {
		if s == "" {
			return ""
		}
		return rule(s)
	}
}

// clean reports whether s is one line of text that is safe in a terminal, in a
// commit and in a file's name.
func clean(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}

func treePath(s string) string {
	switch {
	case !fs.ValidPath(s) || s == "." || strings.Contains(s, `\`) || !clean(s):
		return "write a path in the tree, with slashes, without a leading ./ or any .."
	case slices.ContainsFunc(strings.Split(s, "/"), func(part string) bool { return strings.EqualFold(part, ".git") }):
		return "write a path outside .git"
	}
	return ""
}

// outsidePath checks a path on this machine.
func outsidePath(s string) string {
	for _, start := range []string{"/", "~/", "../"} {
		if rest, ok := strings.CutPrefix(s, start); ok && rest != "" && clean(s) {
			return ""
		}
	}
	return "write a path outside the project: from /, from your home as in ~/data, or beside the project as in ../other"
}

// Outside is a path of the settings on this machine: one that outsidePath accepts, of a
// project at top, for a user with that home.
func Outside(path, top, home string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return filepath.Join(home, rest)
	}
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(top, path)
}

// languageName checks that a name is safe on one line; whether the language is
// known depends on the other settings.
func languageName(s string) string {
	return unless(languagePattern.MatchString, s, "name a language with lower-case letters, digits, and any of + - # . _, at most 32")
}

func tool(s string) string {
	return cmp.Or(argument(s), command(append(strings.Fields(s), "")))
}

func declaring(s string) string { return expression(testrun.CompileDeclaring(s)) }

func asserting(s string) string { return expression(testrun.CompileMatching(s)) }

func expression(_ *regexp.Regexp, err error) string {
	if err == nil {
		return ""
	}
	why := err.Error()
	return "write a regular expression as Go has them: " + why[strings.LastIndex(why, `": `)+3:]
}

// roleName checks that a role's name is safe in a trailer and in a file's name.
func roleName(s string) string {
	if !rolePattern.MatchString(s) {
		return "name a role with lower-case letters, digits and hyphens, at most 32"
	}
	if gates.Role(s) == gates.Keeper {
		return "give the role another name: this one is that of rules"
	}
	return ""
}

// rulebook checks that a role is one of the three that the gates know; any
// other role plays one of them.
func rulebook(s string) string {
	return oneOf(string(gates.Tester), string(gates.Implementor), string(gates.Refactorer))(s)
}

func providerName(s string) string {
	return unless(providerPattern.MatchString, s, "name a provider with letters, digits, and any of . _ -, at most 32")
}

func modelName(s string) string {
	plain := func(s string) bool { return len(s) <= 200 && clean(s) && !strings.ContainsFunc(s, unicode.IsSpace) }
	return unless(plain, s, "write the model's name, without white space, at most 200 bytes")
}

func baseURL(s string) string {
	u, err := url.Parse(s)
	switch {
	case err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https"):
		return "write an address such as https://api.example.com/v1"
	case u.User != nil:
		return "take the name and password out; name the variable that holds the key in api_key_env"
	case u.RawQuery != "" || u.ForceQuery || strings.Contains(s, "#"):
		return "end the address with its path, without ? and #"
	}
	return ""
}

func variable(s string) string {
	return unless(variablePattern.MatchString, s, "write the name of an environment variable, such as LLM_API_KEY; a key itself never belongs here")
}

// declaration refuses git's own variables: they would point the project's
// commands at another repository.
func declaration(s string) string {
	name, _, found := strings.Cut(s, "=")
	switch {
	case !found || variable(name) != "" || strings.ContainsRune(s, 0):
		return "write NAME=value"
	case strings.HasPrefix(strings.ToUpper(name), "GIT_"):
		return "leave it out: commands run without git's variables"
	}
	return ""
}

func identity(s string) string {
	plain := func(s string) bool { return strings.TrimSpace(s) != "" && !strings.ContainsAny(s, "<>") && clean(s) }
	return unless(plain, s, "write one line, not empty, without < and >")
}

func redReason(s string) string {
	never := []gates.Class{
		gates.ClassCompile, gates.ClassSyntax, gates.ClassNoTests, gates.ClassTimeout,
		gates.ClassCrash, gates.ClassRunnerMissing, gates.ClassInfra,
	}
	if slices.Contains(never, gates.Class(s)) {
		return "leave it out: a run that failed for this reason says nothing about what the test demands"
	}
	return oneOf(string(gates.ClassAssertion), string(gates.ClassUnimplemented), string(gates.ClassException), string(gates.ClassMissingSymbol))(s)
}

func pattern(s string) string {
	switch {
	case s == "" || !clean(s) || !doublestar.ValidatePattern(s):
		return "write a pattern such as docs/** or *.lock"
	case strings.HasPrefix(s, "/") || strings.HasPrefix(s, "./"):
		return "start at the top of the tree, without / or ./"
	}
	return ""
}

// report keeps reports, which are removed before a run, apart from the
// project's own files: a pattern for all files would empty the tree.
func report(s string) string {
	if s == reportTAP || s == reportExitCode {
		return ""
	}
	if remedy := pattern(s); remedy != "" {
		return remedy
	}
	last := s[strings.LastIndexByte(s, '/')+1:]
	switch {
	case slices.Contains(strings.Split(s, "/"), ".."):
		return "write a pattern without .."
	case strings.Trim(path.Ext(last), ".*?") == "":
		return "write the files that the runner writes, such as reports/**/*.xml (JUnit) or out/*.tap; tap for its output; or exit-code"
	}
	return ""
}

// The rules below judge a whole list, after its items.

func needed(rule func([]string) string) func([]string) string {
	return func(l []string) string {
		if len(l) == 0 {
			return "write at least one; without any there is nothing to judge by"
		}
		return rule(l)
	}
}

func distinct(l []string) string {
	for i, s := range l {
		if slices.Contains(l[:i], s) {
			return fmt.Sprintf("write %s once", printable(s))
		}
	}
	return ""
}

func rotation(l []string) string {
	if len(l) == 0 {
		return "name at least one role; leave the key out for tester, implementor, refactorer"
	}
	return distinct(l)
}

// turnTime checks how long one turn of an agent may take.
func turnTime(s string) string {
	if d, err := time.ParseDuration(s); err != nil || d < time.Second {
		return "write a time such as 15m, one second at least"
	}
	return ""
}

func argument(s string) string {
	whole := func(s string) bool { return !strings.ContainsRune(s, 0) }
	return unless(whole, s, "take the NUL out: no command can be given one")
}

func command(l []string) string {
	named := func(l []string) bool { return len(l) == 0 || strings.TrimSpace(l[0]) != "" }
	return unless(named, l, "start with the name of a program")
}
