package llm

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
)

// cassetteVersion is the version of the format.
const cassetteVersion = 1

// Cassette is a recording: exchanges with models in their order, as JSON that can be edited by hand.
type Cassette struct {
	Version int     `json:"version"`
	Entries []Entry `json:"entries"`
}

// Steps is the number of the last step that a cassette has an answer for.
func (c *Cassette) Steps() int {
	most := 0
	for _, e := range c.Entries {
		var n int
		if _, err := fmt.Sscanf(e.Label, "step %d", &n); err == nil {
			most = max(most, n)
		}
	}
	return most
}

// Entry is one exchange of a cassette.
type Entry struct {
	Label    string           `json:"label"`
	Request  Request          `json:"request"` // a replay looks at the label only
	Response RecordedResponse `json:"response"`
}

// RecordedResponse is what was answered.
type RecordedResponse struct {
	Text         string `json:"text"`
	Model        string `json:"model,omitempty"` // empty if it is the one that was asked
	FinishReason string `json:"finish_reason,omitempty"`
	Usage        *Usage `json:"usage,omitempty"` // nil: unknown
}

// LoadCassette reads a cassette, strictly.
func LoadCassette(data []byte) (*Cassette, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	var c Cassette
	if err := decoder.Decode(&c); err != nil {
		return nil, fmt.Errorf("read the cassette, near byte %d: %w", decoder.InputOffset(), err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read the cassette: something follows its JSON at byte %d", decoder.InputOffset())
	}
	if c.Version != cassetteVersion {
		return nil, fmt.Errorf("the cassette has version %d, and this program reads version %d", c.Version, cassetteVersion)
	}
	for i, entry := range c.Entries {
		if strings.TrimSpace(entry.Label) == "" {
			return nil, fmt.Errorf("entry %d of the cassette has no label", i+1)
		}
	}
	return &c, nil
}

// Encode writes the cassette as indented JSON.
func (c *Cassette) Encode() ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(c); err != nil {
		return nil, fmt.Errorf("encode the cassette: %w", err)
	}
	return out.Bytes(), nil
}

func (e Entry) answer(req Request) Response {
	res := Response{
		Text:         e.Response.Text,
		Model:        cmp.Or(e.Response.Model, e.Request.Model, req.Model),
		FinishReason: cmp.Or(e.Response.FinishReason, "stop"),
	}
	if e.Response.Usage != nil {
		res.Usage = *e.Response.Usage
	} else {
		res.Usage = estimate(req.Messages, res.Text)
	}
	return res
}

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
