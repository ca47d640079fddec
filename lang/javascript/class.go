package javascript

import (
	"cmp"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/journal"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// raised says what an error of JavaScript means. As in Python, a name
// that a test misses is one that is not written yet.
type raised struct {
	places *testrun.Places
	name   string // of the project's own package
}

// explain finds class and place of an error. Of a file that could not be loaded
// there may be nothing but text.
func (s raised) explain(e journal.Event) journal.Finding {
	if len(e.Kinds) == 0 {
		e = scriptText(e)
	}
	f, at := journal.RaisedAt(s.places, e.Frames, s.relative)
	f.Message = e.Message
	if f.File == "" {
		if f.File = s.importer(e.Message); f.File == "" {
			f.File, f.Line = s.relative(e.File), e.Line
		}
		if f.File != "" {
			at = s.places.Of(f.File, f.Line)
		}
	}
	f.Class, f.Symbol = s.class(e, at)
	if file, line := s.unparsed(e.Message); f.Class == gates.ClassSyntax && file != "" {
		f.File, f.Line = file, line
	}
	return f
}

// unparsed finds the file of a syntax error, which its words name where another
// file imports it.
func (s raised) unparsed(message string) (file string, line int) {
	for _, re := range []string{
		`╭─\[ (\S+?):(\d+):\d+ \]`,                           // Vite
		`^(\S+\.[cm]?[jt]sx?): [^\n]* \((\d+):\d+\)(?:\n|$)`, // Babel
		`(?m)^(\S+\.[cm]?[jt]sx?):(\d+):\d+: ERROR: `,        // esbuild, of older Vite
	} {
		if hit := regexp.MustCompile(re).FindStringSubmatch(message); hit != nil {
			n, _ := strconv.Atoi(hit[2]) // digits; too many are line 0
			return s.relative(hit[1]), n
		}
	}
	return "", 0
}

// relative is a file of the project itself.
func (s raised) relative(name string) string {
	file := s.places.Relative(name)
	if strings.HasPrefix(file, "node_modules/") || strings.Contains(file, "/node_modules/") {
		return ""
	}
	return file
}

// scriptText reads an error from what node or a runner printed of it.
func scriptText(e journal.Event) journal.Event {
	head := regexp.MustCompile(`^\s*(?:(\w*Error)(?: \[(\w+)\])?: (.*)|()()(Cannot find module .*))$`)
	place := regexp.MustCompile(`(?:^|[\s(])((?:file://)?/[^()\s][^()]*?|[^()\s:]+\.[cm]?[jt]sx?):(\d+)(?::\d+)?\)?$`)
	for line := range strings.Lines(e.Text) {
		line = strings.TrimRight(line, "\r\n")
		if hit := head.FindStringSubmatch(line); hit != nil && len(e.Kinds) == 0 {
			e.Kinds = slices.DeleteFunc([]string{cmp.Or(hit[1], "Error"), hit[2]}, func(s string) bool { return s == "" })
			e.Message = cmp.Or(hit[3], hit[6])
			continue
		}
		if hit := place.FindStringSubmatch(line); hit != nil && len(e.Frames) < 64 {
			n, _ := strconv.Atoi(hit[2]) // digits; too many are line 0
			e.Frames = append(e.Frames, journal.Frame{File: filePath(hit[1]), Line: n})
		}
	}
	slices.Reverse(e.Frames)
	if len(e.Kinds) == 0 {
		e.Kinds = []string{"Error"}
	}
	return e
}

// filePath is the path that a URL names, or the text as it is.
func filePath(text string) string {
	if u, err := url.Parse(text); err == nil && u.Scheme == "file" {
		return u.Path
	}
	return text
}

func (s raised) class(e journal.Event, at testrun.Place) (gates.Class, string) {
	is := func(kinds ...string) bool {
		return slices.ContainsFunc(kinds, func(kind string) bool { return slices.Contains(e.Kinds, kind) })
	}
	if class, symbol := s.missing(e, at); class != "" {
		return class, symbol
	}
	switch {
	case strings.HasPrefix(e.Message, "[vitest-pool]: Worker "),
		e.ID == "unhandled" && e.Message == "Worker exited unexpectedly": // before Vitest 4
		return gates.ClassCrash, ""
	case is("testTimeoutFailure"), strings.Contains(e.Message, "Promise resolution is still pending"),
		strings.HasPrefix(e.Message, "Test timed out in "), strings.Contains(e.Message, "Exceeded timeout of "):
		return gates.ClassTimeout, ""
	case is("ERR_ASSERTION", "AssertionError", "JestAssertionError"), strings.HasPrefix(e.Message, "expect("):
		if at == testrun.InSource {
			return gates.ClassException, ""
		}
		return gates.ClassAssertion, ""
	case is("SyntaxError"), regexp.MustCompile(`PARSE_ERROR|invalid JS syntax|Transform failed|SyntaxError: `).MatchString(e.Message + e.Text):
		return gates.ClassSyntax, ""
	case is("NotImplementedError"), e.Kinds[0] == "Error" && output.SaysUnimplemented(e.Message):
		return gates.ClassUnimplemented, ""
	case at == testrun.InTest && is("TypeError", "ReferenceError"):
		return jsMissing(e.Message)
	}
	return gates.ClassException, ""
}

// importer is the file of the project that misses a module, where the words name
// it.
func (s raised) importer(message string) string {
	hit := regexp.MustCompile(`(?m)(?:Cannot find|Failed to).*(?: from|\) in) ['"]?([^'"\n]+?)['"]?(?:\.\s|\.?$)`).FindStringSubmatch(message)
	if hit == nil {
		return ""
	}
	return s.relative(filePath(hit[1]))
}

// missing is the class of an import that failed; "" of any other error. What
// production code misses was not asked for by a test.
func (s raised) missing(e journal.Event, at testrun.Place) (gates.Class, string) {
	for _, re := range []string{
		`requested module '([^']*)' does not provide an export named '([^']+)'`,
		`Named export '()([^']+)' not found`,
	} {
		if hit := regexp.MustCompile(re).FindStringSubmatch(e.Message); hit != nil {
			if at == testrun.InTest && (hit[1] == "" || ownModule(hit[1], s.name)) {
				return gates.ClassMissingSymbol, hit[2]
			}
			return gates.ClassCompile, ""
		}
	}
	for _, re := range []string{
		`(?:Cannot find (?:module|package)|Failed to (?:load url|resolve import)) ['"]?([^'"\s]+)['"]?`,
	} {
		if hit := regexp.MustCompile(re).FindStringSubmatch(e.Message); hit != nil {
			return s.module(hit[1], at)
		}
	}
	return "", ""
}

// module is the class of a module that is missing.
func (s raised) module(name string, at testrun.Place) (gates.Class, string) {
	if !ownModule(name, s.name) {
		return gates.ClassInfra, ""
	}
	if at == testrun.InSource {
		return gates.ClassCompile, ""
	}
	base := path.Base(name)
	return gates.ClassMissingSymbol, strings.TrimSuffix(base, path.Ext(base))
}

// ownModule reports whether a module is the project's own: named by its path,
// by an alias of package.json, or by the name of its package.
func ownModule(module, name string) bool {
	return output.HasAnyPrefix(module, "./", "../", "/", "file:", "#") || name != "" && (module == name || strings.HasPrefix(module, name+"/"))
}

// jsMissing finds the name that a test asked for in vain.
func jsMissing(message string) (gates.Class, string) {
	hit := regexp.MustCompile(`^(.*?) is not (?:a function|a constructor|defined)`).FindStringSubmatch(message)
	if hit == nil {
		return gates.ClassException, ""
	}
	names := regexp.MustCompile(`[\p{L}_$][\p{L}\d_$]*`).FindAllString(hit[1], -1)
	if len(names) == 0 {
		return gates.ClassException, ""
	}
	return gates.ClassMissingSymbol, names[len(names)-1]
}
