package agents

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// The longest header and scope of a commit, in runes.
const (
	maxHeader = 100
	maxScope  = 30
)

// Subject makes the commit's header from the plan, or from role and change if the plan's does not fit.
func Subject(plan EditPlan, s StepDone) commitmsg.Header {
	var given CommitPart
	if plan.Commit != nil {
		given = *plan.Commit
	}
	h := commitmsg.Header{Type: s.commitType(given.Type), Scope: commitScope(given.Scope)}
	room := maxHeader - len(h.String()) - len(" ")
	h.Summary = shorten(cmp.Or(commitSummary(given.Summary), commitSummary(fallbackSummary(s))), room)
	return h
}

func (s StepDone) commitType(given string) string {
	types := gates.TypesOf(s.Plays)
	if s.Plays == gates.Keeper {
		types = []string{s.Rules.Type}
	}
	if given = strings.ToLower(strings.TrimSpace(given)); slices.Contains(types, given) {
		return given
	}
	return types[0]
}

func commitScope(given string) string {
	scope := strings.NewReplacer("_", "-", " ", "-", ".", "-", "/", "-", ":", "-").Replace(strings.ToLower(strings.TrimSpace(given)))
	if scope = strings.Trim(scope, "-"); len(scope) > maxScope || !scopePattern.MatchString(scope) {
		return ""
	}
	return scope
}

// scopePattern finds what a scope may be.
var scopePattern = lazyregexp.New(`^[a-z0-9-]*$`)

// commitSummary cleans a summary: no header, no full stop, a small letter unless it starts a name.
func commitSummary(given string) string {
	summary := headerPattern().ReplaceAllString(oneLine(given, maxItem), "")
	summary = strings.TrimSpace(strings.TrimRight(strings.Trim(summary, "\"` "), ". "))
	first, size := utf8.DecodeRuneInString(summary)
	word, _, _ := strings.Cut(summary[size:], " ")
	if summary == "" || !plainWord(word) {
		return summary
	}
	return string(unicode.ToLower(first)) + summary[size:]
}

// headerPattern finds the header that a summary repeats.
var headerPattern = lazyregexp.New(`^(?i:test|feat|fix|refactor|perf|docs|chore|style|ci|build)(?:[(:!].*?)?: `)

func plainWord(rest string) bool {
	return !strings.ContainsFunc(strings.TrimRight(rest, ",:;"), func(r rune) bool {
		return !unicode.IsLower(r) && r != '-' && r != '\''
	})
}

func fallbackSummary(s StepDone) string {
	where := ""
	if len(s.Change.Files) > 0 {
		where = " in " + s.Change.Files[0].Path()
		if more := len(s.Change.Files) - 1; more > 0 {
			where += fmt.Sprintf(" and %d more", more)
		}
	}
	words := wordsOf(s.Plays)
	switch {
	case s.Withdrawn:
		return "withdraw the disputed red"
	case s.Disputed != "":
		return "mend the disputed red" + where
	case where == "" && words.empty != "":
		return words.empty
	}
	return words.summary + where
}

// shorten cuts a text at limit runes, at a space if possible.
func shorten(text string, limit int) string {
	runes := []rune(text)
	if len(runes) <= limit {
		return text
	}
	head := string(runes[:limit-1])
	if space := strings.LastIndexByte(head, ' '); space > len(head)/2 {
		head = head[:space]
	}
	return strings.TrimRight(head, " ,;:.") + "…"
}
