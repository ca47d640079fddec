package trust

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"
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
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`command "test" "cargo" "test" "--all"`, `key-env "LLM_API_KEY"`, `endpoint "http://localhost:11434/v1"`} {
		if !strings.Contains(string(data), want+"\n") {
			t.Errorf("the record lacks %s:\n%s", want, data)
		}
	}
	if !utf8.Valid(data) || strings.ContainsAny(string(data), "\x1b\a\u202e") {
		t.Errorf("the record holds raw control characters: %q", data)
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
	if err != nil {
		t.Fatal(err)
	}
	for i := range len(good) - 1 { // each byte in turn except the last line break, which has no meaning
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
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.file(c), content, 0o600); err != nil {
		t.Fatal(err)
	}
	wantRefused(t, s, sub)
	records, err := s.List()
	if err != nil || len(records) != 1 || records[0].Damaged == "" || !reflect.DeepEqual(records[0].Subject, Subject{}) {
		t.Fatalf("List = %+v, %v, want one damaged record for %q", records, err, content)
	}
}

func TestRecordOfAnotherSubjectIsNoApproval(t *testing.T) {
	t.Parallel()
	s, sub, other := store(t), subject(t), subject(t)
	approve(t, s, sub)
	c, err := other.canonical()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(onlyFile(t, s), s.file(c)); err != nil {
		t.Fatal(err)
	}
	wantRefused(t, s, other)
}

func TestOnlyRegularFilesCount(t *testing.T) {
	t.Parallel()
	s, sub := store(t), subject(t)
	approve(t, s, sub)
	file := onlyFile(t, s)
	moved := filepath.Join(t.TempDir(), filepath.Base(file))
	if err := errors.Join(os.Rename(file, moved), os.Symlink(moved, file)); err != nil {
		t.Fatal(err)
	}
	wantRefused(t, s, sub)
	approve(t, s, sub) // it replaces the link and does not write through it
	wantApproved(t, s, sub)
}
