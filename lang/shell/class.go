package shell

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/journal"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// raised says what a failure that bats explains means. A command that a
// test misses is one that is not written yet.
type raised struct {
	places *testrun.Places
	hidden []batsHidden
}

// explain finds class and place of a failure.
func (r raised) explain(e journal.Event) journal.Finding {
	f := journal.Finding{File: r.places.Relative(e.File)}
	where := regexp.MustCompile(`(?m)(?:in|from)[^\n]*? (?:test )?file ([^\n]+?), line (\d+)[,)]`)
	if hit := where.FindStringSubmatch(e.Text); hit != nil {
		if file := r.places.Relative(hit[1]); file != "" {
			f.File, f.Line = file, output.Atoi(hit[2])
		}
	}
	f.Message = strings.TrimSpace(e.Message + "\n" + e.Text)
	r.class(e, &f)
	return f
}

func (r raised) class(e journal.Event, f *journal.Finding) {
	f.Class = gates.ClassAssertion
	if e.Event == "broken" {
		f.Class = gates.ClassException
	}
	if hit := regexp.MustCompile(`(?m)^(.+?): line (\d+): syntax error`).FindStringSubmatch(e.Text); hit != nil {
		f.Class = gates.ClassSyntax
		r.at(f, hit[1], hit[2])
		return
	}
	if hit := regexp.MustCompile(`(?m)^bats_load_safe: Could not find '([^']+)'`).FindStringSubmatch(e.Text); hit != nil {
		f.Class, f.Symbol = r.loaded(hit[1])
		return
	}
	if strings.Contains(e.Text, "Duplicate test name") {
		f.Class = gates.ClassCompile
		return
	}
	if hit := regexp.MustCompile(`(?m)^(.+?): line (\d+): (.+?): (command not found|No such file or directory)$`).FindStringSubmatch(e.Text); hit != nil {
		r.at(f, hit[1], hit[2])
		f.Class, f.Symbol = missing(hit[3], r.places.Of(f.File, f.Line))
		return
	}
	for _, h := range r.hidden {
		if h.file == f.File && f.Line > 0 && h.line <= f.Line && !r.between(f.File, h.line, f.Line) {
			word, _, _ := strings.Cut(h.command, " ")
			f.Class, f.Symbol = missing(word, testrun.InTest)
			return
		}
	}
	switch {
	case regexp.MustCompile(`(?m)^# timeout after`).MatchString("# " + e.Text):
		f.Class = gates.ClassTimeout
	case output.SaysUnimplemented(unquotedSource(e.Text)):
		f.Class = gates.ClassUnimplemented
	case f.File != "" && r.places.Of(f.File, f.Line) == testrun.InSource && !strings.Contains(e.Text, "\n  `! "):
		f.Class = gates.ClassException
	}
}

// at is the place that bash names.
func (r raised) at(f *journal.Finding, file, line string) {
	if file := r.places.Relative(path.Clean(file)); file != "" {
		f.File, f.Line = file, output.Atoi(line)
	}
}

// unquotedSource leaves out the line of source that bats shows: a test may name
// what it tests by any words.
func unquotedSource(text string) string {
	return regexp.MustCompile("(?m)^  `.*$|^\\(.*$").ReplaceAllString(text, "")
}

// between reports whether a test begins between two lines of a file.
func (r raised) between(file string, from, to int) bool {
	for _, line := range batsLines(r.places.Text(file)) {
		if from < line && line <= to {
			return true
		}
	}
	return false
}

// missing is the class of a command or file that is not there. What production
// code misses was not asked for by a test, and a tool of the system is no part
// of the project.
func missing(name string, at testrun.Place) (gates.Class, string) {
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
	base := path.Base(name)
	return gates.ClassMissingSymbol, strings.TrimSuffix(base, path.Ext(base))
}

// loaded is the class of a file that load did not find. A helper is the tests'
// own: no implementor can add it.
func (r raised) loaded(file string) (gates.Class, string) {
	if regexp.MustCompile(`bats-(?:support|assert|file|mock)|node_modules/|^/usr/`).MatchString(file) {
		return gates.ClassInfra, ""
	}
	name := strings.TrimPrefix(strings.TrimPrefix(path.Clean(file), r.places.Dir+"/"), testrun.Resolved(r.places.Dir)+"/")
	if path.Ext(name) == "" {
		name += ".bash"
	}
	if r.places.Language.Kind(name) == gates.KindSource {
		base := path.Base(name)
		return gates.ClassMissingSymbol, strings.TrimSuffix(base, path.Ext(base))
	}
	return gates.ClassCompile, ""
}
