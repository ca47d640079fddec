package gates

import (
	"fmt"
	"slices"
	"strings"
)

// repeats lists the tests that a change declares again in a scope that declares them already,
// in a language in which the last declaration wins and the others never run: old ones that
// lose their place so, and, as notes, new ones.
func repeats(change Change) []Finding {
	var out []Finding
	for _, f := range change.Files {
		for _, name := range slices.Compact(slices.Sorted(slices.Values(sideOf(f.New).Declared))) {
			lines := redeclared(f.New, name)
			if len(lines) <= len(redeclared(f.Old, name)) {
				continue
			}
			r := about(Test{ID: name, File: f.New.Path}, "a new test of the same name takes the place of this one, which never runs now", shadowRemedy)
			if !slices.Contains(sideOf(f.Old).Declared, name) {
				r.Note, r.Seen = true, "two new tests of one scope have this name, and only the last runs"
			}
			if f.New.Source == "" { // otherwise nothing tells in which line of the file it is
				r.Line = lines[len(lines)-1]
			}
			out = append(out, r)
		}
	}
	return out
}

// redeclared are the lines that declare a test again. Compilers refuse that, or runners
// run both, but for languages whose word for it is "def".
func redeclared(f *File, name string) []int {
	var again []int
	lines := strings.Split(sideOf(f).Test, "\n")
	seen := map[string]bool{}
	for i, line := range lines {
		at := wordAt(line, name)
		if at < 0 || !strings.HasSuffix(line[:at], "def ") {
			continue
		}
		if scope := scopeOf(lines, i); seen[scope] {
			again = append(again, i+1)
		} else {
			seen[scope] = true
		}
	}
	return again
}

// scopeOf is the lines under which a line stands, by their indentation.
func scopeOf(lines []string, at int) string {
	scope, depth := "", Indent(lines[at])
	for i := at - 1; i >= 0 && depth > 0; i-- {
		if text := strings.TrimSpace(lines[i]); text != "" && Indent(lines[i]) < depth {
			scope, depth = scope+text+"\n", Indent(lines[i])
		}
	}
	return scope
}

const shadowRemedy = "give the new test a name of its own"

// shadowed lists the tests of a reference whose place a new one of the same name takes:
// below it, or in another file.
func shadowed(c *Case, reference Facts) []Finding {
	out := slices.DeleteFunc(repeats(c.Change), func(f Finding) bool { return f.Note })
	for _, t := range reference.Tests {
		if by := c.takenBy(t); by != "" {
			seen := fmt.Sprintf("a new test of the same name in %s takes the place of this one, which never runs now", by)
			out = append(out, about(Test{ID: t.ID, File: t.File}, seen, shadowRemedy))
		}
	}
	return out
}

// takenBy finds the file that declares a test anew and whose test runs now, while that
// of its own file, which declares it still, does not; empty if there is none.
func (c *Case) takenBy(t Test) string {
	for _, f := range c.Change.Files {
		if t.File == "" || f.New == nil || f.New.Path == t.File || f.New.Declares(t.ID) == "" || f.Old.Declares(t.ID) != "" {
			continue
		}
		now, runs := c.After.Lookup(strings.ReplaceAll(t.ID, t.File, f.New.Path))
		if own, stays := c.After.Lookup(t.ID); runs && now.File == f.New.Path && (!stays || own.File != t.File) && c.declaresStill(t) {
			return f.New.Path
		}
	}
	return ""
}

// declaresStill reports whether the file of a test declares it as before.
func (c *Premise) declaresStill(t Test) bool {
	f, changed := c.Change.from(t.File)
	return !changed || !f.Renamed() && f.New.Declares(t.ID) != "" && f.New.Declares(t.ID) == f.Old.Declares(t.ID)
}

// remarks are what every verdict on tests says besides.
func remarks(c *Case) []Finding {
	twice := slices.DeleteFunc(repeats(c.Change), func(f Finding) bool { return !f.Note })
	return slices.Concat(flaky(c), twice, disguised(&c.Premise))
}

// lookalikes are letters of other scripts that print as Latin ones, each before that one. See
// the skeletons of https://www.unicode.org/reports/tr39/.
const lookalikes = "аaеeоoрpсcхxуyіiјjѕsһhԁdԛqԝwАAВBЕEКKМMНHОOРPСCТTХXІIЈJЅSοoΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX"

// disguised tells of names that come with a commit and print as another one of their file. It
// refuses them of an agent.
func disguised(c *Premise) []Finding {
	var out []Finding
	for _, f := range c.Change.Files {
		if f.New == nil || f.New.Binary {
			continue
		}
		was, text := sideOf(f.Old).Source+sideOf(f.Old).Test, f.New.Source+f.New.Test
		for _, line := range moreLines(text, was) {
			if seen := disguise(line, text); seen != "" {
				out = append(out, Finding{
					Path: f.New.Path, Note: !c.Agent, Seen: seen, Remedy: "write it in letters of one script",
					Line: 1 + slices.Index(trimmed(text), line),
				})
			}
		}
	}
	return out
}

// disguise says which name in a line of a text prints as another one of that text; it is empty
// if none does.
func disguise(line, text string) string {
	if isASCII(line) {
		return ""
	}
	latin := strings.NewReplacer(strings.Split(lookalikes, "")...)
	for _, word := range Identifiers(line) {
		if as := latin.Replace(word); as != word && len(as) > 1 && isASCII(as) && wordAt(text, as) >= 0 {
			return fmt.Sprintf("the name %+q prints as %q, which is another one", word, as)
		}
	}
	return ""
}

// isASCII reports whether a text has no letter that needs more than a byte.
func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 })
}
