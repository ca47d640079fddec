package llm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/git-tdd/git-tdd/internal/wholefile"
)

// Waiting is a request that waits for an answer.
type Waiting struct {
	Label    string
	Request  string // the file to read
	Response string // the file to write
}

// Relay is a client that asks through files. Each request is written to
// NNN-label.request.md, to be read, and NNN-label.request.json, to be parsed;
// the answer is expected in NNN-label.response.md (or .txt), for as long as the
// context lives. The request file says how to answer.
type Relay struct {
	Dir     string        // created if missing
	Poll    time.Duration // between two looks for an answer; 0: half a second
	Waiting func(Waiting) // called once for each request, when its files are there

	mu sync.Mutex // each number is used once
}

// Complete writes the request and waits for its answer.
func (r *Relay) Complete(ctx context.Context, req Request) (Response, error) {
	if ctx.Err() != nil {
		return Response{}, gaveUp(ctx, req)
	}
	base, err := r.put(req)
	if err != nil {
		return Response{}, fmt.Errorf("put “%s” into %s: %w", req.Label, r.Dir, err)
	}
	r.Waiting(Waiting{Label: req.Label, Request: base + ".request.md", Response: base + ".response.md"})
	text, err := r.await(ctx, base)
	if ctx.Err() != nil {
		return Response{}, gaveUp(ctx, req)
	}
	if err != nil {
		return Response{}, err
	}
	return Response{Text: text, Model: req.Model, FinishReason: "stop", Usage: estimate(req.Messages, text)}, nil
}

// put writes the files of a request under the next number, and returns the beginning of their names.
func (r *Relay) put(req Request) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := os.MkdirAll(r.Dir, 0o700); err != nil {
		return "", err
	}
	last, err := lastNumber(r.Dir)
	if err != nil {
		return "", err
	}
	base := filepath.Join(r.Dir, fmt.Sprintf("%03d-%s", last+1, slug(req.Label)))
	data, err := relayJSON(req)
	if err != nil {
		return "", err
	}
	if err := wholefile.Write(base+".request.json", data, 0o600); err != nil {
		return "", err
	}
	text, err := relayText(req, filepath.Base(base)+".response.md")
	if err != nil {
		return "", err
	}
	return base, wholefile.Write(base+".request.md", text, 0o600)
}

// lastNumber is the highest number in the directory: answers of earlier runs are not taken.
func lastNumber(dir string) (int, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return 0, err
	}
	last := 0
	for _, entry := range entries {
		digits, _, _ := strings.Cut(entry.Name(), "-")
		if n, err := strconv.Atoi(digits); err == nil {
			last = max(last, n)
		}
	}
	return last, nil
}

func (r *Relay) await(ctx context.Context, base string) (string, error) {
	places := []*answerFile{{path: base + ".response.md"}, {path: base + ".response.txt"}}
	for {
		for _, place := range places {
			text, whole, err := place.look()
			if whole || err != nil {
				return text, err
			}
		}
		if err := sleep(ctx, cmp.Or(r.Poll, 500*time.Millisecond)); err != nil {
			return "", err
		}
	}
}

// looksAlike is how many looks in a row must find the same file to count it as complete.
const looksAlike = 4

// answerFile is a place where an answer may appear.
type answerFile struct {
	path  string
	size  int64
	time  time.Time
	alike int
}

func (f *answerFile) look() (text string, whole bool, err error) {
	info, err := os.Stat(f.path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && (!info.Mode().IsRegular() || info.Size() == 0) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	if info.Size() > maxAnswerBytes {
		return "", false, &Error{
			Kind:    KindTooLarge,
			Message: fmt.Sprintf("%s is larger than %d bytes", f.path, maxAnswerBytes),
			Hint:    "write a shorter answer to the next request",
		}
	}
	if info.Size() != f.size || !info.ModTime().Equal(f.time) {
		f.size, f.time, f.alike = info.Size(), info.ModTime(), 0
	}
	f.alike++
	data, err := wholefile.ReadUpTo(f.path, maxAnswerBytes)
	text, ended := ending(string(data))
	return text, (ended || f.alike >= looksAlike) && strings.TrimSpace(text) != "", err
}
