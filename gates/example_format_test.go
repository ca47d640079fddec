package gates_test

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
)

// An example is one txtar file: a sentence that says what it shows, and the
// sections below. Only message, before, after and want are always there.
//
//	role        key: value lines: role, plays, agent, expected, serves, listed
//	message     the commit message; its type gives the role, Tdd-Outcome the special
//	position    the trailers of the last step; left out if there is none
//	policy      JSON over the defaults
//	protected   one pattern a line
//	flaky       one test a line
//	settled     one test a line
//	evidence    JSON
//	dispute     JSON
//	open        JSON: the open acceptance tests
//	before, after, base, crossed
//	            facts: the outcome first, then one line a test or complaint:
//	              ok|fail|skip ID [(class)] [@file[:line]] [: message]
//	              why|check-why CLASS [symbol] [@file[:line]] : message
//	              check OUTCOME
//	              exit-code
//	              coverage PATH REACHED/LINES
//	              coverage unknown: why
//	old PATH, new PATH [kind=K] [mode=M] [from=OLDPATH] [binary]
//	            the sides of a changed file; from= where it moved
//	want        accepted | refused: gates | unjudged: gates, then every finding;
//	            below accepted every note
type example struct {
	about string
	c     gates.Case
	want  string
}

func parseExample(t *testing.T, data []byte) example {
	t.Helper()
	ar := txtar.Parse(data)
	e := example{about: strings.TrimSpace(string(ar.Comment))}
	c := &e.c
	c.Policy = gates.DefaultPolicy()
	sides := newSides()
	var open []byte // the position may follow
	for _, f := range ar.Files {
		text := strings.TrimSpace(string(f.Data))
		name, _, _ := strings.Cut(f.Name, " ")
		switch name {
		case "role":
		case "message":
			c.Message = commitmsg.Parse(string(f.Data))
		case "position":
			step, ok := gates.ParseStep(commitmsg.Parse("x: y\n\n" + text + "\n"))
			if !ok {
				t.Fatalf("no step in the position:\n%s", text)
			}
			c.Position = gates.Position{Commit: "c0ffee", Step: step}
		case "policy":
			if err := json.Unmarshal(f.Data, &c.Policy); err != nil {
				t.Fatalf("policy: %v", err)
			}
		case "protected":
			c.Protected = strings.Split(text, "\n")
		case "flaky":
			c.Flaky = strings.Split(text, "\n")
		case "settled":
			c.Settled = strings.Split(text, "\n")
		case "evidence":
			if err := json.Unmarshal(f.Data, &c.Evidence); err != nil {
				t.Fatalf("evidence: %v", err)
			}
		case "dispute":
			if err := json.Unmarshal(f.Data, &c.Dispute); err != nil {
				t.Fatalf("dispute: %v", err)
			}
		case "open":
			open = f.Data
		case "before":
			c.Before = parseFacts(t, text)
		case "after":
			c.After = parseFacts(t, text)
		case "base":
			base := parseFacts(t, text)
			c.Base = &base
		case "crossed":
			crossed := parseFacts(t, text)
			c.Crossed = &crossed
		case "old", "new":
			sides.add(t, f)
		case "want":
			e.want = text
		default:
			t.Fatalf("section %q is not known", f.Name)
		}
	}
	if open != nil {
		if err := json.Unmarshal(open, &c.Position.Open); err != nil {
			t.Fatalf("open: %v", err)
		}
	}
	assignRole(t, c, ar)
	c.Change = sides.change()
	return e
}

// assignRole sets the roles as the driver does, and then as the example says.
func assignRole(t *testing.T, c *gates.Case, ar *txtar.Archive) {
	t.Helper()
	if h, err := commitmsg.ParseHeader(c.Message.Subject); err == nil {
		c.Plays = gates.RoleOf(h.Type)
		c.Role = c.Plays
	}
	if target, fixup := commitmsg.Target(c.Message.Subject); fixup {
		if h, err := commitmsg.ParseHeader(target); err == nil {
			c.FixupOf = gates.RoleOf(h.Type)
		}
	}
	special, _ := c.Message.Get(gates.KeyOutcome)
	c.Special = gates.Special(special)
	for _, f := range ar.Files {
		if f.Name != "role" {
			continue
		}
		for line := range strings.Lines(string(f.Data)) {
			key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
			switch key {
			case "role":
				c.Role = gates.Role(value)
			case "plays":
				c.Plays = gates.Role(value)
			case "rules": // TYPE GATE PATTERN...
				words := strings.Fields(value)
				c.Rules = gates.Rules{Type: words[0], Gate: gates.Keeping(words[1]), Paths: words[2:]}
			case "agent":
				c.Agent = value == "yes"
			case "serves":
				c.Serves, _ = strconv.Atoi(value)
			case "listed":
				for id := range strings.FieldsSeq(value) {
					n, _ := strconv.Atoi(id)
					c.Listed = append(c.Listed, n)
				}
			case "fixup-opens":
				c.FixupOpens = value == "yes"
			case "expected":
				c.Expected = gates.Role(value)
			default:
				t.Fatalf("role: %q is not known", line)
			}
		}
	}
}

// sides pairs the old and the new side of each changed file.
type sides struct {
	files map[string]*gates.FileChange // by the old path
	order []string
}

func newSides() *sides { return &sides{files: map[string]*gates.FileChange{}} }

func (s *sides) add(t *testing.T, section txtar.File) {
	t.Helper()
	words := strings.Fields(section.Name)
	f := &gates.File{Path: words[1], Mode: "100644", Kind: kindOf(words[1])}
	key := f.Path
	for _, w := range words[2:] {
		k, v, _ := strings.Cut(w, "=")
		switch k {
		case "kind":
			f.Kind = gates.Kind(v)
		case "mode":
			f.Mode = v
		case "binary":
			f.Binary = true
		case "from":
			key = v
		default:
			t.Fatalf("%q of %q is not known", w, section.Name)
		}
	}
	split(f, string(section.Data))
	if s.files[key] == nil {
		s.files[key] = &gates.FileChange{}
		s.order = append(s.order, key)
	}
	if words[0] == "old" {
		s.files[key].Old = f
	} else {
		s.files[key].New = f
	}
}

func (s *sides) change() gates.Change {
	var c gates.Change
	for _, p := range s.order {
		f, before, after := *s.files[p], gates.File{}, gates.File{}
		if f.Old != nil {
			before = *f.Old
		}
		if f.New != nil {
			after = *f.New
		}
		f.Source = countLines(before.Source, after.Source)
		f.Test = countLines(before.Test, after.Test)
		c.Files = append(c.Files, f)
	}
	return c
}

func kindOf(p string) gates.Kind {
	switch {
	case strings.HasPrefix(p, "tests/common/"), strings.Contains(p, "testdata/"), path.Ext(p) == ".snap":
		return gates.KindSupport
	case strings.HasPrefix(p, "tests/"), strings.HasSuffix(p, "_test.go"):
		return gates.KindTest
	case path.Base(p) == "Cargo.toml", path.Base(p) == "go.mod":
		return gates.KindConfig
	case path.Ext(p) == ".rs", path.Ext(p) == ".go":
		return gates.KindSource
	}
	return gates.KindOther
}

var (
	declaredPattern  = regexp.MustCompile(`(?m)#\[test\]\s*(?:#\[.*\]\s*)*fn (\w+)|^func (Test\w+)`)
	assertionPattern = regexp.MustCompile(`(?m)^.*\bassert.*$`)
)

// split does what the languages do, for the few forms that occur in examples.
func split(f *gates.File, text string) {
	switch {
	case f.Binary || f.Mode == "160000":
		return
	case f.Kind == gates.KindTest || f.Kind == gates.KindSupport:
		f.Test = text
	default:
		f.Source = text
		if at := strings.Index(text, "#[cfg(test)]"); at >= 0 && f.Kind == gates.KindSource {
			f.Source, f.Test = strings.TrimLeft(strings.TrimRight(text[:at], "\n")+"\n", "\n"), text[at:]
		}
	}
	for _, m := range declaredPattern.FindAllStringSubmatch(f.Test, -1) {
		f.Declared = append(f.Declared, m[1]+m[2])
	}
	for _, a := range assertionPattern.FindAllString(f.Test, -1) {
		f.Assertions = append(f.Assertions, strings.Join(strings.Fields(a), " "))
	}
}

// countLines counts using the longest common subsequence.
func countLines(before, after string) gates.Lines {
	a, b := slices.Collect(strings.Lines(before)), slices.Collect(strings.Lines(after))
	common := make([]int, len(b)+1)
	for i := range a {
		diagonal := 0
		for j := range b {
			next := common[j+1]
			if a[i] == b[j] {
				common[j+1] = diagonal + 1
			} else {
				common[j+1] = max(next, common[j])
			}
			diagonal = next
		}
	}
	return gates.Lines{Added: len(b) - common[len(b)], Deleted: len(a) - common[len(b)]}
}

var (
	testPattern = regexp.MustCompile(`^(ok|fail|skip) (.+?)(?: \(([a-z-]+)\))?(?: @([^: ]+)(?::(\d+))?)?(?: ?: (.*))?$`)
	whyPattern  = regexp.MustCompile(`^(why|check-why) ([a-z-]+)(?: ([^@:\s]\S*))?(?: @([^: ]+)(?::(\d+))?)? ?: (.*)$`)
)

func parseFacts(t *testing.T, text string) gates.Facts {
	t.Helper()
	first, rest, _ := strings.Cut(text, "\n")
	f := gates.Facts{Outcome: gates.Outcome(first), Detail: gates.DetailTest}
	for line := range strings.Lines(rest) {
		line = strings.TrimSpace(line)
		check, isCheck := strings.CutPrefix(line, "check ")
		reach, isCoverage := strings.CutPrefix(line, "coverage ")
		switch m, w := testPattern.FindStringSubmatch(line), whyPattern.FindStringSubmatch(line); {
		case line == "":
		case line == "exit-code":
			f.Detail = gates.DetailExitCode
		case isCoverage:
			f.Coverage = addCoverage(t, f.Coverage, reach)
		case isCheck:
			f.Check = gates.Outcome(check)
		case m != nil:
			status := map[string]gates.Status{"ok": gates.StatusPassed, "fail": gates.StatusFailed, "skip": gates.StatusSkipped}[m[1]]
			f.Tests = append(f.Tests, gates.Test{ID: m[2], Status: status, Class: gates.Class(m[3]), File: m[4], Line: atoi(m[5]), Message: m[6]})
		case w != nil:
			d := gates.Diagnostic{Class: gates.Class(w[2]), Symbol: w[3], File: w[4], Line: atoi(w[5]), Message: w[6]}
			if w[1] == "why" {
				f.Diagnostics = append(f.Diagnostics, d)
			} else {
				f.CheckDiagnostics = append(f.CheckDiagnostics, d)
			}
		default:
			t.Fatalf("facts: %q is not understood", line)
		}
	}
	slices.SortFunc(f.Tests, func(a, b gates.Test) int { return strings.Compare(a.ID, b.ID) })
	return f
}

var coveragePattern = regexp.MustCompile(`^(\S+) (\d+)/(\d+)$`)

// addCoverage adds a line about coverage.
func addCoverage(t *testing.T, c *gates.Coverage, line string) *gates.Coverage {
	t.Helper()
	if c == nil {
		c = &gates.Coverage{}
	}
	if why, ok := strings.CutPrefix(line, "unknown: "); ok {
		c.Unknown = why
		return c
	}
	m := coveragePattern.FindStringSubmatch(line)
	if m == nil {
		t.Fatalf("facts: coverage %q is not understood", line)
	}
	c.Files = append(c.Files, gates.FileCoverage{Path: m[1], Reached: atoi(m[2]), Lines: atoi(m[3])})
	return c
}

func atoi(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}
