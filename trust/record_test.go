package trust

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

func TestRecordIsPrivateAndReadable(t *testing.T) {
	t.Parallel()
	s, sub := store(t), subject(t)
	sub.Commands = append(sub.Commands, []string{"setup", "printf", "\x1b]52;c;x\a\u202e\n\xff"})
	approve(t, s, sub)
	file := onlyFile(t, s)
	if runtime.GOOS != "windows" {
		wantMode(t, s.Dir, 0o700)
		wantMode(t, file, 0o600)
	}
	text := gittest.Read(t, file)
	for _, want := range []string{`command "test" "cargo" "test" "--all"`, `key-env "LLM_API_KEY"`, `endpoint "http://localhost:11434/v1"`} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("the record lacks %s:\n%s", want, text)
		}
	}
	if !utf8.ValidString(text) || strings.ContainsAny(text, "\x1b\a\u202e") {
		t.Errorf("the record holds raw control characters: %q", text)
	}
	wantApproved(t, s, sub)
}

func wantMode(t *testing.T, path string, want os.FileMode) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != want {
		t.Errorf("%s: mode %v, %v, want %v", path, info.Mode(), err, want)
	}
}

func TestDamagedRecordIsNoApproval(t *testing.T) {
	t.Parallel()
	s, sub := store(t), subject(t)
	approve(t, s, sub)
	file := onlyFile(t, s)
	good, err := os.ReadFile(file)
	gittest.Check(t, err)
	for i := range good {
		bad := append([]byte(nil), good...)
		bad[i] ^= 1
		wantDamaged(t, s, sub, bad)
		wantDamaged(t, s, sub, good[:i])
	}
	wantDamaged(t, s, sub, append(append([]byte(nil), good...), "endpoint \"http://evil\"\n"...))
	approve(t, s, sub) // repairs it
	wantApproved(t, s, sub)
}

func wantDamaged(t *testing.T, s Store, sub Subject, content []byte) {
	t.Helper()
	c, err := sub.canonical()
	gittest.Check(t, err)
	gittest.Check(t, os.WriteFile(s.file(c), content, 0o600))
	wantRefused(t, s, sub)
}

func TestRecordOfAnotherSubjectIsNoApproval(t *testing.T) {
	t.Parallel()
	s, sub, other := store(t), subject(t), subject(t)
	approve(t, s, sub)
	c, err := other.canonical()
	gittest.Check(t, err)
	gittest.Check(t, os.Rename(onlyFile(t, s), s.file(c)))
	wantRefused(t, s, other)
}

func TestOnlyRegularFilesCount(t *testing.T) {
	t.Parallel()
	s, sub := store(t), subject(t)
	approve(t, s, sub)
	file := onlyFile(t, s)
	moved := filepath.Join(t.TempDir(), filepath.Base(file))
	gittest.Check(t, errors.Join(os.Rename(file, moved), os.Symlink(moved, file)))
	wantRefused(t, s, sub)
	approve(t, s, sub) // it replaces the link and does not write through it
	wantApproved(t, s, sub)
}
