package gates

import (
	"regexp"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// Weaker is an assertion of an old test, and what is asserted of the same call in its place.
type Weaker struct {
	File string `json:"file"`
	Line int    `json:"line"` // where it begins
	Was  string `json:"was"`
	Now  string `json:"now"`
}

// exactPattern matches an assertion that leaves one value only.
var exactPattern = lazyregexp.New(`===?|[Ee]qual\w*[ (!]|[Ss]ame\(|\btoBe\(|\beql?\b|assert_eq|\bis\b|^if .*!=|-eq\b| = `)

// exactly reports whether an assertion leaves one value only, or an error of which it spells out
// what it says.
func exactly(assertion string) bool {
	return exactPattern.MatchString(assertion) || saysPattern().MatchString(assertion)
}

var saysPattern = lazyregexp.New(`(?is)(?:throws|thrown?error|raises?)\w*\b.*(?:['"/]|\d)`)

// Weaker pairs the assertions of a file that demanded one value of a call with those that
// demand a part of it, or only that there is one.
func (c FileChange) Weaker() (out []Weaker) {
	if c.Old == nil || c.New == nil {
		return nil
	}
	added := without(c.New.Assertions, c.Old.Assertions)
	for _, was := range without(c.Old.Assertions, c.New.Assertions) {
		if !exactly(was) {
			continue
		}
		own := c.sameTest(was)
		ofTest := func(list []string) []string {
			return slices.DeleteFunc(slices.Clone(list), func(a string) bool { return len(own) > 0 && !slices.Contains(own, a) })
		}
		now := ofTest(added)
		subjects, all := callsIn(was), c.New.Assertions
		if len(subjects) == 0 { // of a command, which other tests run too
			subjects, all = variablePattern().FindAllString(was, -1), own
		}
		subject, instead := sameSubject(subjects, now)
		if subject == "" { // a name is another thing in each test
			subject, instead = sized(was, now)
			all = ofTest(c.New.Assertions)
		}
		size := sizeOf(subject)
		exact := func(a string) bool {
			rest := size.ReplaceAllString(a, "")
			return strings.Contains(rest, subject) && exactly(strings.ReplaceAll(rest, subject, ""))
		}
		if subject != "" && exact(was) && !exact(instead) && !slices.ContainsFunc(all, exact) {
			out = append(out, Weaker{c.New.Path, lineOf(c.New, instead), firstLine(was), firstLine(instead)})
		}
	}
	return out
}

// sized is the longest name in an assertion for the size of which another one asks, and that one.
func sized(was string, now []string) (name, assertion string) {
	for _, n := range namePattern().FindAllString(was, -1) {
		size := sizeOf(n)
		if i := slices.IndexFunc(now, size.MatchString); i >= 0 && len(n) > len(name) {
			name, assertion = n, now[i]
		}
	}
	return name, assertion
}

var namePattern = lazyregexp.New(`[$@]?[A-Za-z_][\w.]*`)

// sizeOf matches what asks how many elements something has.
func sizeOf(subject string) *regexp.Regexp {
	what := regexp.QuoteMeta(subject)
	return regexp.MustCompile(`(?i)(?:len|length|size|sizeof|count)\((?:\w+, *)?` + what + `\)|(?:^|[^\w.$@])` + what + `(?:\.|->)(?:len|length|size|count)\b`)
}

// lineOf is the line in which an assertion of a file begins.
func lineOf(f *File, assertion string) int {
	return 1 + slices.IndexFunc(strings.Split(sideOf(f).Test, "\n"), func(line string) bool {
		words := strings.TrimSuffix(strings.Join(strings.Fields(line), " "), ";")
		return words != "" && strings.HasPrefix(assertion, words)
	})
}

// variablePattern matches a variable of a shell.
var variablePattern = lazyregexp.New(`\$\{?\w+`)

// sameTest are the assertions of now in the test that had one before.
func (c FileChange) sameTest(was string) []string {
	i := slices.IndexFunc(c.Old.Declared, func(name string) bool { return strings.Contains(ownText(c.Old, name), was) })
	if i < 0 {
		return nil
	}
	now := ownText(c.New, c.Old.Declared[i])
	return slices.DeleteFunc(slices.Clone(c.New.Assertions), func(a string) bool { return !strings.Contains(now, a) })
}

// sameSubject is the longest of some subjects that an assertion has, too, and that one.
func sameSubject(subjects, assertions []string) (subject, assertion string) {
	for _, s := range subjects {
		if i := slices.IndexFunc(assertions, func(a string) bool { return strings.Contains(a, s) }); i >= 0 && len(s) > len(subject) {
			subject, assertion = s, assertions[i]
		}
	}
	return subject, assertion
}

// callsIn lists the calls with arguments in a text, as they read.
func callsIn(text string) (out []string) {
	for _, hit := range callPattern().FindAllStringIndex(text, -1) {
		if text[hit[1]-1] != '(' {
			continue
		}
		for i, depth := hit[1], 1; i < len(text); i++ {
			switch text[i] {
			case '(':
				depth++
			case ')':
				depth--
			}
			if depth == 0 {
				if i > hit[1] {
					out = append(out, text[hit[0]:i+1])
				}
				break
			}
		}
	}
	return out
}
