package gitx

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/internal/wholefile"
)

// Head is where the working tree stands.
type Head struct {
	Branch string // "refs/heads/main"; empty if HEAD is detached
	Commit ID     // empty if the branch is unborn
	Tree   ID     // empty if the branch is unborn
}

// Unborn reports whether the branch has no commit yet.
func (h Head) Unborn() bool { return h.Commit == "" }

// Detached reports whether HEAD names a commit instead of a branch.
func (h Head) Detached() bool { return h.Branch == "" }

// Name is the branch as people write it.
func (h Head) Name() string { return strings.TrimPrefix(h.Branch, "refs/heads/") }

// Head reads where the working tree stands.
func (r *Repo) Head(ctx context.Context) (Head, error) {
	branch, err := r.branch(ctx)
	if err != nil {
		return Head{}, err
	}
	c, err := r.Commit(ctx, cmp.Or(branch, "HEAD")) // consistent even if HEAD moves right now
	if errors.Is(err, ErrMissing) {
		return Head{Branch: branch}, nil
	}
	return Head{Branch: branch, Commit: c.ID, Tree: c.Tree}, err
}

// branch reads the symbolic HEAD: from its file if refs are files, otherwise by asking git.
func (r *Repo) branch(ctx context.Context) (string, error) {
	data, err := wholefile.Read(filepath.Join(r.GitDir, "HEAD"))
	if err != nil {
		return "", fmt.Errorf("read HEAD: %w", err)
	}
	ref, symbolic := strings.CutPrefix(string(data), "ref:")
	if !symbolic {
		return "", nil
	}
	ref = strings.TrimSpace(ref)
	if !strings.HasSuffix(ref, "/.invalid") {
		return ref, nil
	}
	out, err := r.find(ctx, "symbolic-ref", "--quiet", "HEAD")
	return strings.TrimSpace(string(out)), err
}

// Ref reads a ref by its full name, "refs/heads/main", and no other; empty if there is none.
func (r *Repo) Ref(ctx context.Context, name string) (ID, error) {
	refs, err := r.Refs(ctx, name)
	for _, ref := range refs {
		if ref.Name == name {
			return ref.ID, nil
		}
	}
	return "", err
}

// NamedRef is a ref and what it points to.
type NamedRef struct {
	Name string
	ID   ID
}

// Refs lists the refs below a prefix.
func (r *Repo) Refs(ctx context.Context, prefix string) ([]NamedRef, error) {
	out, err := r.ask(ctx, "for-each-ref", "--format=%(objectname) %(refname)", prefix)
	if err != nil {
		return nil, err
	}
	var refs []NamedRef
	for line := range strings.Lines(string(out)) {
		if id, name, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			refs = append(refs, NamedRef{Name: name, ID: ID(id)})
		}
	}
	return refs, nil
}

// ErrMoved says that a ref no longer points to where it was expected.
var ErrMoved = errors.New("the ref has moved")

// RefUpdate moves one ref, provided that it still is where it was.
type RefUpdate struct {
	Name     string
	New, Old ID // empty Old: the ref must not exist; empty New: delete it
	Log      string
}

// UpdateRef compares and swaps. Git can fail although the ref moved, for instance if the disk
// is too full for the reflog: so after an error the update counts as done if the ref points to
// New. ErrMoved means that something else moved it.
func (r *Repo) UpdateRef(ctx context.Context, u RefUpdate) error {
	_, err := r.act(ctx, call{args: u.args(), writes: true})
	if err == nil {
		return nil
	}
	now, err2 := r.Ref(context.WithoutCancel(ctx), u.Name)
	switch {
	case err2 != nil:
		return errors.Join(err, err2)
	case now == u.New: // git ended after that, and may have left locks
		return r.clearStaleLocks(u.Name)
	case now != u.Old:
		return moved(u.Name, now, u.Old)
	}
	return err
}

func (u RefUpdate) args() []string {
	if u.New == "" {
		return []string{"update-ref", "-d", u.Name, string(u.Old)}
	}
	args := []string{"update-ref", "--create-reflog"}
	if u.Log != "" { // git refuses an empty one
		args = append(args, "-m", u.Log)
	}
	if u.Old == "" {
		u.Old = ID(strings.Repeat("0", len(u.New)))
	}
	return append(args, u.Name, string(u.New), string(u.Old))
}

func moved(name string, now, old ID) error {
	return fmt.Errorf("%s is at %s, not at %s: %w", name, cmp.Or(now.Short(), "nothing"), cmp.Or(old.Short(), "nothing"), ErrMoved)
}

// Containing lists the refs below a prefix from which a commit can be reached.
func (r *Repo) Containing(ctx context.Context, commit ID, prefix string) ([]string, error) {
	out, err := r.ask(ctx, "for-each-ref", "--format=%(refname)", "--contains="+string(commit), prefix)
	return strings.Fields(string(out)), err
}

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
		if slices.Contains(boundary, c.ID) {
			c.Parents = nil
		}
		if !visit(c) || len(c.Parents) == 0 {
			return nil
		}
		rev = string(c.Parents[0])
	}
}

// boundary lists the commits at which the history of a shallow clone ends.
func (r *Repo) boundary() ([]ID, error) {
	boundary, err := allIDs(wholefile.Read(filepath.Join(r.CommonDir, "shallow")))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the boundary of a shallow clone: %w", err)
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
