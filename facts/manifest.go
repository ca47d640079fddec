package facts

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/wholefile"
)

// exported is one file as the export left it.
type exported struct {
	ID   gitx.ID
	Mode string
	Stat stat
	// Checked is set once a later export has found the file as it was written.
	// Before that, a change within the same tick of the system's clock would
	// not show in Stat.
	Checked bool
}

// stat tells whether a file is still the one we wrote: the change time cannot
// be set back by a program.
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

// manifest maps paths to what the export wrote.
type manifest map[string]exported

// loadManifest reads a manifest; of a missing or damaged one nothing counts, so
// that every file is written anew.
func loadManifest(name string) manifest {
	data, err := os.ReadFile(name)
	if err != nil {
		return manifest{}
	}
	m := manifest{}
	for rec := range strings.SplitAfterSeq(string(data), "\x00") {
		if rec == "" {
			break
		}
		path, e, ok := parseRecord(rec)
		if !ok {
			return manifest{}
		}
		m[path] = e
	}
	return m
}

// save writes one record a file: numbers and words, a tab, and the path, which
// may hold any byte but the NUL that ends it.
func (m manifest) save(name string) error {
	var out bytes.Buffer
	for path, e := range m {
		fmt.Fprintf(&out, "%s %s %t %d %d %d %d %d\t%s\x00", e.ID, e.Mode, e.Checked,
			e.Stat.Size, e.Stat.Mode, e.Stat.MTime, e.Stat.CTime, e.Stat.Inode, path)
	}
	return wholefile.Write(name, out.Bytes(), 0o600)
}

func parseRecord(rec string) (path string, e exported, ok bool) {
	meta, rest, _ := strings.Cut(rec, "\t")
	path, whole := strings.CutSuffix(rest, "\x00")
	fields := strings.Fields(meta)
	if !whole || len(fields) != 8 {
		return "", e, false
	}
	var numbers [5]uint64
	for i, f := range fields[3:] {
		n, err := strconv.ParseUint(f, 10, 64)
		if err != nil {
			return "", e, false
		}
		numbers[i] = n
	}
	return path, exported{
		ID: gitx.ID(fields[0]), Mode: fields[1], Checked: fields[2] == "true",
		Stat: stat{Size: numbers[0], Mode: numbers[1], MTime: numbers[2], CTime: numbers[3], Inode: numbers[4]},
	}, true
}
