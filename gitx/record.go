package gitx

import (
	"context"
	"crypto/hmac"
	"fmt"
	"strconv"
	"strings"
)

// record is the redo record of a landing: a tag object with the branch and the working tree,
// which keeps the commit reachable. It is sealed, because a push or a fetch could bring one.
type record struct {
	Landing

	top string // the working tree
}

// text is the record without its seal.
func (l record) text() string {
	return fmt.Sprintf("object %s\ntype commit\ntag next\ntagger git-tdd <tdd@local> 0 +0000\n\nbranch %s\nold %s\nworktree %s\n",
		l.New, l.Branch, l.Old, strconv.Quote(l.top))
}

// sealed is the line that proves a record to be this user's.
func (r *Repo) sealed(text string) (string, error) {
	if r.seal == nil {
		return "", nil
	}
	proof, err := r.seal([]byte(text))
	return "seal " + proof + "\n", err
}

// writeRecord stores the redo record of a landing in this working tree.
func (r *Repo) writeRecord(ctx context.Context, l Landing) (ID, error) {
	text := record{Landing: l, top: r.Top}.text()
	seal, err := r.sealed(text)
	if err != nil {
		return "", err
	}
	id, err := oneID(r.act(ctx, call{args: []string{"mktag"}, stdin: []byte(text + seal)}))
	return id, r.orMissing(ctx, err, l.New)
}

// readRecord reads a redo record; ok is false if it is none, or none that this user has sealed.
func (r *Repo) readRecord(obj Object) (rec record, ok bool, err error) {
	rec.Log = "tdd: finish an interrupted step"
	for line := range strings.Lines(string(obj.Content)) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch key {
		case "object":
			rec.New = ID(value)
		case "branch":
			rec.Branch = value
		case "old":
			rec.Old = ID(value)
		case "worktree":
			rec.top, _ = strconv.Unquote(value)
		}
	}
	text := rec.text()
	seal, err := r.sealed(text)
	genuine := hmac.Equal(obj.Content, []byte(text+seal))
	return rec, obj.Type == "tag" && genuine && strings.HasPrefix(rec.Branch, "refs/heads/"), err
}
