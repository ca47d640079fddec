package facts

import (
	"bytes"
	"cmp"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"github.com/git-tdd/git-tdd/internal/envvar"
	"github.com/git-tdd/git-tdd/internal/wholefile"
)

// secret authenticates what this user has written: without it, nobody can forge or change that.
type secret []byte

// secretSize is in bytes.
const secretSize = 32

// secret reads the user's secret, or makes it once. One of the wrong size (the disk was full)
// is replaced, and what it sealed is a miss from then on.
func (d Dirs) secret() (secret, error) {
	if d.unset != nil {
		return nil, d.unset
	}
	name := filepath.Join(d.State, "key")
	if key, err := readSecret(name); key != nil || err != nil {
		return key, err
	}
	if err := os.MkdirAll(d.State, 0o700); err != nil {
		return nil, fmt.Errorf("make git-tdd's state directory: %w", err)
	}
	// If several processes find no secret, one makes it and the others wait.
	lock := flock.New(name + ".lock")
	if err := lock.Lock(); err != nil {
		return nil, fmt.Errorf("lock the key of the facts: %w", err)
	}
	defer func() { _ = lock.Close() }()
	if key, err := readSecret(name); key != nil || err != nil {
		return key, err
	}
	key := make([]byte, secretSize)
	if _, err := rand.Read(key); err != nil {
		return nil, fmt.Errorf("make the key of the facts: %w", err)
	}
	return key, wholefile.Write(name, key, 0o600)
}

// readSecret returns nil if there is no usable secret.
func readSecret(name string) (secret, error) {
	key, err := wholefile.Read(name)
	switch {
	case err == nil && len(key) == secretSize:
		return key, nil
	case err == nil || errors.Is(err, fs.ErrNotExist):
		return nil, nil
	}
	return nil, fmt.Errorf("read the key of the facts: %w", err)
}

// Seal proves that a text of some kind is this user's.
func (d Dirs) Seal(label string, text []byte) (proof string, err error) {
	s, err := d.secret()
	return string(s.mac(label, text)), err
}

func (s secret) mac(label string, text []byte) []byte {
	h := hmac.New(sha256.New, s)
	h.Write([]byte(label + "\x00"))
	h.Write(text)
	return []byte(hex.EncodeToString(h.Sum(nil)))
}

// seal puts a line before the text of a record that proves it to be ours, and that file's.
func (s secret) seal(file string, text []byte) []byte {
	return append(append(s.mac(place(file), text), '\n'), text...)
}

// place says which record a file holds: its folder is its tree, its name the key and the kind.
func place(file string) string {
	return fmt.Sprintf("git-tdd record %d %s/%s", format, filepath.Base(filepath.Dir(file)), filepath.Base(file))
}

// open reads a record; ok is false if it is not exactly what was sealed for that file.
func (s secret) open(file string) (text []byte, ok bool) {
	data, err := wholefile.Read(file)
	if err != nil {
		return nil, false
	}
	mac, text, _ := bytes.Cut(data, []byte{'\n'})
	return text, hmac.Equal(mac, s.mac(place(file), text))
}

// Dirs are the user's own directories, outside any repository.
type Dirs struct {
	Cache string // workbenches live here; it may be deleted at any time
	State string // the secret that authenticates entries
	unset error  // why there are none
}

// DefaultDirs finds the directories as the XDG specification says, which ignores relative paths.
// With what it returns beside an error nothing can be measured or sealed: that is the same error.
func DefaultDirs(environ []string) (Dirs, error) {
	cache, err := xdg(environ, "XDG_CACHE_HOME", ".cache")
	if err != nil {
		return Dirs{unset: err}, err
	}
	state, err := xdg(environ, "XDG_STATE_HOME", ".local/state")
	return Dirs{Cache: filepath.Join(cache, "git-tdd"), State: filepath.Join(state, "git-tdd"), unset: err}, err
}

func xdg(environ []string, name, fallback string) (string, error) {
	if dir := envvar.Get(environ, name); filepath.IsAbs(dir) {
		return dir, nil
	}
	home := cmp.Or(envvar.Get(environ, "HOME"), envvar.Get(environ, "USERPROFILE"))
	if !filepath.IsAbs(home) {
		return "", fmt.Errorf("neither %s nor HOME names an absolute directory; set one of them", name)
	}
	return filepath.Join(home, fallback), nil
}
