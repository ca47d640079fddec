package gitx

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/internal/wholefile"
)

// Walk visits the commits from rev along first parents until visit returns false. In a shallow
// clone the last commit is visited without parents.
func (r *Repo) Walk(ctx context.Context, rev string, visit func(Commit) bool) error {
	boundary, err := r.boundary()
	if err != nil {
		return err
	}
	for {
		c, err := r.Commit(ctx, rev)
		if err != nil {
			return err
		}
		if boundary[c.ID] {
			c.Parents = nil
		}
		if !visit(c) || len(c.Parents) == 0 {
			return nil
		}
		rev = string(c.Parents[0])
	}
}

// boundary lists the commits at which the history of a shallow clone ends.
func (r *Repo) boundary() (map[ID]bool, error) {
	data, err := wholefile.Read(filepath.Join(r.CommonDir, "shallow"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the boundary of a shallow clone: %w", err)
	}
	boundary := map[ID]bool{}
	for id := range strings.FieldsSeq(string(data)) {
		boundary[ID(id)] = true
	}
	return boundary, nil
}

// Shallow reports whether the history is, or may be, cut off.
func (r *Repo) Shallow() bool {
	_, err := os.Stat(filepath.Join(r.CommonDir, "shallow"))
	return !errors.Is(err, fs.ErrNotExist)
}

// Nearest is the nearest first-parent commit of rev whose message matches a basic regular
// expression, empty if there is none. It may read the whole history: if a match is likely
// within a few hundred commits, Walk is as fast. It fails with ErrMissing if rev names nothing.
func (r *Repo) Nearest(ctx context.Context, rev, pattern string) (ID, error) {
	from, err := r.Commit(ctx, rev)
	if err != nil {
		return "", err
	}
	return oneID(r.ask(ctx, "log", "-1", "--first-parent", "--no-show-signature", "--encoding=UTF-8", "--format=%H",
		"--basic-regexp", "--grep="+pattern, string(from.ID), "--"))
}

// Matching lists the commits that lead to rev, behind merges too, whose message matches
// a basic regular expression, each after its parents. It reads the whole history.
func (r *Repo) Matching(ctx context.Context, rev ID, pattern string) ([]ID, error) {
	return allIDs(r.ask(ctx, "log", "--topo-order", "--reverse", "--no-show-signature", "--encoding=UTF-8", "--format=%H",
		"--basic-regexp", "--grep="+pattern, string(rev), "--"))
}

// MergeBase is the nearest commit that two have in common; empty if there is none.
func (r *Repo) MergeBase(ctx context.Context, a, b ID) (ID, error) {
	return oneID(r.find(ctx, "merge-base", string(a), string(b)))
}

// List returns the commits of a revision range, behind merges too, each after its parents.
func (r *Repo) List(ctx context.Context, revisions string) ([]ID, error) {
	return allIDs(r.ask(ctx, "rev-list", "--topo-order", "--reverse", "--end-of-options", revisions, "--"))
}

// Unpublished lists the commits of tip, parents first, that no ref below the prefixes leads to.
func (r *Repo) Unpublished(ctx context.Context, tip ID, prefixes ...string) ([]ID, error) {
	args := []string{"rev-list", "--topo-order", "--reverse", string(tip), "--not"}
	for _, prefix := range prefixes {
		args = append(args, "--glob="+prefix)
	}
	return allIDs(r.ask(ctx, append(args, "--")...))
}

// Commit is one commit.
type Commit struct {
	ID      ID
	Tree    ID
	Parents []ID
	Author  string    // "Name <mail>"
	When    time.Time // when the author made it, in UTC; zero if that cannot be read
	Date    string    // that, with the author's time zone, as git reads it
	Message string    // as stored, without any interpretation
	// Encoding is that of the message; empty: UTF-8, as far as anybody said.
	Encoding string
}

// Commit reads the commit that a revision names, following tags.
func (r *Repo) Commit(ctx context.Context, rev string) (Commit, error) {
	obj, err := r.Object(ctx, rev)
	if err == nil && obj.Type == "tag" {
		obj, err = r.Object(ctx, rev+"^{commit}")
	}
	if err != nil {
		return Commit{}, err
	}
	if obj.Type != "commit" {
		return Commit{}, fmt.Errorf("%s is a %s, not a commit", rev, obj.Type)
	}
	return parseCommit(obj), nil
}

func parseCommit(obj Object) Commit {
	c := Commit{ID: obj.ID}
	head, message, _ := strings.Cut(string(obj.Content), "\n\n")
	c.Message = message
	for line := range strings.SplitSeq(head, "\n") {
		key, value, _ := strings.Cut(line, " ")
		switch key {
		case "tree":
			c.Tree = ID(value)
		case "encoding":
			c.Encoding = value
		case "parent":
			c.Parents = append(c.Parents, ID(value))
		case "author":
			if end := strings.LastIndexByte(value, '>'); end >= 0 {
				date := strings.TrimSpace(value[end+1:])
				c.Author, c.When, c.Date = value[:end+1], moment(date), "@"+date
			}
		}
	}
	return c
}

// moment reads a time as commits have it: seconds and a time zone. Git itself
// shows no year after 2099, so whatever is later is somebody's joke.
func moment(text string) time.Time {
	seconds, _, _ := strings.Cut(text, " ")
	const year2100 = 4102444800
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil || n <= 0 || n >= year2100 {
		return time.Time{}
	}
	return time.Unix(n, 0).UTC()
}
