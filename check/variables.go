package check

import (
	"context"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// onlyVariables reports whether two trees differ in nothing but what tests call their
// variables, and themselves.
func (e *examination) onlyVariables(ctx context.Context, was, now gitx.ID) (bool, error) {
	change, err := e.Change(ctx, e.j.Project.Language, was, now)
	return err == nil && !slices.ContainsFunc(change.Files, func(f gates.FileChange) bool {
		return !f.ForTests() || !sameButVariables(f.Old, f.New)
	}), err
}

// givenPattern matches a statement that gives a variable a value, in any language; its name is
// in the first group. A named argument has no blank before its sign.
var givenPattern = lazyregexp.New(`(?m)^[ \t]*(?:[\w.<>\[\]*&]+ +)*[$@*&]*([\pL_][\pL\d_]*)(?: *: *[\w.<>\[\]]+)? :?=(?:[^=~>]|$)`)

// sameButVariables reports whether two files of tests say the same in other words for their
// variables and their tests: each word has one in its place, wherever it stands outside of
// texts, and stands in the other file nowhere.
func sameButVariables(was, now *gates.File) bool {
	a, b := spoken(was.Test), spoken(now.Test)
	if len(a) != len(b) {
		return false
	}
	other, back := map[string]string{}, map[string]string{}
	for i := range a {
		if to, seen := other[a[i]]; seen && to != b[i] {
			return false
		}
		if from, seen := back[b[i]]; seen && from != a[i] {
			return false
		}
		other[a[i]], back[b[i]] = b[i], a[i]
	}
	ownOld, ownNew := ownNames(was), ownNames(now)
	for from, to := range other {
		if from != to && (!ownOld[from] || !ownNew[to] || other[to] != "" || back[from] != "") {
			return false
		}
	}
	return true
}

// spoken are the words and signs of a text; what stands between quotes is one.
func spoken(text string) (out []string) {
	at := 0
	for _, said := range append(saidPattern.FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
		out = append(out, wordPattern.FindAllString(text[at:said[0]], -1)...)
		out, at = append(out, text[said[0]:said[1]]), said[1]
	}
	return out
}

// ownNames are the names that a file of tests gives to its variables and tests.
func ownNames(f *gates.File) map[string]bool {
	own := map[string]bool{}
	for _, m := range givenPattern.FindAllStringSubmatch(f.Test, -1) {
		own[m[1]] = true
	}
	for _, name := range f.Declared {
		own[name[strings.LastIndexAny(name, ".:# ")+1:]] = true
	}
	return own
}
