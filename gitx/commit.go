package gitx

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/envvar"
)

// Ident identifies the author or committer of a commit.
type Ident struct{ Name, Mail string }

// IdentOf reads "Name <mail>".
func IdentOf(author string) Ident {
	name, mail, _ := strings.Cut(author, "<")
	return Ident{Name: strings.TrimSpace(name), Mail: strings.TrimSuffix(mail, ">")}
}

// or is the identity, or another one if it is incomplete.
func (i Ident) or(other Ident) Ident {
	if i.Name == "" || i.Mail == "" {
		return other
	}
	return i
}

// NewCommit is a commit to be made.
type NewCommit struct {
	Tree    ID
	Parents []ID
	Author  Ident
	Message string
	// Unsigned leaves out the signature that the user wants: only for commits that no branch will have.
	Unsigned bool
	// ByUser makes the user the author, if git knows who that is.
	ByUser bool
	// Date is when the author made it, as git reads it; empty is now.
	Date string
	// Encoding is that of the message; empty is UTF-8.
	Encoding string
}

// ErrSigning says that a commit could not be signed as the user's configuration asks.
var ErrSigning = errors.New("the commit could not be signed")

// CommitTree stores a commit, and moves no ref. The committer is the user if git knows who that is,
// otherwise the author. It is signed if the user has commits signed, or fails with ErrSigning.
func (r *Repo) CommitTree(ctx context.Context, c NewCommit) (ID, error) {
	settings, err := r.settings(ctx)
	if err != nil {
		return "", err
	}
	settings.sign = settings.sign && !c.Unsigned
	args := []string{"commit-tree", string(c.Tree)}
	if c.Encoding != "" {
		args = append([]string{"-c", "i18n.commitEncoding=" + c.Encoding}, args...)
	}
	for _, p := range c.Parents {
		args = append(args, "-p", string(p))
	}
	if settings.sign {
		if settings.foreignSigner != "" {
			return "", fmt.Errorf("%w: this repository's own configuration sets %s, which is not run; set it with `git config --global`",
				ErrSigning, settings.foreignSigner)
		}
		args = append(args, "-S")
	}
	if c.ByUser {
		c.Author = settings.user.or(c.Author)
	}
	committer := settings.committer.or(settings.user).or(c.Author)
	env := []string{
		"GIT_AUTHOR_NAME=" + c.Author.Name, "GIT_AUTHOR_EMAIL=" + c.Author.Mail,
		"GIT_COMMITTER_NAME=" + committer.Name, "GIT_COMMITTER_EMAIL=" + committer.Mail,
	}
	if c.Date != "" {
		env = append(env, "GIT_AUTHOR_DATE="+c.Date)
	}
	id, err := oneID(r.act(ctx, call{args: args, stdin: []byte(c.Message), env: env, asks: settings.sign}))
	err = r.orMissing(ctx, err, append([]ID{c.Tree}, c.Parents...)...)
	if err != nil && settings.sign {
		err = fmt.Errorf("%w (commit.gpgsign is set): %w", ErrSigning, err)
	}
	return id, err
}

// settings is the part of git's configuration that concerns a commit.
type settings struct {
	user, committer Ident
	sign            bool
	foreignSigner   string // a signing program that the repository itself names
}

func (r *Repo) settings(ctx context.Context) (settings, error) {
	out, err := r.find(ctx, "config", "-z", "--show-scope", "--get-regexp",
		`^((user|committer)\.(name|email)|commit\.gpgsign|gpg\..*(program|defaultkeycommand))$`)
	if err != nil {
		return settings{}, err
	}
	s, values := settings{}, map[string]string{}
	fields := bytes.Split(bytes.TrimSuffix(out, []byte{0}), []byte{0})
	for i := 0; i+1 < len(fields); i += 2 {
		scope := string(fields[i])
		key, value, hasValue := strings.Cut(string(fields[i+1]), "\n")
		values[key] = value
		switch {
		case key == "commit.gpgsign":
			no := []string{"", "false", "no", "off", "0"} // as git-config(1) has it
			s.sign = !hasValue || !slices.Contains(no, strings.ToLower(value))
		case strings.HasPrefix(key, "gpg.") && (scope == "local" || scope == "worktree"):
			s.foreignSigner = key
		}
	}
	env := Ident{Name: envvar.Get(r.env, "GIT_COMMITTER_NAME"), Mail: envvar.Get(r.env, "GIT_COMMITTER_EMAIL")}
	s.user = Ident{values["user.name"], values["user.email"]}
	s.committer = env.or(Ident{values["committer.name"], values["committer.email"]})
	return s, nil
}

// SetConfig sets a value in the repository's own configuration.
func (r *Repo) SetConfig(ctx context.Context, key, value string) error {
	_, err := r.act(ctx, call{args: []string{"config", "--local", key, value}})
	return err
}

// Config reads the last value of each key that matches a regular expression. Keys are in lower
// case, except between the dots. environ is a hook's environment, in which git passes on what
// `git -c` set, or nil.
func (r *Repo) Config(ctx context.Context, environ []string, pattern string, options ...string) (map[string]string, error) {
	var given []string
	for _, kv := range environ {
		if name, _, _ := strings.Cut(kv, "="); name == "GIT_CONFIG_PARAMETERS" || name == "GIT_CONFIG_COUNT" ||
			strings.HasPrefix(name, "GIT_CONFIG_KEY_") || strings.HasPrefix(name, "GIT_CONFIG_VALUE_") {
			given = append(given, kv)
		}
	}
	args := slices.Concat([]string{"config", "-z"}, options, []string{"--get-regexp", pattern})
	out, err := r.run(ctx, call{args: args, env: given})
	if exited(err) == 1 { // nothing matches
		err = nil
	}
	values := map[string]string{}
	for entry := range strings.SplitSeq(string(out), "\x00") {
		if key, value, _ := strings.Cut(entry, "\n"); key != "" {
			values[key] = value
		}
	}
	return values, err
}

// Ignores reports whether git ignores a path, which it does not track.
func (r *Repo) Ignores(ctx context.Context, path string) bool {
	_, err := r.ask(ctx, "check-ignore", "--quiet", "--", path)
	return err == nil
}

// UnsetConfig takes a value out of the repository's own configuration.
func (r *Repo) UnsetConfig(ctx context.Context, key string) error {
	_, err := r.act(ctx, call{args: []string{"config", "--local", "--unset-all", key}})
	if exited(err) == 5 { // it is not there
		return nil
	}
	return err
}

// HooksDir is the directory in which git looks for this repository's hooks.
func (r *Repo) HooksDir(ctx context.Context) (string, error) {
	out, err := r.run(ctx, call{args: []string{"rev-parse", "--git-path", "hooks"}, hooked: true})
	dir := strings.TrimSuffix(string(out), "\n")
	if err == nil && !filepath.IsAbs(dir) {
		dir = filepath.Join(r.dir, dir)
	}
	return dir, err
}
