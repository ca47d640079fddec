package facts

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/wholefile"
	"github.com/git-tdd/git-tdd/testrun"
)

// format is the version of the entries. It changes whenever the same commands
// on the same tree would be interpreted differently.
const format = 15

// Entry is one measurement of a tree.
type Entry struct {
	Key       string         `json:"key"`
	Commands  string         `json:"commands"` // digest of the commands alone
	Toolchain string         `json:"toolchain"`
	Silent    []string       `json:"silent,omitempty"` // tools that gave no version
	Measured  time.Time      `json:"measured"`
	Runs      int            `json:"runs"` // how often the tree was run; Result is that of the first run
	Flaky     []string       `json:"flaky,omitempty"`
	Result    testrun.Result `json:"result"`
	Carried   *Carried       `json:"carried,omitempty"` // nil: all was measured

	base      string // the key without walls
	otherwise bool   // measured with walls where there are none now, or the other way round
}

// The kinds of records, by the extensions of their files.
const (
	entryExtension    = ".json"
	carriedExtension  = ".carried"
	coverageExtension = ".coverage"
	answerExtension   = ".answer"
	// The number of evidence changes whenever tests would be graded otherwise.
	evidenceExtension = ".evidence4"
)

// store keeps entries below a directory, in one folder for each tree.
type store struct {
	dir    string
	secret secret
	unkept *unkept
}

// unkept holds the records that could not be written, for as long as the process
// lives: a repository that cannot be written can still be judged.
type unkept struct {
	once sync.Once
	text sync.Map    // what they say, by the name of the file
	tell func(error) // called at the first one; may be nil
}

// keep writes a record, sealed.
func (s store) keep(file string, record any) error {
	text, err := json.Marshal(record)
	if err != nil {
		return fmt.Errorf("encode %s: %w", file, err)
	}
	if err = os.MkdirAll(filepath.Dir(file), 0o700); err == nil {
		err = wholefile.Write(file, s.secret.seal(file, text), 0o600)
	}
	if err == nil {
		return nil
	}
	s.unkept.once.Do(func() {
		if s.unkept.tell != nil {
			s.unkept.tell(err)
		}
	})
	s.unkept.text.Store(file, text)
	return nil
}

// recall reads what keep wrote; anything else is a miss.
func (s store) recall(file string, record any) bool {
	text, ok := s.secret.open(file)
	if held, found := s.unkept.text.Load(file); found {
		text, ok = held.([]byte)
	}
	return ok && json.Unmarshal(text, record) == nil
}

func (s store) folder(tree gitx.ID) string { return filepath.Join(s.dir, string(tree)) }

// file is where a record of a tree is kept under a key.
func (s store) file(tree gitx.ID, key, extension string) string {
	return filepath.Join(s.folder(tree), key+extension)
}

// load reads the entry of a key; anything that is not exactly what save wrote is a miss.
func (s store) load(tree gitx.ID, key, extension string) (e Entry, ok bool) {
	ok = s.recall(s.file(tree, key, extension), &e)
	return e, ok
}

// files lists the records of one kind of a tree.
func (s store) files(tree gitx.ID, extension string) []string {
	return wholefile.Matching(s.folder(tree), "*"+extension)
}

func (s store) save(tree gitx.ID, e Entry) error {
	extension := entryExtension
	if e.Carried != nil {
		extension = carriedExtension
	}
	return s.keep(s.file(tree, e.Key, extension), e)
}

// digest hashes labelled parts so that different lists have different hashes.
func digest(label string, parts ...string) string {
	h := sha256.New()
	for _, p := range append([]string{label}, parts...) {
		h.Write(fmt.Appendf(nil, "%d %s\n", len(p), p))
	}
	return hex.EncodeToString(h.Sum(nil))
}
