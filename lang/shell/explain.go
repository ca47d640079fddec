package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/journal"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// explainer says what a failure means, from what bats prints of it. A command that
// a test calls in vain is one that nobody has written yet.
type explainer struct {
	places   *testrun.Places
	notFound []notFound
}

var (
	placePattern     = lazyregexp.New(`(?m)(?:in|from)[^\n]*? (?:test )?file ([^\n]+?), line (\d+)[,)]`)
	syntaxPattern    = lazyregexp.New("(?m)^(.+?): line (\\d+): (?:syntax error|unexpected EOF while looking for matching )")
	notLoadedPattern = lazyregexp.New(`(?m)^bats_load_safe: Could not find '([^']+)'`)
	noLibraryPattern = lazyregexp.New(`(?m)^Could not find library '[^'\n]+'.*$`)
	notFoundPattern  = lazyregexp.New(`(?m)^(.+?): line (\d+): (.+?): (command not found|No such file or directory)$`)
	statusPattern    = lazyregexp.New("(?m)^  `(.*)' failed(?: with status (\\d+))?$")
	shownPattern     = lazyregexp.New("(?m)^  `.*$|^\\(.*$")
	libraryPattern   = lazyregexp.New(`bats-(?:support|assert|file|mock)|node_modules/|^/usr/`)
)

// explain finds class and place of a failure.
func (x explainer) explain(e journal.Event) journal.Finding {
	f := journal.Finding{File: x.places.Relative(e.File)}
	if hit := placePattern().FindStringSubmatch(e.Text); hit != nil {
		x.setPlace(&f, hit[1], hit[2])
	}
	// What failed says more than the place, with which bats begins.
	failed := strings.TrimSpace(statusPattern().FindString(e.Text))
	f.Message = strings.TrimSpace(failed + "\n" + strings.TrimSpace(e.Message+"\n"+e.Text))
	x.class(e, &f)
	return f
}

// class fills in the class of a failure, and what it misses.
func (x explainer) class(e journal.Event, f *journal.Finding) {
	f.Class = gates.ClassAssertion
	if e.Event == "broken" {
		f.Class = gates.ClassException
	}
	find := func(pattern lazyregexp.Regexp) []string { return pattern().FindStringSubmatch(e.Text) }
	unparsed, unloaded, library, missing := find(syntaxPattern), find(notLoadedPattern), find(noLibraryPattern), find(notFoundPattern)
	warned := x.warned(f)
	switch {
	case unparsed != nil:
		f.Class = gates.ClassSyntax
		x.setPlace(f, unparsed[1], unparsed[2])
	case unloaded != nil:
		f.Class, f.Symbol = x.loadClass(unloaded[1])
	case library != nil:
		f.Class, f.Message = gates.ClassInfra, library[0]
	case strings.Contains(e.Text, "Duplicate test name"):
		f.Class = gates.ClassCompile
	case missing != nil:
		x.setPlace(f, missing[1], missing[2])
		f.Class, f.Symbol = missingClass(missing[3], x.places.Of(f.File, f.Line))
	case warned != "":
		f.Class, f.Symbol = missingClass(warned, testrun.InTest)
	case slices.Contains(e.Kinds, kindTimeout):
		f.Class = gates.ClassTimeout
	case stopped(e.Text) != gates.ClassNone:
		f.Class = stopped(e.Text)
	case output.SaysUnimplemented(shownPattern().ReplaceAllString(e.Text, "")): // the source that bats shows may hold any words
		f.Class = gates.ClassUnimplemented
	case f.File != "" && x.places.Of(f.File, f.Line) == testrun.InSource && !strings.Contains(e.Text, "\n  `! "):
		f.Class = gates.ClassException
	}
}

// warned is the command that a test called in vain before it failed, if bats warned of one.
func (x explainer) warned(f *journal.Finding) string {
	for _, h := range x.notFound {
		if h.file == f.File && f.Line > 0 && h.line <= f.Line && !x.between(f.File, h.line, f.Line) {
			word, _, _ := strings.Cut(h.command, " ")
			return word
		}
	}
	return ""
}

// stopped is the class of a test that something ended from outside: a signal, or
// timeout(1). bats shows the first line of a test whose own process got a signal.
func stopped(text string) gates.Class {
	hit := statusPattern().FindStringSubmatch(text)
	switch {
	case hit == nil:
		return gates.ClassNone
	case hit[2] == "124" && strings.HasPrefix(hit[1], "timeout "):
		return gates.ClassTimeout
	}
	// Each but that of a closed pipe: that is how scripts stop reading.
	signals := []int{129, 130, 131, 132, 133, 134, 135, 136, 137, 139, 143}
	if strings.HasPrefix(hit[1], "@test ") && strings.HasSuffix(hit[1], "{") || slices.Contains(signals, output.Atoi(hit[2])) {
		return gates.ClassCrash
	}
	return gates.ClassNone
}

// setPlace takes the place that bash or bats names.
func (x explainer) setPlace(f *journal.Finding, file, line string) {
	if file := x.places.Relative(path.Clean(file)); file != "" {
		f.File, f.Line = file, output.Atoi(line)
	}
}

// between reports whether a test begins between two lines of a file.
func (x explainer) between(file string, from, to int) bool {
	for _, line := range testLines(x.places.Text(file)) {
		if from < line && line <= to {
			return true
		}
	}
	return false
}

// missingClass is the class of a command or file that is not there, and its name.
// What production code misses was not asked for by a test, and a well-known tool is
// no part of the project.
func missingClass(name string, at testrun.Place) (gates.Class, string) {
	tools := []string{
		"jq", "yq", "curl", "wget", "git", "make", "gcc", "python", "python3", "node", "npm", "ruby", "perl", "docker", "awk", "sed",
		"timeout", "bc", "xmllint", "shellcheck", "parallel", "ssh", "rsync", "tar", "zip", "unzip", "openssl", "sqlite3",
	}
	switch {
	case slices.Contains(tools, name):
		return gates.ClassInfra, ""
	case at != testrun.InTest:
		return gates.ClassException, ""
	}
	return journal.Missing(name, true, at)
}

// loadClass is the class of a file that load did not find, and its name. A helper
// belongs to the tests, so no implementor can add it.
func (x explainer) loadClass(file string) (gates.Class, string) {
	if libraryPattern.MatchString(file) {
		return gates.ClassInfra, ""
	}
	name, _ := x.places.Inside(path.Clean(file))
	if path.Ext(name) == "" {
		name += ".bash"
	}
	if x.places.Language.Kind(name) == gates.KindSource {
		return journal.Missing(name, true, testrun.InTest)
	}
	return gates.ClassCompile, ""
}
