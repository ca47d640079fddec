package loop

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
)

// maxGuide limits a project's own text for a role, in bytes.
const maxGuide = 16 << 10

// guide is the project's own words for a role; as instructions, they need somebody's approval.
func (l *Loop) guide(ctx context.Context, t turn, role gates.Role) (string, error) {
	path := t.project.Settings.Roles[role].Prompt
	if path == "" {
		return "", nil
	}
	text, fault, err := l.words(ctx, t, path)
	switch {
	case err != nil:
		return "", err
	case fault != "":
		return "", fmt.Errorf("%w: roles.%s.prompt names %s, %s", ErrNotReady, role, path, fault)
	}
	return text, l.opts.PermitPrompts(t.project)
}

// words reads a text for a role, or says why the file is none.
func (l *Loop) words(ctx context.Context, t turn, name string) (text, fault string, err error) {
	e, there := gates.Find(t.project.Entries, func(e gitx.Entry) bool { return e.Path == name })
	if !there {
		return "", "which HEAD does not have as a file; commit it, or take the setting out", nil
	}
	kind := t.project.Language.Kind(name)
	switch {
	case e.Mode != gitx.ModeFile && e.Mode != gitx.ModeExecutable:
		return "", "which is no regular file; name the file itself", nil
	case name == t.project.Settings.Kata:
		return "", "which is the kata, and material; write the words into a file of their own", nil
	case kind != gates.KindOther:
		return "", fmt.Sprintf("which counts as %s, and is material; write the words into a document, outside the folders of code and tests", kind), nil
	case neverShown(e):
		return "", "which is of a kind that no model is shown; write the words into a document", nil
	}
	obj, err := l.opts.Repo.Object(ctx, string(e.ID))
	switch text = string(obj.Content); {
	case err != nil:
		return "", "", err
	case len(text) > maxGuide:
		return "", fmt.Sprintf("which has %d bytes; at most %d are sent", len(text), maxGuide), nil
	case !utf8.ValidString(text), strings.ContainsRune(text, 0):
		return "", "which is no text in UTF-8; write it anew", nil
	case strings.TrimSpace(text) == "":
		return "", "which is empty; write something there, or take the setting out", nil
	}
	return text, "", nil
}
