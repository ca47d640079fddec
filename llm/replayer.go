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
	entry, err := r.next("“"+req.Label+"”", func(e Entry) bool { return e.Label == req.Label })
	if err != nil {
		return Response{}, err
	}
	return entry.answer(req), nil
}

func (r *Replayer) next(name string, fits func(Entry) bool) (Entry, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.played == len(r.entries) {
		return Entry{}, unfit(fmt.Sprintf("request %d is %s, and the cassette has only %d", r.played+1, name, len(r.entries)))
	}
	entry := r.entries[r.played]
	if !fits(entry) {
		return Entry{}, unfit(fmt.Sprintf("request %d is %s, and the cassette has “%s”", r.played+1, name, entry.Label))
	}
	r.played++
	return entry, nil
}

func unfit(message string) *Error {
	return &Error{
		Kind: KindBadRequest, Endpoint: "cassette", Message: message,
		Hint: "the run differs from the recorded one: start from the same commit and settings, or record anew",
	}
}
