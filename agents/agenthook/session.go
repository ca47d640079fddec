package agenthook

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/git-tdd/git-tdd/internal/wholefile"
)

// session is what is remembered of a turn, so that it is not sent back for ever,
// nor for what lay there before it. It decides nothing about any commit.
type session struct {
	Wrote bool `json:"wrote"` // the agent wrote something in this turn
	Sent  int  `json:"sent"`  // how often the turn was sent back

	Warned bool `json:"warned,omitempty"` // it was said that there are no hooks

	file string
}

// session recalls the turn of an agent's session.
func (j Judge) session(agent, id string) *session {
	name := fmt.Sprintf("%s-%x", agent, sha256.Sum256([]byte(id)))[:len(agent)+17]
	s := &session{file: filepath.Join(j.Repo.StateDir(), "agents", name)}
	if data, err := wholefile.Read(s.file); err == nil {
		_ = json.Unmarshal(data, s) // what cannot be read is a new turn
	}
	return s
}

// save remembers the turn. Where it cannot be written, no turn is sent back.
func (s *session) save() bool {
	data, err := json.Marshal(s)
	return err == nil && os.MkdirAll(filepath.Dir(s.file), 0o750) == nil && os.WriteFile(s.file, data, 0o600) == nil
}

// end forgets the turn.
func (s *session) end() error {
	if s.Warned {
		s.Wrote, s.Sent = false, 0
		s.save()
		return nil
	}
	err := os.Remove(s.file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
