package gitx

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"os"
	"path/filepath"
)

// cachedTree reads the tree of an index from the index itself: git keeps it
// there as long as it holds, and has just written it when it calls a hook. That
// saves a process a commit. ok is false where it is not there, or where the
// file is none of the everyday ones; git is asked then.
func (r *Repo) cachedTree(index string) (tree ID, ok bool) {
	config, err := os.ReadFile(filepath.Join(r.CommonDir, "config"))
	if err != nil || bytes.Contains(bytes.ToLower(config), []byte("objectformat")) {
		return "", false // its ids may be of another length
	}
	data, err := os.ReadFile(index)
	if err != nil {
		return "", false
	}
	return treeOfIndex(data)
}

// The parts of an index as gitformat-index describes them, with SHA-1 ids.
const (
	indexHead  = 12 // signature, version, number of entries
	entryHead  = 62 // of an entry: times, owner, mode, id, flags
	extHead    = 8  // of an extension: signature, size
	idSize     = 20
	extended   = 0x4000 // a flag: two more bytes of flags follow
	oldest     = 2
	compressed = 4 // the version whose names are cut and not padded
)

// treeOfIndex finds the id of the root in the extension TREE.
func treeOfIndex(data []byte) (ID, bool) {
	if len(data) < indexHead+idSize || string(data[:4]) != "DIRC" {
		return "", false
	}
	version, count := binary.BigEndian.Uint32(data[4:]), binary.BigEndian.Uint32(data[8:])
	if version < oldest || version > compressed {
		return "", false
	}
	rest := data[indexHead : len(data)-idSize]
	for range count {
		size := entrySize(rest, version)
		if size == 0 || size > len(rest) {
			return "", false
		}
		rest = rest[size:]
	}
	return treeOfExtensions(rest)
}

// entrySize is the length of the entry at the beginning of data; 0 where there
// is none.
func entrySize(data []byte, version uint32) int {
	if len(data) < entryHead {
		return 0
	}
	head := entryHead
	if binary.BigEndian.Uint16(data[entryHead-2:])&extended != 0 {
		head += 2
	}
	if head > len(data) {
		return 0
	}
	end := bytes.IndexByte(data[head:], 0)
	switch {
	case end < 0:
		return 0
	case version != compressed:
		return (head + end + 8) &^ 7
	}
	// How much of the name before is kept comes first, and may hold a zero.
	cut := 1
	for cut < len(data)-head && data[head+cut-1]&0x80 != 0 {
		cut++
	}
	end = bytes.IndexByte(data[head+cut:], 0)
	if end < 0 {
		return 0
	}
	return head + cut + end + 1
}

// treeOfExtensions reads the root of the extension TREE: an empty path, how many
// entries and subtrees it has, and its id where the number of entries is known.
// An index that is split has only a part of its entries here.
func treeOfExtensions(rest []byte) (tree ID, ok bool) {
	for len(rest) >= extHead {
		name, size := string(rest[:4]), int64(binary.BigEndian.Uint32(rest[4:]))
		if name == "link" || int64(len(rest)-extHead) < size {
			return "", false
		}
		body := rest[extHead : extHead+size]
		rest = rest[extHead+size:]
		if name != "TREE" {
			continue
		}
		numbers, id, found := bytes.Cut(body, []byte{'\n'})
		if !found || len(numbers) < 2 || numbers[0] != 0 || numbers[1] == '-' || len(id) < idSize {
			return "", false
		}
		tree, ok = ID(hex.EncodeToString(id[:idSize])), true
	}
	return tree, ok && len(rest) == 0
}
