package testrun

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

// batsRaised says what a failure that bats explains means. A command that a
// test misses is one that is not written yet.
type batsRaised struct {
	places *places
	hidden []batsHidden
}

// explain finds class and place of a failure.
func (r batsRaised) explain(e journalEvent) finding {
	f := finding{file: r.places.relative(e.File)}
	where := regexp.MustCompile(`(?m)(?:in|from)[^\n]*? (?:test )?file ([^\n]+?), line (\d+)[,)]`)
	if hit := where.FindStringSubmatch(e.Text); hit != nil {
		if file := r.places.relative(hit[1]); file != "" {
			f.file, f.line = file, atoi(hit[2])
		}
	}
	f.message = strings.TrimSpace(e.Message + "\n" + e.Text)
	r.class(e, &f)
	return f
}

func (r batsRaised) class(e journalEvent, f *finding) {
	f.class = gates.ClassAssertion
	if e.Event == "broken" {
		f.class = gates.ClassException
	}
	if hit := regexp.MustCompile(`(?m)^(.+?): line (\d+): syntax error`).FindStringSubmatch(e.Text); hit != nil {
		f.class = gates.ClassSyntax
		r.at(f, hit[1], hit[2])
		return
	}
	if hit := regexp.MustCompile(`(?m)^bats_load_safe: Could not find '([^']+)'`).FindStringSubmatch(e.Text); hit != nil {
		f.class, f.symbol = r.loaded(hit[1])
		return
	}
	if strings.Contains(e.Text, "Duplicate test name") {
		f.class = gates.ClassCompile
		return
	}
	if hit := regexp.MustCompile(`(?m)^(.+?): line (\d+): (.+?): (command not found|No such file or directory)$`).FindStringSubmatch(e.Text); hit != nil {
		r.at(f, hit[1], hit[2])
		f.class, f.symbol = batsMissing(hit[3], r.places.of(f.file, f.line))
		return
	}
	for _, h := range r.hidden {
		if h.file == f.file && f.line > 0 && h.line <= f.line && !r.between(f.file, h.line, f.line) {
			word, _, _ := strings.Cut(h.command, " ")
			f.class, f.symbol = batsMissing(word, placeTest)
			return
		}
	}
	switch {
	case regexp.MustCompile(`(?m)^# timeout after`).MatchString("# " + e.Text):
		f.class = gates.ClassTimeout
	case goStub(unquotedSource(e.Text)):
		f.class = gates.ClassUnimplemented
	case f.file != "" && r.places.of(f.file, f.line) == placeSource && !strings.Contains(e.Text, "\n  `! "):
		f.class = gates.ClassException
	}
}

// at is the place that bash names.
func (r batsRaised) at(f *finding, file, line string) {
	if file := r.places.relative(path.Clean(file)); file != "" {
		f.file, f.line = file, atoi(line)
	}
}

// unquotedSource leaves out the line of source that bats shows: a test may name
// what it tests by any words.
func unquotedSource(text string) string {
	return regexp.MustCompile("(?m)^  `.*$|^\\(.*$").ReplaceAllString(text, "")
}

// between reports whether a test begins between two lines of a file.
func (r batsRaised) between(file string, from, to int) bool {
	for _, line := range batsLines(r.places.text(file)) {
		if from < line && line <= to {
			return true
		}
	}
	return false
}

// batsMissing is the class of a command or file that is not there. What production
// code misses was not asked for by a test, and a tool of the system is no part
// of the project.
func batsMissing(name string, at place) (gates.Class, string) {
	tools := []string{
		"jq", "yq", "curl", "wget", "git", "make", "gcc", "python", "python3", "node", "npm", "ruby", "perl", "docker", "awk", "sed",
		"timeout", "bc", "xmllint", "shellcheck", "parallel", "ssh", "rsync", "tar", "zip", "unzip", "openssl", "sqlite3",
	}
	switch {
	case slices.Contains(tools, name):
		return gates.ClassInfra, ""
	case at != placeTest:
		return gates.ClassException, ""
	}
	base := path.Base(name)
	return gates.ClassMissingSymbol, strings.TrimSuffix(base, path.Ext(base))
}

// loaded is the class of a file that load did not find. A helper is the tests'
// own: no implementor can add it.
func (r batsRaised) loaded(file string) (gates.Class, string) {
	if regexp.MustCompile(`bats-(?:support|assert|file|mock)|node_modules/|^/usr/`).MatchString(file) {
		return gates.ClassInfra, ""
	}
	name := strings.TrimPrefix(strings.TrimPrefix(path.Clean(file), r.places.dir+"/"), resolved(r.places.dir)+"/")
	if path.Ext(name) == "" {
		name += ".bash"
	}
	if r.places.lang.Kind(name) == gates.KindSource {
		base := path.Base(name)
		return gates.ClassMissingSymbol, strings.TrimSuffix(base, path.Ext(base))
	}
	return gates.ClassCompile, ""
}
