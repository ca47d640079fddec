package javascript

import (
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"unicode/utf16"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/wholefile"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/coverage"
)

// v8Process is what node wrote for one process.
type v8Process struct {
	Result []v8Script                 `json:"result"`
	Maps   map[string]json.RawMessage `json:"source-map-cache"`
}

// v8Script is one script that was loaded.
type v8Script struct {
	URL       string       `json:"url"`
	Functions []v8Function `json:"functions"` // an outer one before those within it
}

// v8Function is one function of a script.
type v8Function struct {
	Ranges []v8Range `json:"ranges"` // the first is the function itself
}

// v8Range counts how often a part of a script was executed, but for the ranges
// within it. Offsets are in UTF-16.
type v8Range struct {
	Start int `json:"startOffset"`
	End   int `json:"endOffset"`
	Count int `json:"count"`
}

// paint marks what a range covers; not ok where the text ends before it does.
func (r v8Range) paint(executed []bool) (ok bool) {
	if r.Start < 0 || r.End > len(executed) || r.Start > r.End {
		return false
	}
	for at := r.Start; at < r.End; at++ {
		executed[at] = r.Count > 0
	}
	return true
}

// v8Reader reads what node wrote for the processes of a run.
type v8Reader struct {
	places *testrun.Places
	reach  coverage.Lines
	texts  map[string]*v8Text // of the files of the project, by path
}

// readV8 reads what the processes of a run wrote.
func readV8(folder string, p *testrun.Places) (coverage.Lines, error) {
	names, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return nil, fmt.Errorf("find the coverage: %w", err)
	}
	r := v8Reader{places: p, reach: coverage.Lines{}, texts: map[string]*v8Text{}}
	for _, name := range names {
		raw, err := wholefile.Read(name)
		if err != nil {
			return nil, fmt.Errorf("read the coverage: %w", err)
		}
		var process v8Process
		if err := json.Unmarshal(raw, &process); err != nil {
			return nil, coverage.Unmeasured("what node reported cannot be read")
		}
		if err := r.add(process); err != nil {
			return nil, err
		}
	}
	if len(r.reach) == 0 {
		return nil, coverage.Unmeasured("for this runner it is measured where node runs files of the project, and it ran none, or not to its end")
	}
	return r.reach, addUnseen(r.reach, p)
}

// add takes in one process.
func (r v8Reader) add(process v8Process) error {
	for _, script := range process.Result {
		file := fileOfURL(r.places, script.URL)
		if file == "" || r.places.Language.Foreign(file) || r.places.Language.Kind(file) != gates.KindSource {
			continue
		}
		if r.texts[file] == nil {
			text, err := wholefile.Read(filepath.Join(r.places.Dir, filepath.FromSlash(file)))
			if err != nil {
				return fmt.Errorf("read %s: %w", file, err)
			}
			r.texts[file] = newV8Text(string(text))
		}
		_, compiled := process.Maps[script.URL]
		if compiled || !r.texts[file].add(r.reach, file, script) {
			return coverage.Unmeasuredf("what ran was not %s itself but what a compiler made of it", file)
		}
	}
	return nil
}

// fileOfURL is the file of the project that a URL names; "" where there is none.
func fileOfURL(p *testrun.Places, text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "file" {
		return ""
	}
	return p.Own(filepath.FromSlash(u.Path))
}

// v8Text is the text of a file as V8 counts it, in units of UTF-16.
type v8Text struct {
	line   []int       // that a unit is on
	begins map[int]int // the first unit of each line on which a statement begins
}

func newV8Text(text string) *v8Text {
	units := utf16.Encode([]rune(text))
	t := &v8Text{line: make([]int, len(units)), begins: map[int]int{}}
	statements := statements(text)
	number := 1
	for i, unit := range units {
		t.line[i] = number
		if _, begun := t.begins[number]; statements[number] && !begun && unit != ' ' && unit != '\t' {
			t.begins[number] = i
		}
		if unit == '\n' {
			number++
		}
	}
	return t
}

// alone reports whether a range stands on one line, and on which.
func (t *v8Text) alone(r v8Range) (line int, ok bool) {
	if r.Start == r.End {
		return 0, false
	}
	return t.line[r.Start], t.line[r.Start] == t.line[r.End-1]
}

// add takes in what one process executed of the file; not ok where that was
// another text. A line is reached if its beginning is, unless a function that
// stands on this line alone was never called.
func (t *v8Text) add(l coverage.Lines, file string, script v8Script) (ok bool) {
	executed, uncalled := make([]bool, len(t.line)), map[int]bool{}
	for _, function := range script.Functions {
		for i, r := range function.Ranges {
			if !r.paint(executed) {
				return false
			}
			if line, alone := t.alone(r); alone && i == 0 && r.Count == 0 {
				uncalled[line] = true
			}
		}
	}
	for line, at := range t.begins {
		l.Note(file, line, executed[at] && !uncalled[line])
	}
	return true
}
