package facts

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
)

// format is the version of what an entry says. It changes whenever the same
// commands on the same tree would be read differently.
const format = 1

// Entry is what was measured of one tree.
type Entry struct {
	Format    int            `json:"format"`
	Key       string         `json:"key"`
	Commands  string         `json:"commands"` // digest of the commands alone
	Toolchain string         `json:"toolchain"`
	Measured  time.Time      `json:"measured"`
	Result    testrun.Result `json:"result"`
}

// sealed is an entry on disk.
type sealed struct {
	Entry json.RawMessage `json:"entry"`
	MAC   string          `json:"mac"`
}

// store keeps entries below a directory, a folder a tree.
type store struct {
	dir    string
	secret []byte
}

func (s store) mac(entry []byte) string {
	h := hmac.New(sha256.New, s.secret)
	h.Write([]byte("git-tdd facts entry\x00"))
	h.Write(entry)
	return hex.EncodeToString(h.Sum(nil))
}

func (s store) folder(tree gitx.ID) string { return filepath.Join(s.dir, string(tree)) }

// load reads the entry of a key; anything that is not exactly what save wrote
// is a miss.
func (s store) load(tree gitx.ID, key string) (Entry, bool) {
	e, ok := s.open(filepath.Join(s.folder(tree), key+".json"), tree)
	return e, ok && e.Key == key
}

func (s store) open(name string, tree gitx.ID) (Entry, bool) {
	data, err := os.ReadFile(name)
	if err != nil {
		return Entry{}, false
	}
	var box sealed
	if json.Unmarshal(data, &box) != nil || !hmac.Equal([]byte(box.MAC), []byte(s.mac(box.Entry))) {
		return Entry{}, false
	}
	var e Entry
	if json.Unmarshal(box.Entry, &e) != nil {
		return Entry{}, false
	}
	return e, e.Format == format && e.Result.Facts.Tree == string(tree)
}

// newest is the latest entry of a tree under the same commands, whatever the
// toolchain.
func (s store) newest(tree gitx.ID, commands string) (Entry, bool) {
	names, err := filepath.Glob(filepath.Join(s.folder(tree), "*.json"))
	if err != nil {
		return Entry{}, false
	}
	var best Entry
	for _, name := range names {
		if e, ok := s.open(name, tree); ok && e.Commands == commands && e.Measured.After(best.Measured) {
			best = e
		}
	}
	return best, best.Key != ""
}

func (s store) save(tree gitx.ID, e Entry) error {
	data, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("encode the facts of %s: %w", tree.Short(), err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, data); err != nil {
		return fmt.Errorf("encode the facts of %s: %w", tree.Short(), err)
	}
	box, err := json.Marshal(sealed{Entry: compact.Bytes(), MAC: s.mac(compact.Bytes())})
	if err != nil {
		return fmt.Errorf("encode the facts of %s: %w", tree.Short(), err)
	}
	if err := os.MkdirAll(s.folder(tree), 0o700); err != nil {
		return fmt.Errorf("make the folder of the facts: %w", err)
	}
	return writeAtomic(filepath.Join(s.folder(tree), e.Key+".json"), box)
}

// digest hashes labelled parts so that no two different lists hash alike.
func digest(label string, parts ...string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%d %s\n", len(label), label)
	for _, p := range parts {
		fmt.Fprintf(h, "%d %s\n", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))
}
