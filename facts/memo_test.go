package facts

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// aMemo is a memo with one witness that is old enough to be recorded.
func aMemo(t *testing.T) (m Memo, witness string) {
	t.Helper()
	dir := t.TempDir()
	witness = filepath.Join(dir, "witness")
	m = Memo{Dirs: Dirs{State: filepath.Join(dir, "state")}, File: filepath.Join(dir, "memo"), Key: "key"}
	settle(t, witness, "as it was")
	return m, witness
}

// settle writes a file and waits until a later change would show.
func settle(t *testing.T, name, text string) {
	t.Helper()
	gittest.Write(t, name, text)
	fi, err := os.Stat(name)
	gittest.Check(t, err)
	for time.Since(fi.ModTime()) <= tick {
		fi, err = os.Stat(name)
		gittest.Check(t, err)
	}
}

func TestMemo_holdsWhileItsWitnessesDo(t *testing.T) {
	t.Parallel()
	absent := filepath.Join(t.TempDir(), "absent")
	changes := map[string]func(t *testing.T, m *Memo, witness string){
		"content, times set back": func(t *testing.T, _ *Memo, witness string) {
			t.Helper()
			fi, err := os.Stat(witness)
			gittest.Check(t, err)
			gittest.Write(t, witness, "as it is ")
			gittest.Check(t, os.Chtimes(witness, fi.ModTime(), fi.ModTime()))
		},
		"gone":    func(t *testing.T, _ *Memo, witness string) { t.Helper(); gittest.Check(t, os.Remove(witness)) },
		"key":     func(_ *testing.T, m *Memo, _ string) { m.Key = "another" },
		"forged":  func(t *testing.T, m *Memo, _ string) { t.Helper(); flipLast(t, m.File) },
		"secret":  func(t *testing.T, m *Memo, _ string) { t.Helper(); flipLast(t, filepath.Join(m.Dirs.State, "key")) },
		"damaged": func(t *testing.T, m *Memo, _ string) { t.Helper(); gittest.Check(t, os.Truncate(m.File, 10)) },
	}
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, witness := aMemo(t)
			gittest.Check(t, m.Keep("the answer", []string{witness, absent}))
			var got string
			if !m.Recall(&got) || got != "the answer" {
				t.Fatalf("recalled %q", got)
			}
			change(t, &m, witness)
			if m.Recall(&got) {
				t.Error("it still holds")
			}
		})
	}
}

func flipLast(t *testing.T, name string) {
	t.Helper()
	data, err := os.ReadFile(name)
	gittest.Check(t, err)
	data[len(data)-1] ^= 1
	gittest.Check(t, os.WriteFile(name, data, 0o600))
}

func TestMemo_takesNoWitnessThatHasJustChanged(t *testing.T) {
	t.Parallel()
	m, witness := aMemo(t)
	gittest.Write(t, witness, "new")
	gittest.Check(t, m.Keep("the answer", []string{witness}))
	var got string
	if m.Recall(&got) {
		t.Error("a change in the same tick would not show")
	}
}
