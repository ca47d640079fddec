package facts

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Memo keeps one answer for as long as the files that it follows from, its
// witnesses, are as they were. It decides nothing that asking again would not:
// a damaged, forged or outdated memo is a miss.
type Memo struct {
	Dirs Dirs
	File string // where it is kept
	Key  string // all that the answer follows from beside its witnesses
}

// memoLabel keeps what is sealed as a memo from passing for anything else.
const memoLabel = "git-tdd memo"

// witness is one file or folder, by what the file system shows of it. The zero
// value is one that is not there.
type witness struct {
	Path string
	Stat stat
}

// memo is what is written.
type memo struct {
	Key       string
	Witnesses []witness
	Answer    json.RawMessage
}

// tick is how fresh a witness must not be when it is taken down: a change
// within the same tick of the system's clock would not show.
const tick = 100 * time.Millisecond

// Recall fills in the answer; ok is false where there is none that still holds.
func (m Memo) Recall(answer any) (ok bool) {
	key, err := readSecret(filepath.Join(m.Dirs.State, "key"))
	if err != nil || key == nil {
		return false
	}
	text, ok := key.open(memoLabel, m.File)
	var kept memo
	if !ok || json.Unmarshal(text, &kept) != nil || kept.Key != m.Key {
		return false
	}
	for _, w := range kept.Witnesses {
		if now, err := look(w.Path); err != nil || now != w.Stat {
			return false
		}
	}
	return json.Unmarshal(kept.Answer, answer) == nil
}

// Keep writes the answer down, unless a witness has changed only just now.
func (m Memo) Keep(answer any, witnesses []string) error {
	kept := memo{Key: m.Key}
	for _, path := range witnesses {
		s, err := look(path)
		if err != nil {
			return err
		}
		if time.Now().UnixNano()-int64(max(s.CTime, s.MTime)) < int64(tick) { //nolint:gosec // a time of this century
			return nil
		}
		kept.Witnesses = append(kept.Witnesses, witness{Path: path, Stat: s})
	}
	data, err := json.Marshal(answer)
	if err != nil {
		return fmt.Errorf("encode a memo: %w", err)
	}
	kept.Answer = data
	text, err := json.Marshal(kept)
	if err != nil {
		return fmt.Errorf("encode a memo: %w", err)
	}
	key, err := m.Dirs.secret()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(m.File), 0o750); err != nil {
		return fmt.Errorf("keep a memo: %w", err)
	}
	return writeAtomic(m.File, key.seal(memoLabel, text))
}

// look describes a path as it is now, without following a link.
func look(path string) (stat, error) {
	fi, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return stat{}, nil
	}
	if err != nil {
		return stat{}, fmt.Errorf("look at a witness: %w", err)
	}
	return statOf(fi), nil
}
