package php

import (
	"cmp"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/journal"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// raised says what an exception of PHP means. As in Python, a name that a
// test misses is one that is not written yet.
type raised struct{ places *testrun.Places }

// explain finds class and place of an exception.
func (r raised) explain(e journal.Event) journal.Finding {
	f, at := journal.RaisedAt(r.places, e.Frames, func(name string) string {
		if file := r.places.Relative(name); !strings.HasPrefix(file, "vendor/") {
			return file
		}
		return ""
	})
	f.Class, f.Symbol = r.class(e, at)
	return f
}

func (r raised) class(e journal.Event, at testrun.Place) (gates.Class, string) {
	kind := ""
	if len(e.Kinds) > 0 {
		kind = e.Kinds[0]
	}
	kind = kind[strings.LastIndexByte(kind, '\\')+1:]
	words := strings.TrimPrefix(strings.TrimPrefix(e.Message, "Error: "), "ParseError: ")
	switch {
	case kind == trouble && strings.HasPrefix(words, "No tests found"):
		return gates.ClassNoTests, ""
	case kind == trouble:
		return gates.ClassInfra, ""
	case kind == "ParseError", strings.HasPrefix(e.Message, "ParseError: "), output.HasAnyPrefix(words, "syntax error", "Unclosed '", "Unmatched '", "Unterminated "):
		return gates.ClassSyntax, ""
	case regexp.MustCompile(`(?i)notimplemented|unimplemented`).MatchString(kind), kind != "" && output.SaysUnimplemented(words) && !phpExpects(kind):
		return gates.ClassUnimplemented, ""
	case phpExpects(kind):
		if at == testrun.InSource || strings.HasPrefix(words, "Test was run in child process and ended unexpectedly") {
			return gates.ClassException, ""
		}
		return gates.ClassAssertion, ""
	}
	if file, ok := phpRequired(words); ok {
		return r.required(file, at)
	}
	symbol := missing(words)
	switch {
	case symbol != "" && r.foreign(words):
		return gates.ClassInfra, ""
	case symbol != "" && at == testrun.InTest:
		return gates.ClassMissingSymbol, symbol
	case kind == "" && e.Event == "broken" && symbol == "" && phpRefused(words), kind == "" && symbol != "":
		return gates.ClassCompile, ""
	}
	return gates.ClassException, ""
}

// trouble is the kind of what troubles PHPUnit itself.
const trouble = "PHPUnit itself"

// phpExpects reports whether an exception says that an expectation was not met.
func phpExpects(kind string) bool {
	return kind == "InvalidCountException" || regexp.MustCompile(`(?i)expectation|assert|comparisonfailure`).MatchString(kind)
}

// phpRefused reports whether PHP would not take a declaration.
func phpRefused(words string) bool {
	return regexp.MustCompile(`abstract method|must be compatible|Cannot (?:redeclare|declare|use|inherit|override|make)|already in use|cannot (?:extend|implement|use)|must implement|Access level`).MatchString(words)
}

// missing finds the name that was asked for in vain.
func missing(words string) string {
	for _, re := range []string{
		`^Call to undefined (?:method|function) (?:.*::)?([^:()]+)\(\)`,
		`^(?:Class|Interface|Trait|Enum|Class or interface|Class, interface or trait) "([^"]+)" (?:not found|does not exist)`,
		`^Undefined (?:class )?constant "?(?:[^":]*::)?([^":]+)"?`,
		`^Access to undeclared static property .*::\$(\w+)`,
		`^Undefined property: .*::\$(\w+)`,
		`^Unknown named parameter \$(\w+)`,
	} {
		if hit := regexp.MustCompile(re).FindStringSubmatch(words); hit != nil {
			return hit[1][strings.LastIndexByte(hit[1], '\\')+1:]
		}
	}
	return ""
}

// phpRequired is the file that could not be included.
func phpRequired(words string) (file string, ok bool) {
	hit := regexp.MustCompile(`^(?:Failed opening required '([^']+)'|(?:require|include)(?:_once)?\(([^)]+)\): Failed to open stream)`).FindStringSubmatch(words)
	if hit == nil {
		return "", false
	}
	return cmp.Or(hit[1], hit[2]), true
}

// required is the class of a file that could not be included. What Composer
// installs was not asked for by a test, nor is what production code includes.
func (r raised) required(file string, at testrun.Place) (gates.Class, string) {
	base := path.Base(filepath.ToSlash(file))
	switch {
	case strings.Contains(file, "vendor/"), filepath.IsAbs(file) && !strings.HasPrefix(file, r.places.Dir) && !strings.HasPrefix(file, testrun.Resolved(r.places.Dir)):
		return gates.ClassInfra, ""
	case at == testrun.InSource:
		return gates.ClassCompile, ""
	}
	return gates.ClassMissingSymbol, strings.TrimSuffix(base, path.Ext(base))
}

// foreign reports whether a class that is missing would be a library's: it lies
// in a namespace, and the project says which are its own.
func (r raised) foreign(words string) bool {
	hit := regexp.MustCompile(`^\w[^"]*"([^"]+)\\[^"\\]+"`).FindStringSubmatch(words)
	if hit == nil {
		return false
	}
	var manifest struct {
		Autoload, AutoloadDev struct {
			PSR4 map[string]any `json:"psr-4"`
			PSR0 map[string]any `json:"psr-0"`
		}
	}
	raw, err := os.ReadFile(filepath.Join(r.places.Dir, "composer.json"))
	if err != nil || json.Unmarshal([]byte(strings.ReplaceAll(string(raw), `"autoload-dev"`, `"AutoloadDev"`)), &manifest) != nil {
		return false
	}
	own := 0
	for _, names := range []map[string]any{manifest.Autoload.PSR4, manifest.Autoload.PSR0, manifest.AutoloadDev.PSR4, manifest.AutoloadDev.PSR0} {
		for name := range names {
			if top := strings.TrimSuffix(name, `\`); hit[1] == top || strings.HasPrefix(hit[1], top+`\`) {
				return false
			}
			own++
		}
	}
	return own > 0
}
