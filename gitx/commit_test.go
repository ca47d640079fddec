package gitx

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// TestCommitReadBack reads commits with another implementation.
func TestCommitReadBack(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := newLab(t)
	l.Git("config", "i18n.commitEncoding", "ISO-8859-1")
	l.Git("config", "trailer.separators", "%")
	r := l.open()
	other, err := git.PlainOpen(l.Dir)
	gittest.Check(t, err)
	messages := []string{
		"test: a\n", "no newline at the end", "\n\nleading blank lines\n", "trailing \n\n\n\n", "# not a comment\n", "crlf\r\nline\r\n",
		"über ключ 測試\n\nTdd-Step: 1\nTdd-Role: tester\n", "---\ndiff --git a b\n", strings.Repeat("long ", 200000), "",
	}
	var parents []ID
	for i, message := range messages {
		tree, err := r.WriteTree(ctx, "", []TreeEdit{put("n", itoa(i))})
		gittest.Check(t, err)
		id, err := r.CommitTree(ctx, NewCommit{Tree: tree, Parents: parents, Author: Ident{Name: "Tess Tester", Mail: "tess@example.com"}, Message: message})
		gittest.Check(t, err)
		c, err := other.CommitObject(plumbing.NewHash(string(id)))
		gittest.Check(t, err)
		if c.Message != message || c.TreeHash.String() != string(tree) || len(c.ParentHashes) != len(parents) ||
			c.Author.Name != "Tess Tester" || c.Author.Email != "tess@example.com" || c.Committer.Name != "Ursula User" || c.Encoding != "UTF-8" {
			t.Errorf("%.40q: read back as %.40q, %+v", message, c.Message, c)
		}
		own, err := r.Commit(ctx, string(id))
		if err != nil || own.Message != message || own.Tree != tree || own.Author != "Tess Tester <tess@example.com>" || len(own.Parents) != len(parents) {
			t.Errorf("%.40q: we read %.40q %v", message, own.Message, err)
		}
		for i, p := range parents {
			if c.ParentHashes[i].String() != string(p) || own.Parents[i] != p {
				t.Errorf("parent %d: %s, want %s", i, c.ParentHashes[i], p)
			}
		}
		parents = append([]ID{id}, parents[:min(1, len(parents))]...)
	}
	if _, err := r.CommitTree(ctx, NewCommit{Tree: "1234", Author: Ident{Name: "a", Mail: "b"}, Message: "x"}); err == nil {
		t.Error("a commit of no tree was made")
	}
	if _, err := r.CommitTree(ctx, NewCommit{Tree: l.rev(string(parents[0]) + "^{tree}"), Author: Ident{Name: "a", Mail: "b"}, Message: "nul\x00"}); err == nil {
		t.Error("a message with NUL was cut short in silence")
	}
}

// TestLandingReadBack: what was landed is the same to go-git and to git.
func TestLandingReadBack(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := committed(t)
	r := l.open()
	landing := l.step(r, put("a/one.txt", "1\n"), put("b/new ü.txt", "new\n"), TreeEdit{Path: "run", Mode: ModeExecutable, Content: []byte("x")})
	gittest.Check(t, r.Land(ctx, landing))
	other, err := git.PlainOpen(l.Dir)
	gittest.Check(t, err)
	head, err := other.Head()
	if err != nil || head.Hash().String() != string(landing.New) || head.Name().String() != "refs/heads/main" {
		t.Fatalf("%v %v", head, err)
	}
	work, err := other.Worktree()
	gittest.Check(t, err)
	status, err := work.Status()
	if err != nil || !status.IsClean() {
		t.Errorf("%v %v", status, err)
	}
	l.landed(landing, "")
	if log := l.Git("reflog", "-1", "--format=%gs"); log != "tdd: test: a step" {
		t.Errorf("reflog: %s", log)
	}
}

func TestCommitter(t *testing.T) {
	t.Parallel()
	tess := Ident{Name: "Tess Tester", Mail: "tess@example.com"}
	cases := map[string]struct {
		global [][2]string
		env    []string
		want   string
	}{
		"the user":            {want: "Ursula User <ursula@example.com>"},
		"committer.* is more": {global: [][2]string{{"committer.name", "Com"}, {"committer.email", "com@x"}}, want: "Com <com@x>"},
		"the environment":     {env: []string{"GIT_COMMITTER_NAME=Env", "GIT_COMMITTER_EMAIL=env@x"}, want: "Env <env@x>"},
		"nobody": {
			global: [][2]string{{"user.name", ""}, {"user.email", ""}}, want: "Tess Tester <tess@example.com>",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			for _, kv := range c.global {
				l.Git("config", "--global", kv[0], kv[1])
			}
			l.Env = append(l.Env, c.env...)
			r := l.open()
			ctx := context.Background()
			tree, err := r.WriteTree(ctx, "", nil)
			gittest.Check(t, err)
			id, err := r.CommitTree(ctx, NewCommit{Tree: tree, Author: tess, Message: "m"})
			gittest.Check(t, err)
			if got := l.Git("log", "-1", "--format=%an <%ae>|%cn <%ce>", string(id)); got != "Tess Tester <tess@example.com>|"+c.want {
				t.Errorf("%s", got)
			}
		})
	}
}

func TestSigning(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "ssh-keygen")
	ctx := context.Background()
	l := newLab(t)
	key := filepath.Join(l.Home, "key")
	gittest.Run(t, exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "ursula", "-f", key))
	signers := filepath.Join(l.Home, "signers")
	gittest.Write(t, signers, "ursula@example.com "+gittest.Read(t, key+".pub"))
	l.Git("config", "--global", "commit.gpgsign", "true")
	l.Git("config", "--global", "gpg.format", "ssh")
	l.Git("config", "--global", "user.signingkey", key+".pub")
	l.Git("config", "--global", "gpg.ssh.allowedSignersFile", signers)
	r := l.open()
	tree, err := r.WriteTree(ctx, "", nil)
	gittest.Check(t, err)
	c := NewCommit{Tree: tree, Author: Ident{Name: "Tess", Mail: "tess@x"}, Message: "test: signed\n"}
	id, err := r.CommitTree(ctx, c)
	gittest.Check(t, err)
	l.Git("verify-commit", string(id))
	own, err := r.Commit(ctx, string(id))
	if err != nil || own.Message != c.Message || own.Tree != tree {
		t.Errorf("%+v %v", own, err)
	}

	l.Git("config", "--global", "user.signingkey", filepath.Join(l.Home, "no-such-key"))
	if _, err := r.CommitTree(ctx, c); !errors.Is(err, ErrSigning) {
		t.Errorf("with a missing key: %v", err)
	}
	l.Git("config", "commit.gpgsign", "false")
	if _, err := r.CommitTree(ctx, c); err != nil {
		t.Errorf("where the repository asks for none: %v", err)
	}
}

// TestForeignSignerIsNotRun: a program that the repository itself names is not
// run, and the commit is refused, not left unsigned.
func TestForeignSignerIsNotRun(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"gpg.program", "gpg.openpgp.program", "gpg.ssh.program", "gpg.x509.program", "gpg.ssh.defaultKeyCommand"} {
		for _, scope := range []string{"--local", "--worktree"} {
			t.Run(key+scope, func(t *testing.T) {
				t.Parallel()
				ctx := context.Background()
				l := newLab(t)
				l.Git("config", "extensions.worktreeConfig", "true")
				l.Git("config", "--global", "commit.gpgsign", "true")
				if strings.Contains(key, "ssh") {
					l.Git("config", "--global", "gpg.format", "ssh")
				}
				canary := filepath.Join(t.TempDir(), "canary")
				l.Git("config", scope, key, "touch '"+canary+"';")
				r := l.open()
				tree, err := r.WriteTree(ctx, "", nil)
				gittest.Check(t, err)
				_, err = r.CommitTree(ctx, NewCommit{Tree: tree, Author: Ident{Name: "a", Mail: "b"}, Message: "m"})
				if !errors.Is(err, ErrSigning) {
					t.Errorf("%v", err)
				}
				if _, err := os.Stat(canary); err == nil {
					t.Error("the program was run")
				}
			})
		}
	}
}
