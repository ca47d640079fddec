package facts

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"

	"github.com/git-tdd/git-tdd/gitx"
)

// exported is one file as the export left it.
type exported struct {
	ID   gitx.ID `json:"id"`
	Mode string  `json:"mode"`
	Stat stat    `json:"stat"`
}

// stat tells whether a file is still the one we wrote: the change time cannot
// be set back by a program.
type stat struct {
	Size  int64  `json:"s"`
	Mode  uint32 `json:"p"`
	MTime int64  `json:"m"` // nanoseconds
	CTime int64  `json:"c"` // nanoseconds; 0 where the system tells none
	Inode uint64 `json:"i"`
}

func statOf(fi fs.FileInfo) stat {
	s := stat{Size: fi.Size(), Mode: uint32(fi.Mode()), MTime: fi.ModTime().UnixNano()}
	s.CTime, s.Inode = changeTime(fi)
	return s
}

// manifest maps paths to what the export wrote.
type manifest map[string]exported

// loadManifest reads a manifest; a missing or damaged one is empty, so that
// every file is written anew.
func loadManifest(name string) manifest {
	data, err := os.ReadFile(name)
	m := manifest{}
	if err != nil || json.Unmarshal(data, &m) != nil {
		return manifest{}
	}
	return m
}

func (m manifest) save(name string) error {
	data, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("encode the manifest: %w", err)
	}
	return writeAtomic(name, data)
}
