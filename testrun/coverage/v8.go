package coverage

import (
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"unicode/utf16"

	"github.com/git-tdd/git-tdd/internal/wholefile"
)

// v8Script is one script that was loaded.
type v8Script struct {
	URL       string       `json:"url"`
	Functions []v8Function `json:"functions"` // an outer one before those within it
}

// v8Function is one function of a script.
type v8Function struct {
	Ranges []v8Range `json:"ranges"` // the first is the function itself
}

// v8Range counts how often a part of a script was executed, but for the ranges within
// it. Offsets are in UTF-16.
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

// V8 reads what V8 wrote for the processes of a run.
type V8 struct {
	Lines      Lines                          // what was read so far
	Source     func(name string) string       // a file of the project as facts name it; "" for any other file
	Text       func(file string) string       // what such a file holds
	Statements func(text string) map[int]bool // its lines on which a statement begins
	texts      map[string]*v8Text
}

// Read takes in a folder, one file of JSON for each process.
func (v *V8) Read(folder string) error {
	v.Lines, v.texts = Lines{}, map[string]*v8Text{}
	for _, name := range wholefile.Matching(folder, "*.json") {
		raw, err := wholefile.Read(name)
		if err != nil {
			return fmt.Errorf("read the coverage: %w", err)
		}
		var process struct {
			Result []v8Script                 `json:"result"`
			Maps   map[string]json.RawMessage `json:"source-map-cache"`
		}
		if json.Unmarshal(raw, &process) != nil {
			return UnmeasuredError("what node reported cannot be read")
		}
		for _, script := range process.Result {
			if _, compiled := process.Maps[script.URL]; !v.add(script, compiled) {
				return Unmeasuredf("what ran was not %s itself but what a compiler made of it", v.file(script.URL))
			}
		}
	}
	return nil
}

// file is the file of the project that a URL names; "" where there is none.
func (v *V8) file(text string) string {
	at, err := url.Parse(text)
	if err != nil || at.Scheme != "file" {
		return ""
	}
	return v.Source(filepath.FromSlash(at.Path))
}

// add takes in a script; not ok where what ran was not the file itself.
func (v *V8) add(script v8Script, compiled bool) (ok bool) {
	file := v.file(script.URL)
	if file == "" {
		return true
	}
	if v.texts[file] == nil {
		text := v.Text(file)
		v.texts[file] = newV8Text(text, v.Statements(text))
	}
	return !compiled && v.texts[file].add(v.Lines, file, script)
}

// v8Text is the text of a file as V8 counts it, in units of UTF-16.
type v8Text struct {
	line   []int       // that a unit is on
	begins map[int]int // the first unit of each line on which a statement begins
}

func newV8Text(text string, statements map[int]bool) *v8Text {
	units := utf16.Encode([]rune(text))
	t := &v8Text{line: make([]int, len(units)), begins: map[int]int{}}
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

// add takes in what one process executed of the file; not ok where that was another
// text. A line is reached if its beginning is, unless a function that stands on this line
// alone was never called.
func (t *v8Text) add(l Lines, file string, script v8Script) (ok bool) {
	executed, uncalled := make([]bool, len(t.line)), map[int]bool{}
	for _, function := range script.Functions {
		for i, r := range function.Ranges {
			if !r.paint(executed) {
				return false
			}
			if i == 0 && r.Count == 0 && r.Start < r.End && t.line[r.Start] == t.line[r.End-1] {
				uncalled[t.line[r.Start]] = true
			}
		}
	}
	for line, at := range t.begins {
		l.Note(file, line, executed[at] && !uncalled[line])
	}
	return true
}
