package javascript

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/journal"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// explainer says what an error means. A name that a test asks for in vain is one
// that nobody has written yet; in production code it is an ordinary error.
type explainer struct {
	places *testrun.Places
	name   string // of the project's own package
}

// explain finds class and place of an error. For a file that could not be loaded
// there may be nothing but text.
func (x explainer) explain(e journal.Event) journal.Finding {
	if f, ok := x.compiled(e); ok {
		return f
	}
	if len(e.Kinds) == 0 {
		e = fromText(e)
	}
	f, at := journal.RaisedAt(x.places, e.Frames, installed)
	f.Message = e.Message
	if f.File == "" {
		importer := append(importerPattern().FindStringSubmatch(e.Message), "", "")[1]
		if f.File = x.relative(filePath(importer)); f.File == "" {
			f.File, f.Line = x.relative(e.File), e.Line
		}
		at = x.places.Of(f.File, f.Line)
	}
	f.Class, f.Symbol = x.class(e, at)
	if hit := unparsedPattern().FindStringSubmatch(e.Message); f.Class == gates.ClassSyntax && hit != nil {
		if file := x.relative(cmp.Or(hit[1], hit[3], hit[5], hit[7])); file != "" {
			f.File, f.Line = file, output.Atoi(cmp.Or(hit[2], hit[4], hit[6], hit[8]))
		}
	}
	return f
}

// compiled is what the compiler of TypeScript says of a file that a runner has it
// compile first (ts-jest): the worst of its complaints.
func (x explainer) compiled(e journal.Event) (journal.Finding, bool) {
	var worst journal.Finding
	if e.Event != "broken" {
		return worst, false
	}
	check := typeCheck{explainer: x}
	for _, hit := range tsJestPattern().FindAllStringSubmatch(e.Message+"\n"+e.Text, -1) {
		check.read(hit[1] + "(" + hit[2] + ",0): " + hit[3])
	}
	for n, d := range check.out {
		if n == 0 || gates.Worse(d.Class, worst.Class) != worst.Class {
			worst = journal.Finding{Class: d.Class, Symbol: d.Symbol, File: d.File, Line: d.Line, Message: e.Message}
		}
	}
	return worst, len(check.out) > 0
}

var tsJestPattern = lazyregexp.New(`(?m)^\s*(\S+\.[cm]?tsx?):(\d+):\d+ - (error TS\d+: .*)$`)

// unparsedPattern is how Vite, Babel and, in older Vite, esbuild name the file of a syntax
// error, which only the text names where another file imports it.
var unparsedPattern = lazyregexp.New(`╭─\[ (\S+?):(\d+):\d+ \]|^(\S+\.[cm]?[jt]sx?): [^\n]* \((\d+):\d+\)(?:\n|$)` +
	`|(?m:^)(\S+\.[cm]?[jt]sx?):(\d+):\d+: ERROR: |(?m:^)At file: /?(\S+):(\d+):\d+$`)

// relative is a file of the project itself.
func (x explainer) relative(name string) string {
	if file := x.places.Relative(name); !installed(file) {
		return file
	}
	return ""
}

func installed(file string) bool { return strings.Contains("/"+file, "/node_modules/") }

var (
	errorPattern = lazyregexp.New(`^\s*(?:(\w*Error)(?: \[(\w+)\])?: (.*)|(Cannot find module .*))$`)
	framePattern = lazyregexp.New(`(?:^|[\s(])((?:file://)?/[^()\s][^()]*?|[^()\s:]+\.[cm]?[jt]sx?):(\d+)(?::\d+)?\)?$`)
)

// fromText reads an error from what node or a runner printed of it.
func fromText(e journal.Event) journal.Event {
	for line := range strings.Lines(e.Text) {
		line = strings.TrimRight(line, "\r\n")
		if hit := errorPattern().FindStringSubmatch(line); hit != nil && len(e.Kinds) == 0 {
			e.Kinds = slices.DeleteFunc([]string{cmp.Or(hit[1], "Error"), hit[2]}, func(s string) bool { return s == "" })
			e.Message = cmp.Or(hit[3], hit[4])
			continue
		}
		if hit := framePattern().FindStringSubmatch(line); hit != nil && len(e.Frames) < 64 {
			e.Frames = append(e.Frames, journal.Frame{File: filePath(hit[1]), Line: output.Atoi(hit[2])})
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

var (
	transformPattern = lazyregexp.New(`PARSE_ERROR|^Parse failure: |invalid JS syntax|Transform failed`)
	innermostPattern = lazyregexp.New(`(?m)^\s+(?:at|❯) .*`)
)

// unparsed reports whether an error says that a file cannot be read. A SyntaxError that code
// of the project raises when it runs, by itself or by JSON.parse, is an error like any other.
func unparsed(e journal.Event) bool {
	in := innermostPattern().FindString(e.Text)
	loader := in == "" || strings.Contains(in, "node:") || strings.Contains(in, "node_modules/")
	return transformPattern.MatchString(e.Message+e.Text) || loader && (e.Is("SyntaxError") || strings.Contains(e.Message+e.Text, "SyntaxError: "))
}

// class is the class of an error, by the code that raised it, and the name that it misses.
func (x explainer) class(e journal.Event, at testrun.Place) (gates.Class, string) {
	if class, symbol := x.importClass(e, at); class != "" {
		return class, symbol
	}
	switch {
	case strings.HasPrefix(e.Message, "[vitest-pool]: Worker "),
		e.ID == "unhandled" && e.Message == "Worker exited unexpectedly": // before Vitest 4
		return gates.ClassCrash, ""
	case e.Is("testTimeoutFailure"), strings.Contains(e.Message, "Promise resolution is still pending"),
		output.HasAnyPrefix(e.Message, "Test timed out in ", "Timeout of "), strings.Contains(e.Message, "Exceeded timeout of "):
		return gates.ClassTimeout, ""
	case e.Is("ERR_ASSERTION", "AssertionError", "JestAssertionError"), strings.HasPrefix(e.Message, "expect("):
		if at == testrun.InSource {
			return gates.ClassException, ""
		}
		return gates.ClassAssertion, ""
	case unparsed(e):
		return gates.ClassSyntax, ""
	case e.Is("NotImplementedError"), e.Kinds[0] == "Error" && output.SaysUnimplemented(e.Message):
		return gates.ClassUnimplemented, ""
	case at == testrun.InTest && e.Is("TypeError", "ReferenceError"): // a test may have asked for a name in vain
		if hit := notDefinedPattern().FindStringSubmatch(e.Message); hit != nil {
			return gates.ClassMissingSymbol, hit[1]
		}
	}
	return gates.ClassException, ""
}

// How the file is named that misses something, and what it misses.
var (
	importerPattern      = lazyregexp.New(`(?m)(?:Cannot find|Failed to).*(?: from|\) in) ['"]?([^'"\n]+?)['"]?(?:\.\s|\.?$)`)
	missingExportPattern = lazyregexp.New(`requested module '([^']*)' does not provide an export named '([^']+)'` +
		`|Named export '([^']+)' not found`)
	missingModulePattern = lazyregexp.New(`(?:Cannot find (?:module|package)|Failed to (?:load url|resolve import)) ['"]?([^'"\s]+)['"]?`)
)

// importClass is the class of an import that failed; "" of any other error. What
// production code misses was not asked for by a test.
func (x explainer) importClass(e journal.Event, at testrun.Place) (gates.Class, string) {
	if hit := missingExportPattern().FindStringSubmatch(e.Message); hit != nil {
		if at == testrun.InTest && (hit[1] == "" || ownModule(hit[1], x.name)) {
			return gates.ClassMissingSymbol, cmp.Or(hit[2], hit[3])
		}
		return gates.ClassCompile, ""
	}
	if hit := missingModulePattern().FindStringSubmatch(e.Message); hit != nil {
		return journal.Missing(hit[1], ownModule(hit[1], x.name), at)
	}
	return "", ""
}

// ownModule reports whether a module is the project's own: named by its path,
// by an alias of package.json, or by the name of its package.
func ownModule(module, name string) bool {
	return output.HasAnyPrefix(module, "./", "../", "/", "file:", "#") || name != "" && (module == name || strings.HasPrefix(module, name+"/"))
}

var notDefinedPattern = lazyregexp.New(`^.*?([\p{L}_$][\p{L}\d_$]*)[^\p{L}\d_$]* is not (?:a function|a constructor|defined)`)

// readTypeCheck runs the compiler of TypeScript and reads its complaints.
func readTypeCheck(ctx context.Context, s *testrun.Session, argv []string) (testrun.Verdict, error) {
	places := s.Places()
	t := typeCheck{explainer: explainer{places, parseManifest(places.Text("package.json")).Name}}
	end, err := s.Run(ctx, testrun.Job{Name: "check", Argv: argv, OnLine: func(line []byte) { t.read(string(line)) }})
	_, stopped := end.Trouble()
	switch {
	case err != nil || stopped || end.Exit == 0:
		return end.Verdict(), err
	case len(t.out) == 1 && t.empty:
		return testrun.Verdict{Outcome: gates.Passed, Detail: gates.DetailTest}, nil
	case len(t.out) > 0:
		return testrun.Broken(t.out), nil
	case npmSaysPattern.MatchString(end.Output):
		return testrun.Crashed(gates.ClassRunnerMissing, "the TypeScript compiler is not installed: npm install --save-dev typescript"), nil
	}
	return end.Verdict(), nil
}

var (
	complaintPattern = lazyregexp.New(`^(?:(.+?)\((\d+),\d+\): )?error TS(\d+): (.*)$`)
	npmSaysPattern   = lazyregexp.New(`(?m)^npm (?:error|ERR!)`)
	quotedPattern    = lazyregexp.New(`'([^']+)'`)
)

// typeCheck reads what the compiler of TypeScript prints.
type typeCheck struct {
	explainer

	out   []gates.Diagnostic
	empty bool // it says that there is nothing to check
}

// read takes in a line. One that is indented continues the last complaint.
func (t *typeCheck) read(line string) {
	line = strings.TrimRight(line, "\r")
	if strings.HasPrefix(line, "  ") && len(t.out) > 0 {
		t.out[len(t.out)-1].Message += "; " + strings.TrimSpace(line)
		return
	}
	hit := complaintPattern().FindStringSubmatch(line)
	if hit == nil {
		return
	}
	d := gates.Diagnostic{File: t.places.Relative(hit[1]), Line: output.Atoi(hit[2]), Message: hit[4]}
	d.Class, d.Symbol = t.complaint(hit[3], hit[4])
	if d.Class == gates.ClassInfra && hit[3][0] == '6' && t.places.Language.Kind(d.File) != gates.KindConfig {
		d.Class = gates.ClassCompile // what is never used, for instance
	}
	t.empty = t.empty || hit[3] == "18003"
	t.out = append(t.out, t.places.Asked(d))
}

// complaint is the class of a complaint, by its number, and the name that it misses.
func (t *typeCheck) complaint(code, text string) (gates.Class, string) {
	quoted := quotedPattern().FindAllStringSubmatch(text, -1)
	name := func(i int) string {
		if i >= len(quoted) {
			return ""
		}
		return strings.Trim(quoted[i][1], `"`)
	}
	switch code {
	case "2304", "2552", "2503", "2339", "2551", "2353":
		return gates.ClassMissingSymbol, name(0)
	case "2305", "2724", "2614", "2694", "1192":
		if module := name(0); ownModule(module, t.name) || code == "2694" || strings.HasSuffix(text, "?") {
			return gates.ClassMissingSymbol, name(1)
		}
		return gates.ClassCompile, ""
	case "2307":
		return journal.Missing(name(0), ownModule(name(0), t.name), testrun.InTest)
	}
	switch {
	case len(code) == 4 && code[0] == '1':
		return gates.ClassSyntax, ""
	case len(code) == 4 && (code[0] == '5' || code[0] == '6'), code == "18003":
		return gates.ClassInfra, ""
	}
	return gates.ClassCompile, ""
}
