package gitx

import (
	"bytes"
	"context"
	"fmt"
	"strings"
)

// Reword stores a copy of a commit with other parents and another message; author,
// committer, dates, encoding and whatever else it says stay as they are, but for a
// signature, which would not hold. It fails with ErrSigning if the user's
// configuration asks for signed commits. reword gets the message as it is stored,
// in the commit's own encoding.
func (r *Repo) Reword(ctx context.Context, commit ID, parents []ID, reword func(message string) string) (ID, error) {
	settings, err := r.settings(ctx)
	if err != nil {
		return "", err
	}
	if settings.sign {
		return "", fmt.Errorf("%w: commit.gpgsign is set, and a commit that is copied keeps no signature; `git rebase` makes it again and signs it", ErrSigning)
	}
	object, err := r.Object(ctx, string(commit))
	if err != nil {
		return "", err
	}
	header, message, found := bytes.Cut(object.Content, []byte("\n\n"))
	if object.Type != "commit" || !found {
		return "", fmt.Errorf("%s is no commit with a message: %w", commit, ErrMissing)
	}
	var out bytes.Buffer
	put := func() {
		for _, p := range parents {
			fmt.Fprintf(&out, "parent %s\n", p)
		}
		parents = nil
	}
	signature := false
	for line := range strings.Lines(string(header) + "\n") {
		switch {
		case strings.HasPrefix(line, " ") && signature, strings.HasPrefix(line, "parent "):
			continue
		case strings.HasPrefix(line, "gpgsig"):
			signature = true
			continue
		case !strings.HasPrefix(line, "tree "):
			put()
		}
		signature = false
		out.WriteString(line)
	}
	out.WriteString("\n" + reword(string(message)))
	id, err := r.act(ctx, call{args: []string{"hash-object", "-t", "commit", "-w", "--stdin"}, stdin: out.Bytes()})
	return ID(strings.TrimSpace(string(id))), err
}
