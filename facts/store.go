package facts

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/wholefile"
	"github.com/git-tdd/git-tdd/testrun"
)

// format is the version of the entries. It changes whenever the same commands
// on the same tree would be interpreted differently.
const format = 14

// Entry is one measurement of a tree.
type Entry struct {
	Format    int            `json:"format"`
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

// The labels keep a sealed text of one kind from being taken for one of another.
const (
	entryLabel     = "git-tdd facts entry"
	carriedLabel   = "git-tdd carried facts"
	coverageLabel  = "git-tdd coverage by line"
	answerLabel    = "git-tdd answer"
	evidenceLabel  = "git-tdd evidence"
	tookLabel      = "git-tdd took"
	toolchainLabel = "git-tdd toolchain"
)

// store keeps entries below a directory, in one folder for each tree.
type store struct {
	dir    string
	secret secret
	unkept *unkept // nil: what cannot be written is an error
}

// unkept holds the records that could not be written, for as long as the process
// lives: a repository that cannot be written can still be judged.
type unkept struct {
	once sync.Once
	text sync.Map    // what they say, by the name of the file
	tell func(error) // called at the first one; may be nil
}

// keep writes a record of a tree, sealed.
func (s store) keep(label, file string, record any) error {
	text, err := json.Marshal(record)
	if err != nil {
		return fmt.Errorf("encode %s: %w", label, err)
	}
	if err = os.MkdirAll(filepath.Dir(file), 0o700); err == nil {
		err = wholefile.Write(file, s.secret.seal(label, text), 0o600)
	}
	if err == nil || s.unkept == nil {
		return err
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
func (s store) recall(label, file string, record any) bool {
	text, ok := s.secret.open(label, file)
	if s.unkept != nil {
		if held, found := s.unkept.text.Load(file); found {
			text, ok = held.([]byte)
		}
	}
	return ok && json.Unmarshal(text, record) == nil
}

func (s store) folder(tree gitx.ID) string { return filepath.Join(s.dir, string(tree)) }

// file is where a record of a tree is kept under a key.
func (s store) file(tree gitx.ID, key, extension string) string {
	return filepath.Join(s.folder(tree), key+extension)
}

// load reads the entry of a key; anything that is not exactly what save wrote is a miss.
func (s store) load(tree gitx.ID, key string) (Entry, bool) {
	e, ok := s.open(entryLabel, s.file(tree, key, ".json"), tree)
	return e, ok && e.Key == key
}

// carried is load for an entry of which some tests were not run.
func (s store) carried(tree gitx.ID, key string) (Entry, bool) {
	e, ok := s.open(carriedLabel, s.file(tree, key, ".carried"), tree)
	return e, ok && e.Key == key
}

func (s store) open(label, name string, tree gitx.ID) (e Entry, ok bool) {
	ok = s.recall(label, name, &e)
	return e, ok && e.Format == format && e.Result.Facts.Tree == string(tree)
}

// newest is the latest entry of a tree under the same commands, with any toolchain.
func (s store) newest(tree gitx.ID, commands string) (best Entry, ok bool) {
	for _, name := range s.files(tree, ".json") {
		if e, ok := s.open(entryLabel, name, tree); ok && e.Commands == commands && e.Measured.After(best.Measured) {
			best = e
		}
	}
	return best, best.Key != ""
}

// files lists the records of one kind of a tree.
func (s store) files(tree gitx.ID, extension string) (names []string) {
	all, _ := os.ReadDir(s.folder(tree)) // without a folder there is nothing on record
	for _, f := range all {
		if strings.HasSuffix(f.Name(), extension) {
			names = append(names, filepath.Join(s.folder(tree), f.Name()))
		}
	}
	return names
}

func (s store) save(tree gitx.ID, e Entry) error {
	if e.Carried != nil {
		return s.keep(carriedLabel, s.file(tree, e.Key, ".carried"), e)
	}
	return s.keep(entryLabel, s.file(tree, e.Key, ".json"), e)
}

// digest hashes labelled parts so that different lists have different hashes.
func digest(label string, parts ...string) string {
	h := sha256.New()
	for _, p := range append([]string{label}, parts...) {
		h.Write(fmt.Appendf(nil, "%d %s\n", len(p), p))
	}
	return hex.EncodeToString(h.Sum(nil))
}
