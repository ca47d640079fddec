package php

import (
	"cmp"
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/internal/wholefile"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/journal"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// explainer says what an exception means. A name that a test asks for in vain is
// one that nobody has written yet; in production code it is an ordinary exception.
type explainer struct{ places *testrun.Places }

// explain finds class and place of an exception.
func (x explainer) explain(e journal.Event) journal.Finding {
	e = provided(e)
	f, at := journal.RaisedAt(x.places, e.Frames, x.places.Language.Foreign)
	f.Class, f.Symbol = x.class(e, at)
	return f
}

var providedPattern = lazyregexp.New(`^The data provider specified for .* is invalid\.?\n(?:([\w\\]+): )?(.*)(?:\n(/.*|[A-Z]:.*):(\d+)$)?`)

// provided is what kept the data of a test from being had. PHPUnit wraps it in words
// of its own.
func provided(e journal.Event) journal.Event {
	hit := providedPattern().FindStringSubmatch(strings.TrimSpace(e.Message))
	if hit == nil || hit[1] == "" {
		return e
	}
	e.Kinds, e.Message = []string{hit[1]}, hit[2]
	if hit[3] != "" {
		e.Frames = []journal.Frame{{File: hit[3], Line: output.Atoi(hit[4])}}
	}
	return e
}

var (
	unimplementedPattern = lazyregexp.New(`(?i)notimplemented|unimplemented`)
	expectedPattern      = lazyregexp.New(`(?i)expectation|assert|comparisonfailure`)

	// refusedPattern finds declarations that PHP rejects.
	refusedPattern = lazyregexp.New(`abstract method|must be compatible|Cannot (?:redeclare|declare|use|inherit|override|make)|already in use|cannot (?:extend|implement|use)|must implement|Access level`)
)

// class is the class of an exception that was raised in somebody's code, and the
// name that it misses.
func (x explainer) class(e journal.Event, at testrun.Place) (gates.Class, string) {
	kind := ""
	if len(e.Kinds) > 0 {
		kind = e.Kinds[0]
	}
	kind = kind[strings.LastIndexByte(kind, '\\')+1:]
	words := strings.TrimPrefix(strings.TrimPrefix(e.Message, "Error: "), "ParseError: ")
	switch {
	case kind == runnerTrouble && strings.HasPrefix(words, "No tests found"):
		return gates.ClassNoTests, ""
	case kind == runnerTrouble:
		return gates.ClassInfra, ""
	case kind == "ParseError", strings.HasPrefix(e.Message, "ParseError: "), output.HasAnyPrefix(words, "syntax error", "Unclosed '", "Unmatched '", "Unterminated "):
		return gates.ClassSyntax, ""
	case unimplementedPattern.MatchString(kind), kind != "" && output.SaysUnimplemented(words) && !expects(kind):
		return gates.ClassUnimplemented, ""
	case expects(kind):
		if at == testrun.InSource || strings.HasPrefix(words, "Test was run in child process and ended unexpectedly") {
			return gates.ClassException, ""
		}
		return gates.ClassAssertion, ""
	}
	if hit := requiredPattern().FindStringSubmatch(words); hit != nil {
		file := cmp.Or(hit[1], hit[2])
		_, inside := x.places.Inside(file)
		own := !strings.Contains(file, "vendor/") && (inside || !filepath.IsAbs(file)) // not what Composer installs
		return journal.Missing(file, own, at)
	}
	symbol := missingName(words)
	switch {
	case symbol != "" && x.foreign(words):
		return gates.ClassInfra, ""
	case symbol != "" && at == testrun.InTest:
		return gates.ClassMissingSymbol, symbol
	case kind == "" && e.Event == "broken" && symbol == "" && refusedPattern.MatchString(words), kind == "" && symbol != "":
		return gates.ClassCompile, ""
	}
	return gates.ClassException, ""
}

// runnerTrouble is the kind by which our reporter marks an error of PHPUnit itself.
const runnerTrouble = "PHPUnit itself"

// expects reports whether an exception says that an expectation was not met.
func expects(kind string) bool {
	return kind == "InvalidCountException" || expectedPattern.MatchString(kind)
}

var missingNamePattern = lazyregexp.New(`^Call to undefined (?:method|function) (?:.*::)?([^:()]+)\(\)` +
	`|^(?:Class|Interface|Trait|Enum|Class or interface|Class, interface or trait) "([^"]+)" (?:not found|does not exist)` +
	`|^Undefined (?:class )?constant "?(?:[^":]*::)?([^":]+)"?` +
	`|^Access to undeclared static property .*::\$(\w+)` +
	`|^Undefined property: .*::\$(\w+)` +
	`|^Unknown named parameter \$(\w+)`)

// missingName finds the name that was asked for in vain.
func missingName(words string) string {
	hit := missingNamePattern().FindStringSubmatch(words)
	if hit == nil {
		return ""
	}
	name := cmp.Or(hit[1:]...)
	return name[strings.LastIndexByte(name, '\\')+1:]
}

var requiredPattern = lazyregexp.New(`^(?:Failed opening required '([^']+)'|(?:require|include)(?:_once)?\(([^)]+)\): Failed to open stream)`)

var namespacePattern = lazyregexp.New(`^\w[^"]*"([^"]+)\\[^"\\]+"`)

// foreign reports whether a missing class would be a library's: it lies in a
// namespace that composer.json does not list among the project's own.
func (x explainer) foreign(words string) bool {
	hit := namespacePattern().FindStringSubmatch(words)
	if hit == nil {
		return false
	}
	var manifest struct {
		Autoload, AutoloadDev struct {
			PSR4 map[string]any `json:"psr-4"`
			PSR0 map[string]any `json:"psr-0"`
		}
	}
	raw, err := wholefile.Read(filepath.Join(x.places.Dir, "composer.json"))
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
