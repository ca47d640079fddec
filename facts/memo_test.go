package facts

import (
	"os"
	"path/filepath"
	"testing"
	"time"
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
	check(t, os.WriteFile(name, []byte(text), 0o600))
	fi, err := os.Stat(name)
	check(t, err)
	for time.Since(fi.ModTime()) <= tick {
		fi, err = os.Stat(name)
		check(t, err)
	}
}

func TestMemo_holdsWhileItsWitnessesDo(t *testing.T) {
	t.Parallel()
	absent := filepath.Join(t.TempDir(), "absent")
	changes := map[string]func(t *testing.T, m *Memo, witness string){
		"content, times set back": func(t *testing.T, _ *Memo, witness string) {
			t.Helper()
			fi, err := os.Stat(witness)
			check(t, err)
			check(t, os.WriteFile(witness, []byte("as it is "), 0o600))
			check(t, os.Chtimes(witness, fi.ModTime(), fi.ModTime()))
		},
		"gone":    func(t *testing.T, _ *Memo, witness string) { t.Helper(); check(t, os.Remove(witness)) },
		"key":     func(_ *testing.T, m *Memo, _ string) { m.Key = "another" },
		"forged":  func(t *testing.T, m *Memo, _ string) { t.Helper(); flipLast(t, m.File) },
		"secret":  func(t *testing.T, m *Memo, _ string) { t.Helper(); flipLast(t, filepath.Join(m.Dirs.State, "key")) },
		"damaged": func(t *testing.T, m *Memo, _ string) { t.Helper(); check(t, os.Truncate(m.File, 10)) },
	}
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, witness := aMemo(t)
			check(t, m.Keep("the answer", []string{witness, absent}))
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
	check(t, err)
	data[len(data)-1] ^= 1
	check(t, os.WriteFile(name, data, 0o600))
}

func TestMemo_takesNoWitnessThatHasJustChanged(t *testing.T) {
	t.Parallel()
	m, witness := aMemo(t)
	check(t, os.WriteFile(witness, []byte("new"), 0o600))
	check(t, m.Keep("the answer", []string{witness}))
	var got string
	if m.Recall(&got) {
		t.Error("a change in the same tick would not show")
	}
}
