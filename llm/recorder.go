package llm

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"github.com/git-tdd/git-tdd/internal/wholefile"
)

// Recorder is a client that appends each exchange to a cassette file, with secrets redacted.
type Recorder struct {
	Client Client
	Path   string              // of the file, which may exist
	Redact func(string) string // is applied to every text

	mu sync.Mutex
}

// Complete asks the client. An answer that cannot be recorded is an error.
func (r *Recorder) Complete(ctx context.Context, req Request) (Response, error) {
	res, err := r.Client.Complete(ctx, req)
	if err != nil {
		return res, err
	}
	if err := r.record(ctx, r.entry(req, res)); err != nil {
		return Response{Usage: res.Usage}, fmt.Errorf("record “%s” in %s: %w", req.Label, r.Path, err)
	}
	return res, nil
}

func (r *Recorder) entry(req Request, res Response) Entry {
	messages := slices.Clone(req.Messages)
	for i := range messages {
		messages[i].Content = r.Redact(messages[i].Content)
	}
	return Entry{
		Label:   r.Redact(req.Label),
		Request: Request{Model: req.Model, Messages: messages, Temperature: req.Temperature},
		Response: RecordedResponse{
			Text: r.Redact(res.Text), Model: res.Model, FinishReason: res.FinishReason, Usage: &res.Usage,
		},
	}
}

// record appends to the file, which is complete at any moment.
func (r *Recorder) record(ctx context.Context, entry Entry) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	cassette, err := existing(r.Path)
	if err != nil {
		return err
	}
	cassette.Entries = append(cassette.Entries, entry)
	data, err := cassette.Encode()
	if err != nil {
		return err
	}
	return wholefile.Put(ctx, r.Path, data, 0o600)
}

// CanRecord says why nothing could be appended to a file, before anybody is asked.
func CanRecord(path string) error {
	_, err := existing(path)
	return err
}

// existing is the cassette at path, or an empty one if there is none.
func existing(path string) (*Cassette, error) {
	data, err := wholefile.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &Cassette{Version: cassetteVersion}, nil
	}
	if err != nil {
		return nil, err
	}
	return LoadCassette(data)
}
