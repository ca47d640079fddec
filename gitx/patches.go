package gitx

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Patch is a unified diff between two trees, for reading.
type Patch struct {
	Text  string // its beginning, in whole lines
	Lines int    // of all of it
	Files []PatchFile
}

// PatchFile is one file in a patch.
type PatchFile struct {
	Path           string // the new one, unless the file is gone
	Added, Deleted int    // lines
}

// Patches compares pairs of trees, older first, with one git for all, and keeps up to limit
// bytes of each diff. An empty id is the empty tree; equal trees have no patch.
func (r *Repo) Patches(ctx context.Context, pairs [][2]ID, limit int) (map[[2]ID]Patch, error) {
	empty, err := r.EmptyTree(ctx)
	if err != nil {
		return nil, err
	}
	asked := map[string][2]ID{} // by the line that git repeats
	var stdin bytes.Buffer
	for _, pair := range pairs {
		line := string(cmp.Or(pair[0], empty) + " " + cmp.Or(pair[1], empty))
		if _, twice := asked[line]; !twice && pair[0] != pair[1] {
			asked[line] = pair
			stdin.WriteString(line + "\n")
		}
	}
	if len(asked) == 0 {
		return nil, nil
	}
	args := []string{
		"diff-tree", "--stdin", "-r", "--patch", "--find-renames", "-l1000", "--ignore-submodules=none",
		"--no-ext-diff", "--no-textconv", "--no-color",
	}
	cmd := r.command(ctx, call{args: args, stdin: stdin.Bytes()})
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("git diff-tree: %w", err)
	}
	patches, err := readPatches(bufio.NewReaderSize(out, 64<<10), asked, limit)
	if err2 := cmd.Wait(); err2 != nil {
		return nil, errors.Join(gitError(ctx, args, stderr.String(), err2), err)
	}
	return patches, err
}

// readPatches reads what git prints. A line of a diff begins with a blank, a sign or a word,
// and never looks like the line with both ids before each diff.
func readPatches(from *bufio.Reader, asked map[string][2]ID, limit int) (map[[2]ID]Patch, error) {
	patches := map[[2]ID]Patch{}
	var at patchReader
	var pair [2]ID
	for {
		line, err := shortLine(from)
		if next, ok := asked[strings.TrimSuffix(line, "\n")]; ok {
			if at.Lines > 0 {
				patches[pair] = at.Patch
			}
			pair, at = next, patchReader{limit: limit}
		} else if line != "" {
			at.read(line)
		}
		switch {
		case errors.Is(err, io.EOF):
			if at.Lines > 0 {
				patches[pair] = at.Patch
			}
			return patches, nil
		case err != nil:
			return patches, fmt.Errorf("read git diff-tree: %w", err)
		}
	}
}

// patchReader reads one patch line by line.
type patchReader struct {
	Patch

	limit        int
	full, inside bool // nothing more is kept; in a hunk, where signs count
}

func (r *patchReader) read(line string) {
	r.Lines++
	if r.full = r.full || len(r.Text)+len(line) > r.limit; !r.full {
		r.Text += line
	}
	file := len(r.Files) - 1
	switch {
	case strings.HasPrefix(line, "diff --git "):
		r.inside = false
		r.Files = append(r.Files, PatchFile{})
	case strings.HasPrefix(line, "@@"):
		r.inside = true
	case file < 0:
	case !r.inside:
		r.Files[file].name(strings.TrimSuffix(line, "\n"))
	case line[0] == '+':
		r.Files[file].Added++
	case line[0] == '-':
		r.Files[file].Deleted++
	}
}

// name reads the name of a file from the lines before its hunks.
func (f *PatchFile) name(line string) {
	for _, prefix := range []string{"--- ", "+++ ", "rename to "} {
		name, ok := strings.CutPrefix(line, prefix)
		if !ok || name == "/dev/null" {
			continue
		}
		name = strings.TrimSuffix(name, "\t") // git marks the end of a name with blanks
		if plain, err := strconv.Unquote(name); err == nil {
			name = plain
		}
		if prefix != "rename to " {
			_, name, _ = strings.Cut(name, "/") // "a/" or "b/"
		}
		f.Path = name
	}
}

// longestLine is how much of a line of a diff is kept, in bytes.
const longestLine = 1000

// shortLine reads a line, and forgets what is beyond longestLine.
func shortLine(from *bufio.Reader) (string, error) {
	var line []byte
	for {
		part, err := from.ReadSlice('\n')
		line = append(line, part[:min(len(part), longestLine+1-len(line))]...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if len(line) > longestLine {
			line = append(line[:longestLine:longestLine], "…\n"...)
		}
		return string(line), err
	}
}
