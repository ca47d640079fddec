package verify

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
)

// candidates lists the roles that a commit may have played, the most likely
// first; an empty one if it was outside the loop. What it did to the tests says more
// than which files it touched, and a chore that adds code with its tests is not
// a chore. What no role explains may have been outside the loop all the same, as
// long as it did not change code and its tests together.
func candidates(commit gitx.Commit, subject string, outside check.Judgement) []gates.Role {
	tests, sources := touches(outside.Case.Change)
	grown := grows(outside)
	role, said := says(subject)
	typed := role != "" && gates.RoleOf(typeOf(subject)) == role
	switch {
	case len(commit.Parents) > 1, len(commit.Parents) == 0 && outside.Verdict.Accepted(), !outside.Verdict.Judged:
		return []gates.Role{""}
	case typed && !tests && !sources:
		return []gates.Role{""} // a fix of what is no part of the loop
	case typed && !tests && !outside.Case.Change.AltersCode():
		return []gates.Role{gates.Refactorer} // of words
	case role == gates.Tester && typed && !sources && !grown && !reddens(outside):
		return []gates.Role{gates.Refactorer} // of tests
	case role != "":
		return []gates.Role{role}
	case said && (!grown || !sources), !tests && !sources:
		return []gates.Role{""}
	case outside.Case.OnRed() && (sources || !reddens(outside)):
		return []gates.Role{gates.Implementor}
	case tests && reddens(outside):
		return []gates.Role{gates.Tester}
	case grown && addsCode(outside.Case.Change):
		return []gates.Role{gates.Implementor, gates.Refactorer, gates.Tester}
	case grown:
		return []gates.Role{gates.Tester, gates.Refactorer, ""}
	case tests && sources && outside.Case.Change.AltersCode():
		return []gates.Role{gates.Refactorer, gates.Implementor, gates.Tester}
	}
	return []gates.Role{gates.Refactorer, gates.Implementor, gates.Tester, ""}
}

// touches reports whether a change touches tests, and whether sources.
func touches(change gates.Change) (tests, sources bool) {
	for _, f := range change.Files {
		tests = tests || f.TouchesTest()
		sources = sources || f.Kind() == gates.KindSource && f.Source.Total() > 0
	}
	return tests, sources
}

// grows reports whether a commit adds tests or assertions.
func grows(outside check.Judgement) bool {
	return outside.Case.Change.MoreAssertions() > 0 || len(outside.After.Facts.Tests) > len(outside.Case.Before.Tests)
}

// says reads the role that a subject names: by a conventional type, in any
// case, or by the colour of the step; no role if it names a type outside the
// loop. A plain word, without a colon, brackets or capitals, does not count.
func says(subject string) (role gates.Role, ok bool) {
	word := typeOf(subject)
	role, colour := map[string]gates.Role{"red": gates.Tester, "green": gates.Implementor, "refactoring": gates.Refactorer}[word]
	if !colour {
		role = gates.RoleOf(word)
	}
	return role, role != "" || slices.Contains([]string{"docs", "chore", "style", "ci", "build", "revert"}, word) // a word before a colon need not be a type
}

// typeOf is the word of a subject that may be a type or a colour, in lower case; empty if there is none.
func typeOf(subject string) string {
	header, err := commitmsg.ParseHeader(subject)
	if err == nil {
		return strings.ToLower(header.Type)
	}
	first, _, _ := strings.Cut(strings.TrimSpace(subject), " ")
	word := strings.Trim(first, "[]():")
	if word == first && word != strings.ToUpper(word) {
		return ""
	}
	return strings.ToLower(word)
}

// addsCode reports whether a change brings sources more than comments and layout. What
// only takes code away brings nothing that the tests beside it could ask for.
func addsCode(change gates.Change) bool {
	return slices.ContainsFunc(change.Files, func(f gates.FileChange) bool {
		return f.Kind() == gates.KindSource && !f.Inert && f.Source.Added > 0
	})
}

// reddens reports whether more tests fail after a commit than before.
func reddens(outside check.Judgement) bool {
	after := outside.After.Facts
	return after.Outcome == gates.Broken ||
		len(after.With(gates.StatusFailed)) > len(outside.Case.Before.With(gates.StatusFailed)) ||
		after.Outcome == gates.Failed && (outside.Case.OnRed() || outside.Case.Before.Outcome == gates.Passed)
}
