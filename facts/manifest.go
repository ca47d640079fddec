package facts

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/wholefile"
)

// exported is one file as the export left it.
type exported struct {
	Name string // in its folder
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

// manifest is what the export wrote: the records of the files of each folder, as text. Most are
// passed on as they are, because a tree can have a hundred thousand files.
type manifest map[string]string

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

// in are the files of a folder, by name.
func (m manifest) in(dir string) map[string]exported {
	out := map[string]exported{}
	for record := range strings.SplitSeq(m[dir], "\x00") {
		if e, ok := parseRecord(record); ok {
			out[e.Name] = e
		}
	}
	return out
}

// all are all files, by path.
func (m manifest) all() iter.Seq2[string, exported] {
	return func(yield func(string, exported) bool) {
		for dir := range m {
			for name, e := range m.in(dir) {
				if !yield(path.Join(dir, name), e) {
					return
				}
			}
		}
	}
}

// put notes the files of a folder, each as words and numbers, and the name, which may hold any byte
// but NUL. A folder without files is not noted.
func (m manifest) put(dir string, list []exported) {
	var text []byte
	for _, e := range list {
		s := e.Stat
		text = fmt.Appendf(text, "%s %s %t %d %d %d %d %d %s\x00", e.ID, e.Mode, e.Checked, s.Size, s.Mode, s.MTime, s.CTime, s.Inode, e.Name)
	}
	if len(list) > 0 {
		m[dir] = string(text)
	}
}

func parseRecord(record string) (e exported, ok bool) {
	words := strings.SplitN(record, " ", 9)
	if len(words) < 9 || words[8] == "" {
		return e, false
	}
	e = exported{ID: gitx.ID(words[0]), Mode: words[1], Checked: words[2] == "true", Name: words[8]}
	for i, number := range []*uint64{&e.Stat.Size, &e.Stat.Mode, &e.Stat.MTime, &e.Stat.CTime, &e.Stat.Inode} {
		n, err := strconv.ParseUint(words[3+i], 10, 64)
		if err != nil {
			return e, false
		}
		*number = n
	}
	return e, true
}
