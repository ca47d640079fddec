package facts

import (
	"maps"
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
	var r answerRecord
	ok := s.recall(answerLabel, s.answerFile(tree, key), &r)
	return r.Facts, ok && r.Key == key
}

func (s store) keepAnswer(tree gitx.ID, key string, f gates.Facts) error {
	return s.keep(answerLabel, s.answerFile(tree, key), answerRecord{Key: key, Facts: f})
}
