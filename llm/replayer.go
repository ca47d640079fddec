package llm

import (
	"context"
	"fmt"
	"sync"
)

// Replayer answers from a cassette, in order, and refuses a request with another label.
type Replayer struct {
	entries []Entry
	mu      sync.Mutex
	played  int
}

// NewReplayer starts at the cassette's first entry.
func NewReplayer(c *Cassette) *Replayer { return &Replayer{entries: c.Entries} }

// Complete returns the next entry's answer. A refused request does not advance the cassette.
func (r *Replayer) Complete(ctx context.Context, req Request) (Response, error) {
	if ctx.Err() != nil {
		return Response{}, gaveUp(ctx, req)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.played == len(r.entries) {
		return Response{}, unfit(fmt.Sprintf("request %d is “%s”, and the cassette has only %d", r.played+1, req.Label, len(r.entries)))
	}
	entry := r.entries[r.played]
	if entry.Label != req.Label {
		return Response{}, unfit(fmt.Sprintf("request %d is “%s”, and the cassette has “%s”", r.played+1, req.Label, entry.Label))
	}
	r.played++
	return entry.answer(req), nil
}

func unfit(message string) *Error {
	return &Error{
		Kind: KindBadRequest, Message: message,
		Hint: "the run differs from the recorded one: start from the same commit and settings, or record anew",
	}
}
