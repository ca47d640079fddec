package facts

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"io/fs"
	"path"

	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/wholefile"
)

// exported is one file as the export left it.
type exported struct {
	ID   gitx.ID
	Mode string
	Stat stat
	// Checked is set once a later export has found the file as it was written: before, a change
	// within the same tick of the clock would not show in Stat.
	Checked bool
}

// stat tells whether a file is still the one we wrote: no program can set back the change time.
type stat struct {
	Size  uint64
	Mode  uint64
	MTime uint64 // nanoseconds
	CTime uint64 // nanoseconds; 0 where the system tells none
	Inode uint64
}

func statOf(fi fs.FileInfo) stat {
	s := stat{Size: uint64(fi.Size()), Mode: uint64(fi.Mode()), MTime: uint64(fi.ModTime().UnixNano())} //nolint:gosec // compared, never counted with
	s.CTime, s.Inode = changeTime(fi)
	return s
}

// manifest is what the export wrote: the files of each folder that has any, by name.
type manifest map[string]map[string]exported

// loadManifest reads a manifest. Files of what is missing or damaged are written anew.
func loadManifest(name string) manifest {
	m := manifest{}
	if f, err := wholefile.Open(name); err == nil {
		defer func() { _ = f.Close() }()
		_ = gob.NewDecoder(f).Decode(&m)
	}
	return m
}

func (m manifest) save(name string) error {
	var out bytes.Buffer
	if err := gob.NewEncoder(&out).Encode(m); err != nil {
		return fmt.Errorf("encode the manifest: %w", err)
	}
	return wholefile.Write(name, out.Bytes(), 0o600)
}

// all are the ids of all files, by path.
func (m manifest) all() map[string]gitx.ID {
	out := map[string]gitx.ID{}
	for dir, files := range m {
		for name, e := range files {
			out[path.Join(dir, name)] = e.ID
		}
	}
	return out
}
