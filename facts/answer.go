package facts

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
)

// answerLabel keeps a sealed answer from being taken for anything else.
const answerLabel = "git-tdd answer"

// answerRecord is what an altered tree showed. It is kept beside the entry with the
// tree's facts.
type answerRecord struct {
	Key   string      `json:"key"`
	Facts gates.Facts `json:"facts"`
}

// answerKey is the key of an answer: it falls when the facts of the tree are measured
// anew, so that a wrong one does not stay.
func answerKey(e *Entry, a Altered, argv []string) string {
	parts := []string{e.Key, e.Measured.String(), a.For, words(argv)}
	for _, name := range slices.Sorted(maps.Keys(a.Files)) {
		parts = append(parts, name, a.Files[name])
	}
	return digest("answer", parts...)
}

func (s store) answerFile(tree gitx.ID, key string) string {
	return filepath.Join(s.folder(tree), key+".answer")
}

func (s store) answer(tree gitx.ID, key string) (gates.Facts, bool) {
	text, ok := s.secret.open(answerLabel, s.answerFile(tree, key))
	var r answerRecord
	if !ok || json.Unmarshal(text, &r) != nil || r.Key != key {
		return gates.Facts{}, false
	}
	return r.Facts, true
}

func (s store) keepAnswer(tree gitx.ID, key string, f gates.Facts) error {
	data, err := json.Marshal(answerRecord{Key: key, Facts: f})
	if err != nil {
		return fmt.Errorf("encode what an altered %s showed: %w", tree.Short(), err)
	}
	if err := os.MkdirAll(s.folder(tree), 0o700); err != nil {
		return fmt.Errorf("make the folder of the facts: %w", err)
	}
	return writeAtomic(s.answerFile(tree, key), s.secret.seal(answerLabel, data))
}
