package testrun

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

func TestWritten(t *testing.T) {
	t.Parallel()
	s, read := &Session{Journals: t.TempDir()}, map[string]int64{}
	name := filepath.Join(s.Journals, "1.jsonl")
	add := func(text string) {
		f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		gittest.Check(t, err)
		_, err = f.WriteString(text)
		gittest.Check(t, err)
		gittest.Check(t, f.Close())
	}
	if n := s.written(read); n != 0 {
		t.Errorf("%d before the first", n)
	}
	add(`{"event":"start"}` + "\n" + `{"event": "verdict"}` + "\n")
	if n := s.written(read); n != 1 {
		t.Errorf("%d after one", n)
	}
	add(`{"event":"verdict"}` + "\n" + `{"event":"verdict"}` + "\n")
	if n := s.written(read); n != 2 {
		t.Errorf("%d more after two more", n)
	}
}
