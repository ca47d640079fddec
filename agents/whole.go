package agents

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

// Read returns what the tree has at a path; ok is false where it has no file.
type Read func(path string) (content string, ok bool, err error)

// Whole turns edits of parts into edits of whole files. A passage that is not
// there exactly once is a problem, and so is a file that grows too large.
func Whole(edits []Edit, read Read) ([]Edit, []gates.Finding, error) {
	var out []Edit
	for _, e := range edits {
		at := slices.IndexFunc(out, func(o Edit) bool { return o.Path == e.Path })
		if !e.Action.part() || at < 0 {
			at = len(out)
			out = append(out, e)
		}
		if !e.Action.part() {
			continue
		}
		file, problem, err := e.file(out[at], read)
		if err != nil {
			return nil, nil, err
		}
		if problem == nil && len(file) > maxFileBytes {
			problem = &gates.Finding{Seen: fmt.Sprintf("a file of %d bytes, more than the limit of %d", len(file), maxFileBytes), Remedy: "propose a smaller file"}
		}
		if problem != nil {
			problem.Gate, problem.Path = "plan", e.Path
			return nil, []gates.Finding{*problem}, nil
		}
		out[at] = Edit{Path: e.Path, Action: Upsert, Content: file}
	}
	return out, nil, nil
}

// file is the whole file of a part: of the edit so far, or of the tree.
func (e Edit) file(soFar Edit, read Read) (string, *gates.Finding, error) {
	content := soFar.Content
	if soFar.Action.part() {
		tree, ok, err := read(e.Path)
		if err != nil {
			return "", nil, err
		}
		if !ok && e.Action == Replace {
			return "", &gates.Finding{Seen: "a passage to replace in a file that does not exist", Remedy: `write a new file with "upsert"`}, nil
		}
		content = tree
	}
	whole, problem := e.into(content)
	return whole, problem, nil
}

// into puts a part into the content of its file, in the file's own line breaks.
func (e Edit) into(content string) (string, *gates.Finding) {
	old, fresh := e.Old, e.Content
	if strings.Contains(content, "\r\n") && !strings.Contains(old+fresh, "\r") {
		old, fresh = strings.ReplaceAll(old, "\n", "\r\n"), strings.ReplaceAll(fresh, "\n", "\r\n")
	}
	if e.Action == Append {
		return content + lineEnd(content) + fresh, nil
	}
	switch starts := occurrences(content, old); len(starts) {
	case 0:
		return "", &gates.Finding{
			Seen:   fmt.Sprintf("no %q in it%s", oneLine(e.Old, 80), otherwiseSpaced(content, old)),
			Remedy: `copy "old" from the file as it is shown, with its indentation; no edit of an attempt that was refused is in it`,
		}
	case 1:
		return content[:starts[0]] + fresh + content[starts[0]+len(old):], nil
	default:
		return "", &gates.Finding{
			Seen:   fmt.Sprintf("%q is in it %d times, in lines %s", oneLine(e.Old, 80), len(starts), linesAt(content, starts)),
			Remedy: `take so much of the lines around it into "old" that it is there once`,
		}
	}
}

func lineEnd(content string) string {
	switch {
	case content == "" || strings.HasSuffix(content, "\n"):
		return ""
	case strings.Contains(content, "\r\n"):
		return "\r\n"
	}
	return "\n"
}

// occurrences lists where a passage begins, overlapping ones too.
func occurrences(content, passage string) []int {
	var starts []int
	for at := 0; ; at++ {
		next := strings.Index(content[at:], passage)
		if next < 0 {
			return starts
		}
		at += next
		starts = append(starts, at)
	}
}

// otherwiseSpaced names a line that differs from the passage's first in white space only.
func otherwiseSpaced(content, passage string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(passage), "\n")
	words := strings.Fields(first)
	for i, line := range strings.Split(content, "\n") {
		if len(words) > 0 && !strings.Contains(line, first) && slices.Equal(strings.Fields(line), words) {
			return fmt.Sprintf("; line %d differs from its first line in white space", i+1)
		}
	}
	return ""
}

func linesAt(content string, starts []int) string {
	lines := gates.Each(starts, func(at int) string { return strconv.Itoa(1 + strings.Count(content[:at], "\n")) })
	return strings.Join(some(lines, maxNamed), ", ")
}
