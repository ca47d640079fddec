package commitmsg

import "strings"

// Trailer is one "Key: value" line of a message's last paragraph.
type Trailer struct {
	Key   string // letters, digits and hyphens; written and compared in any case
	Value string // one line; a folded value is joined with single spaces
}

// A block is where git sees a message's trailers: text[start:end]. It is empty
// if there are none, and then stands before what git strips from the end of
// a message (comments, the conflict list, everything below the scissors).
type block struct{ start, end int }

func (b block) of(text string) string { return text[b.start:b.end] }

func (b block) empty() bool { return b.start == b.end }

// locate finds the trailer block. The text must not hold NUL bytes.
func locate(text string) block {
	end := tailStart(text)
	return block{start: blockStart(text[:end]), end: end}
}

const (
	space            = " \t\r\n" // what git's isspace accepts
	comment          = '#'
	conflictsHeading = "Conflicts:\n"
	cutLine          = "# ------------------------ >8 ------------------------"
)

func beforeNUL(text string) string {
	text, _, _ = strings.Cut(text, "\x00")
	return text
}

func isBlank(line string) bool { return strings.Trim(line, space) == "" }

func isIndented(line string) bool { return strings.IndexByte(space, line[0]) >= 0 }

// scissors returns the offset of the scissors line, or the length of the text.
func scissors(text string) int {
	if strings.HasPrefix(text, cutLine+"\n") {
		return 0
	}
	if i := strings.Index(text, "\n"+cutLine+"\n"); i >= 0 {
		return i + 1
	}
	return len(text)
}

// tailStart returns where the comments, empty lines and old-style conflict list
// at the end of a message begin, at the scissors at the latest. If they begin
// at offset 0, the first line does not count, as in git.
func tailStart(text string) int {
	cut := scissors(text)
	pos, run, conflicts := 0, 0, false
	for line := range strings.Lines(text[:cut]) {
		heading := line == conflictsHeading
		conflicts = conflicts || heading
		switch {
		case heading || line[0] == comment || line[0] == '\n':
			if run == 0 {
				run = pos
			}
		case conflicts && line[0] == '\t': // a path of the conflict list
		case run != 0:
			run, conflicts = 0, false
		}
		pos += len(line)
	}
	if run != 0 {
		return run
	}
	return cut
}

// titleEnd returns where the first paragraph ends.
func titleEnd(text string) int {
	pos := 0
	for line := range strings.Lines(text) {
		if isBlank(line) {
			break
		}
		pos += len(line)
	}
	return pos
}

// blockStart returns where the last paragraph begins if it consists of
// trailers, and the length of the text if it does not. The text must end where
// the trailers may end.
func blockStart(text string) int {
	var seen tally
	title := titleEnd(text)
	for end := len(text); end > 0; {
		start := strings.LastIndexByte(text[:end-1], '\n') + 1
		if start < title {
			break
		}
		line := text[start:end]
		switch {
		case !isBlank(line):
			seen.add(line)
		case seen.any && seen.trailersPrevail():
			return end
		case seen.any:
			return len(text)
		}
		end = start
	}
	return len(text)
}

// tally counts the kinds of lines in a paragraph, which is read from its last line upwards.
type tally struct {
	trailers, others int
	folds            int  // indented lines whose first line has not been reached yet
	any              bool // a line that is not a comment was seen
	byGit            bool // git itself wrote into the paragraph
}

func (t *tally) add(line string) {
	t.any = t.any || line[0] != comment
	switch {
	case line[0] == comment:
		t.others += t.folds
		t.folds = 0
	case strings.HasPrefix(line, "Signed-off-by: "), strings.HasPrefix(line, "(cherry picked from commit "):
		t.byGit = true
		t.trailers++
		t.folds = 0
	case separator(line) > 0:
		t.trailers++
		t.folds = 0
	case isIndented(line):
		t.folds++
	default:
		t.others += 1 + t.folds
		t.folds = 0
	}
}

// trailersPrevail is git's rule: nothing but trailers, or a quarter of the
// lines if git wrote some of them.
func (t *tally) trailersPrevail() bool {
	others := t.others + t.folds
	return t.trailers > 0 && others == 0 || t.byGit && 3*t.trailers >= others
}

// separator returns the offset of the colon that ends a trailer's key. It is
// not positive if the line does not begin a trailer.
func separator(line string) int {
	key := keyLen(line)
	rest := strings.TrimLeft(line[key:], " \t")
	if key == 0 || !strings.HasPrefix(rest, ":") {
		return -1
	}
	return len(line) - len(rest)
}

// keyBytes are what the key of a trailer consists of.
const keyBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"

// keyLen is the length of the trailer key at the start of the line.
func keyLen(line string) int { return len(line) - len(strings.TrimLeft(line, keyBytes)) }

// trailersIn reads the lines of a block. Lines that neither begin nor continue a trailer are skipped.
func trailersIn(lines string) []Trailer {
	var found []Trailer
	first := -1 // where the current trailer begins
	pos := 0
	flush := func() {
		if first >= 0 {
			whole := lines[first:pos] // with its continuation lines
			found = append(found, Trailer{Key: whole[:keyLen(whole)], Value: unfold(whole[separator(whole)+1:])})
		}
	}
	for line := range strings.Lines(lines) {
		if first < 0 || !isIndented(line) {
			flush()
			first = -1
			if separator(line) > 0 {
				first = pos
			}
		}
		pos += len(line)
	}
	flush()
	return found
}

// unfold joins the lines of a value with single spaces.
func unfold(value string) string {
	var lines []string
	for line := range strings.SplitSeq(value, "\n") {
		if line = strings.TrimLeft(line, space); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Trim(strings.Join(lines, " "), space)
}
