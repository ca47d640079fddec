package gates

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/commitmsg"
)

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
