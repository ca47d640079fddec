package gitx

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

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
