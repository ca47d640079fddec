package gates

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// The trailer keys of a step.
const (
	KeyStep       = "Tdd-Step"
	KeyRole       = "Tdd-Role"
	KeyCycle      = "Tdd-Cycle"
	KeyPhase      = "Tdd-Phase"
	KeyTests      = "Tdd-Tests"
	KeyRed        = "Tdd-Red"
	KeyAttempts   = "Tdd-Attempts"
	KeyModel      = "Tdd-Model"
	KeyTokens     = "Tdd-Tokens" //nolint:gosec // tokens of a model, no secret
	KeyOutcome    = "Tdd-Outcome"
	KeyNote       = "Tdd-Note"
	KeyCriterion  = "Tdd-Criterion"
	KeyAcceptance = "Tdd-Acceptance"
	KeyAccepted   = "Tdd-Accepted"
)

// Special says what is special about a step.
type Special string

// The values of Tdd-Outcome.
const (
	Ordinary         Special = ""
	Skipped          Special = "skipped"          // a refactorer found nothing worth doing
	Characterization Special = "characterization" // tests that pin down existing behaviour
	Acceptance       Special = "acceptance"       // a test that stays red until its criterion is met
	Retired          Special = "retired"          // behaviour and its tests go together
	Disputed         Special = "disputed"         // a red that nobody can satisfy, withdrawn or mended
	Squashed         Special = "squashed"         // several steps in one commit, outside the loop
	Unguarded        Special = "unguarded"        // committed with the guard switched off
	Complete         Special = "complete"         // nothing is left to do
)

// Red is one failing test that a step added. If the test does not compile yet,
// ID is the path of its file and Symbol the missing name.
type Red struct {
	ID     string `json:"id"`
	Class  Class  `json:"class"`
	Symbol string `json:"symbol,omitempty"`
}

// String is the value of a Tdd-Red trailer.
func (r Red) String() string {
	if r.Symbol != "" {
		return fmt.Sprintf("%s (%s: %s)", r.ID, r.Class, r.Symbol)
	}
	return fmt.Sprintf("%s (%s)", r.ID, r.Class)
}

// ByFile reports whether the red names a file, because its test could not be
// compiled and so has no id yet.
func (r Red) ByFile() bool { return r.Symbol != "" || r.Class == ClassExitCode }

func (r Red) test() string { return r.ID }

// reads reports whether two reds have the same trailer.
func (r Red) reads(other Red) bool { return r.String() == other.String() }

// parseRed reads a Tdd-Red value; the class is in the last parentheses.
func parseRed(value string) Red {
	open := strings.LastIndex(value, " (")
	if open < 0 || !strings.HasSuffix(value, ")") {
		return Red{ID: value}
	}
	class, symbol, _ := strings.Cut(value[open+2:len(value)-1], ": ")
	return Red{ID: value[:open], Class: Class(class), Symbol: symbol}
}

// Tally counts tests by verdict.
type Tally struct {
	Passed  int `json:"passed"`
	Failed  int `json:"failed"`
	Skipped int `json:"skipped,omitempty"`
}

// TallyOf counts the tests of facts.
func TallyOf(f Facts) Tally {
	return Tally{
		Passed:  len(f.With(StatusPassed)),
		Failed:  len(f.With(StatusFailed)),
		Skipped: len(f.With(StatusSkipped)),
	}
}

// TestsText is the value of a Tdd-Tests trailer: "3 passed, 1 failed", and
// anything that the counts alone would hide.
func TestsText(f Facts) string {
	if f.Detail == DetailExitCode {
		return string(f.Outcome) + " (exit code only)"
	}
	t := TallyOf(f)
	if f.Outcome == Broken && t == (Tally{}) {
		return fmt.Sprintf("not run (%s)", f.Class())
	}
	text := fmt.Sprintf("%d passed, %d failed", t.Passed, t.Failed)
	if t.Skipped > 0 {
		text += fmt.Sprintf(", %d skipped", t.Skipped)
	}
	if f.Outcome == Broken {
		text += fmt.Sprintf(", the rest not run (%s)", f.Class())
	}
	return text
}

// countPattern finds one count of a Tdd-Tests value: "3 passed".
var countPattern = lazyregexp.New(`(\d{1,9}) (passed|failed|skipped)`)

// ParseTally reads the counts of a Tdd-Tests value; if a word occurs twice, the
// first one counts.
func ParseTally(value string) Tally {
	counts := map[string]int{}
	for _, m := range slices.Backward(countPattern().FindAllStringSubmatch(value, -1)) {
		counts[m[2]], _ = strconv.Atoi(m[1])
	}
	return Tally{Passed: counts["passed"], Failed: counts["failed"], Skipped: counts["skipped"]}
}

// Step is what the trailers of one commit claim.
type Step struct {
	Number int    `json:"step"`
	Role   Role   `json:"role"`
	Cycle  int    `json:"cycle"`
	Phase  Phase  `json:"phase"`
	Tests  string `json:"tests,omitempty"`
	Red    []Red  `json:"red,omitempty"`
	// Acceptance is the acceptance test that the step opens, and Accepted those that
	// it makes pass.
	Acceptance []Red    `json:"acceptance,omitempty"`
	Accepted   []string `json:"accepted,omitempty"`
	Attempts   int      `json:"attempts,omitempty"`
	Model      string   `json:"model,omitempty"`
	Tokens     string   `json:"tokens,omitempty"`
	Outcome    Special  `json:"outcome,omitempty"`
	Criteria   []int    `json:"criteria,omitempty"`
	// Covered says of some of the criteria whether tests cover all of them now.
	Covered map[int]Extent `json:"covered,omitempty"`
	Note    string         `json:"note,omitempty"` // for the roles after this one
	Review  Review         `json:"review,omitzero"`
	Told    []string       `json:"told,omitempty"` // see KeyTold
}

// maxCount is the largest number accepted from a trailer, so that no claim
// makes the next number overflow.
const maxCount = 1_000_000_000

// ParseStep reads the trailers of a message. ok is false if the commit takes no
// step; a Tdd-Step that is not a positive number takes none.
func ParseStep(m commitmsg.Message) (s Step, ok bool) {
	number, found := m.Get(KeyStep)
	n, err := strconv.Atoi(number)
	if !found || err != nil || n < 1 || n > maxCount {
		return Step{}, false
	}
	s = Step{
		Number: n, Role: Role(m.Value(KeyRole)), Cycle: atoi(m, KeyCycle), Phase: Phase(m.Value(KeyPhase)), Tests: m.Value(KeyTests),
		Accepted: m.All(KeyAccepted), Attempts: atoi(m, KeyAttempts), Model: m.Value(KeyModel), Tokens: m.Value(KeyTokens),
		Outcome: Special(m.Value(KeyOutcome)), Note: m.Value(KeyNote), Review: ParseReview(m),
	}
	s.Red, s.Acceptance = Each(m.All(KeyRed), parseRed), Each(m.All(KeyAcceptance), parseRed)
	s.Criteria, s.Covered = Criteria(m)
	return s, true
}

func atoi(m commitmsg.Message, key string) int {
	n, err := strconv.Atoi(m.Value(key))
	if err != nil || n < 0 || n > maxCount {
		return 0
	}
	return n
}

// Trailers renders the step as trailers, in the documented order.
func (s Step) Trailers() []commitmsg.Trailer {
	var out []commitmsg.Trailer
	add := func(key string, values ...string) {
		for _, value := range values {
			if value != "" && value != "0" {
				out = append(out, commitmsg.Trailer{Key: key, Value: value})
			}
		}
	}
	add(KeyStep, strconv.Itoa(s.Number))
	add(KeyRole, string(s.Role))
	add(KeyCycle, strconv.Itoa(s.Cycle))
	add(KeyPhase, string(s.Phase))
	add(KeyTests, s.Tests)
	add(KeyRed, Each(s.Red, Red.String)...)
	add(KeyAcceptance, Each(s.Acceptance, Red.String)...)
	add(KeyAccepted, s.Accepted...)
	add(KeyAttempts, strconv.Itoa(s.Attempts))
	add(KeyModel, s.Model)
	add(KeyTokens, s.Tokens)
	add(KeyOutcome, string(s.Outcome))
	for _, id := range s.Criteria {
		text := strconv.Itoa(id)
		if covered := s.Covered[id]; covered != "" {
			text += fmt.Sprintf(" (%s)", covered)
		}
		add(KeyCriterion, text)
	}
	add(KeyNote, s.Note)
	add(KeyTold, strings.Join(s.Told, ", "))
	return append(out, s.Review.Trailers()...)
}

// Answers reports whether the step made a red pass.
func (s Step) Answers() bool {
	return s.Outcome == Ordinary && (s.Phase == PhaseGreen || s.Phase == PhaseCycle)
}

// Withdraws reports whether the step took a disputed test back.
func (s Step) Withdraws() bool {
	return s.Outcome == Disputed && s.Phase == PhaseGreen && len(s.Acceptance) == 0
}

// The trailer keys of a review.
const (
	KeyReview       = "Tdd-Review"
	KeyReviewTokens = "Tdd-Review-Tokens" //nolint:gosec // tokens of a model, no secret
)

// Opinion is what came of a review. No gate asks for it.
type Opinion string

// The opinions.
const (
	Approved   Opinion = "accepted"
	Unfounded  Opinion = "unfounded"  // rejected, on evidence that is not there
	Unreadable Opinion = "unreadable" // answered with nothing that could be read
	Rejected   Opinion = "rejected"   // of a whole kata, that was open once more already
	Reopened   Opinion = "reopened"   // likewise, so that the step goes on with it
)

// Review is what the trailers of a commit claim of the review before it.
type Review struct {
	By      string  `json:"by,omitempty"` // a model
	Opinion Opinion `json:"opinion,omitempty"`
	Tokens  string  `json:"tokens,omitempty"`
}

// Given reports whether there was a review.
func (r Review) Given() bool { return r.By != "" }

// String is the value of a Tdd-Review trailer; empty without a review.
func (r Review) String() string {
	if !r.Given() {
		return ""
	}
	return r.By + " (" + string(r.Opinion) + ")"
}

// Trailers are those of the review; none without one.
func (r Review) Trailers() []commitmsg.Trailer {
	all := []commitmsg.Trailer{{Key: KeyReview, Value: r.String()}, {Key: KeyReviewTokens, Value: r.Tokens}}
	return slices.DeleteFunc(all, func(t commitmsg.Trailer) bool { return t.Value == "" })
}

// ParseReview reads the trailers of a message.
func ParseReview(m commitmsg.Message) Review {
	text := m.Value(KeyReview)
	r := Review{By: text, Tokens: m.Value(KeyReviewTokens)}
	if open := strings.LastIndex(text, " ("); open >= 0 && strings.HasSuffix(text, ")") {
		r.By, r.Opinion = text[:open], Opinion(text[open+2:len(text)-1])
	}
	return r
}
