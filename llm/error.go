package llm

// Kind says what went wrong, for callers to decide by.
type Kind string

// The kinds of an [Error].
const (
	KindUnreachable Kind = "unreachable" // no HTTP answer, or none that was whole: refused, no such host, bad certificate, cut off
	KindRedirect    Kind = "redirect"    // the endpoint points elsewhere; a key does not follow
	KindAuth        Kind = "auth"        // the key is missing, wrong, or may not do this
	KindRateLimit   Kind = "rate-limit"  // too many requests, or the account's quota is used up
	KindServer      Kind = "server"      // the endpoint failed, and kept failing
	KindTimeout     Kind = "timeout"     // no whole answer before the deadline
	KindTruncated   Kind = "truncated"   // the answer ends early, at the model's limit for one
	KindTooLarge    Kind = "too-large"   // the answer exceeds the size cap
	KindRefused     Kind = "refused"     // the model or a content filter declined to answer
	KindBadAnswer   Kind = "bad-answer"  // an answer that is not what the API promises
	KindBadRequest  Kind = "bad-request" // the endpoint, or the recording, does not accept this request
	KindBudget      Kind = "budget"      // the caller's own limit was reached, and nothing was asked
)

// Error is why there is no answer: what was seen, where, and what to do next. It never contains a key.
type Error struct {
	Kind    Kind
	Status  int    // of HTTP; 0 if there was none
	Message string // what was seen, and where
	Hint    string // what to do next
}

// Error is the message and the hint.
func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + ": " + e.Hint
}
