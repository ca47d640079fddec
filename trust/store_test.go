package trust

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// subject is a new repository with some commands.
func subject(t *testing.T) Subject {
	t.Helper()
	return Subject{
		Repository: t.TempDir(),
		Commands:   [][]string{{"fmt", "cargo", "fmt"}, {"test", "cargo", "test", "--all"}},
		Endpoints:  []string{"http://localhost:11434/v1", "https://models.example/v1"},
		KeyEnv:     []string{"LLM_API_KEY", "OTHER_KEY"},
	}
}

func store(t *testing.T) Store {
	t.Helper()
	return Store{Dir: filepath.Join(t.TempDir(), "git-tdd", "trusted")}
}

func approve(t *testing.T, s Store, subject Subject) {
	t.Helper()
	gittest.Check(t, s.Approve(subject))
}

func wantApproved(t *testing.T, s Store, subject Subject) {
	t.Helper()
	if ok, err := s.Approved(subject); err != nil || !ok {
		t.Fatalf("Approved = %v, %v, want true", ok, err)
	}
}

func wantRefused(t *testing.T, s Store, subject Subject) {
	t.Helper()
	if ok, err := s.Approved(subject); err != nil || ok {
		t.Fatalf("Approved = %v, %v, want false", ok, err)
	}
}

func onlyFile(t *testing.T, s Store) string {
	t.Helper()
	records, err := os.ReadDir(s.Dir)
	if err != nil || len(records) != 1 {
		t.Fatalf("the store holds %v, %v, want one record", records, err)
	}
	return filepath.Join(s.Dir, records[0].Name())
}

func TestStoreInsideTheRepositoryIsRefused(t *testing.T) {
	t.Parallel()
	sub := subject(t)
	outside := t.TempDir()
	link := filepath.Join(outside, "link")
	dangling := filepath.Join(outside, "dangling")
	err := errors.Join(os.Symlink(sub.Repository, link), os.Symlink(filepath.Join(sub.Repository, "later"), dangling))
	gittest.Check(t, err)
	dotgit := filepath.Join(sub.Repository, ".git")
	gittest.Check(t, os.Mkdir(dotgit, 0o700))
	for name, c := range map[string]struct {
		dir, repository string
		inside          bool
	}{
		"the repository itself":    {sub.Repository, sub.Repository, true},
		"below it":                 {filepath.Join(sub.Repository, "a", "b"), sub.Repository, true},
		"through a link":           {filepath.Join(link, "a"), sub.Repository, true},
		"beside its git directory": {filepath.Join(sub.Repository, ".config"), dotgit, true},
		"link that leads nowhere":  {filepath.Join(dangling, "a"), sub.Repository, false},
		"relative":                 {"trusted", sub.Repository, false},
		"none":                     {"", sub.Repository, false},
	} {
		sub.Repository = c.repository
		s := Store{Dir: c.dir}
		ok, err := s.Approved(sub)
		if err == nil || ok || errors.Is(err, ErrInside) != c.inside {
			t.Errorf("%s: Approved = %v, %v", name, ok, err)
		}
		if err := s.Approve(sub); err == nil || errors.Is(err, ErrInside) != c.inside {
			t.Errorf("%s: Approve = %v", name, err)
		}
	}
	entries, err := os.ReadDir(sub.Repository)
	if err != nil || len(entries) > 1 {
		t.Errorf("the repository was written to: %v, %v", entries, err)
	}
}

func TestStoreBesideTheRepositoryIsFine(t *testing.T) {
	t.Parallel()
	sub := subject(t)
	s := Store{Dir: sub.Repository + "-config"} // same prefix, other directory
	t.Cleanup(func() { _ = os.RemoveAll(s.Dir) })
	approve(t, s, sub)
	wantApproved(t, s, sub)
}

func TestUnreadableStoreIsAnError(t *testing.T) {
	t.Parallel()
	sub := subject(t)
	s := Store{Dir: filepath.Join(t.TempDir(), "file")}
	gittest.Write(t, s.Dir, "")
	if ok, err := s.Approved(sub); err == nil || ok {
		t.Errorf("Approved = %v, %v", ok, err)
	}
	if err := s.Approve(sub); err == nil {
		t.Error("a file was taken for a store")
	}
	if err := s.Revoke(sub); err == nil {
		t.Error("a file was searched as a store")
	}
}

func TestSharedStoreIsRefused(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows keeps profiles private by other means")
	}
	s, sub := store(t), subject(t)
	approve(t, s, sub)
	gittest.Check(t, os.Chmod(s.Dir, 0o777))
	if ok, err := s.Approved(sub); !errors.Is(err, ErrShared) || ok {
		t.Errorf("Approved = %v, %v, want ErrShared", ok, err)
	}
	if err := s.Approve(sub); !errors.Is(err, ErrShared) {
		t.Errorf("Approve = %v, want ErrShared", err)
	}
}

func TestRevokeTakesBackTheWholeRepository(t *testing.T) {
	t.Parallel()
	s, sub, other := store(t), subject(t), subject(t)
	older := sub
	older.Commands = sub.Commands[:1]
	if err := s.Revoke(sub); err != nil {
		t.Fatalf("nothing to revoke: %v", err)
	}
	for _, each := range []Subject{sub, older, other} {
		approve(t, s, each)
	}
	gittest.Check(t, s.Revoke(sub))
	wantRefused(t, s, sub)
	wantRefused(t, s, older)
	wantApproved(t, s, other)
}

func TestRevokeWhatIsGone(t *testing.T) {
	t.Parallel()
	s, sub := store(t), subject(t)
	approve(t, s, sub)
	for _, name := range []string{".new-123", "stranger"} {
		gittest.Write(t, filepath.Join(s.Dir, name), "x")
	}
	c, err := sub.canonical()
	gittest.Check(t, err)
	gittest.Check(t, os.RemoveAll(sub.Repository))
	gittest.Check(t, s.Revoke(Subject{Repository: c.Repository}))
	left, err := os.ReadDir(s.Dir)
	if err != nil || len(left) != 2 {
		t.Errorf("the store holds %v, %v, want what is no record of ours", left, err)
	}
	if err := s.Revoke(Subject{}); !errors.Is(err, ErrRepository) {
		t.Errorf("Revoke of nothing = %v, want ErrRepository", err)
	}
}
