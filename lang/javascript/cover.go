package javascript

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/wholefile"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/coverage"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// cover lets Vitest and Jest measure by themselves; for any other command node
// writes down what each process executed.
func cover(_ context.Context, s *testrun.Session, argv []string) (testrun.Covering, error) {
	folder := filepath.Join(s.Reports, "coverage")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return testrun.Covering{}, fmt.Errorf("make the folder of the coverage: %w", err)
	}
	runner, _ := runnerOf(argv, readManifest(s.Request.Dir).script())
	var flags []string
	switch runner {
	case jestRunner:
		flags = []string{
			"--coverage", "--coverageProvider=babel", "--coverageReporters=lcovonly", "--coverageDirectory=" + folder,
			"--collectCoverageFrom=" + sourceFiles, "--coverageThreshold={}",
		}
	case vitestRunner:
		provider := vitestProvider(s.Outside(filepath.Join(s.Request.Dir, "node_modules")))
		if provider == "" {
			return testrun.Covering{}, coverage.Unmeasured("Vitest measures it with a package of its own, which is not installed (npm install -D @vitest/coverage-v8)")
		}
		flags = []string{
			"--coverage.enabled=true", "--coverage.provider=" + provider, "--coverage.reporter=lcovonly", "--coverage.reportsDirectory=" + folder,
			"--coverage.include=" + sourceFiles, "--coverage.thresholds.lines=0", "--coverage.thresholds.functions=0",
			"--coverage.thresholds.statements=0", "--coverage.thresholds.branches=0",
		}
	case nodeRunner, mochaRunner, avaRunner:
		return testrun.Covering{
			Argv: argv, Env: []string{"NODE_V8_COVERAGE=" + folder},
			Read: func(_ context.Context, p *testrun.Places) (coverage.Lines, error) { return readV8(folder, p) },
		}, nil
	}
	return testrun.Covering{
		Argv: withArgs(argv, flags),
		Read: func(_ context.Context, p *testrun.Places) (coverage.Lines, error) {
			found := coverage.NewLcov(p.Own)
			err := output.WithFile(filepath.Join(folder, "lcov.info"), func(f *os.File) error {
				return output.EachLine(f, func(line []byte) { found.Read(line) })
			})
			return found.Lines, err
		},
	}, nil
}

// sourceFiles is a pattern of the files that can be executed.
const sourceFiles = "**/*.{js,jsx,mjs,cjs,ts,tsx,mts,cts}"

// vitestProvider is the one of Vitest's packages for coverage that is installed.
func vitestProvider(modules string) string {
	for _, name := range []string{"v8", "istanbul"} {
		if _, err := os.Stat(filepath.Join(modules, "@vitest", "coverage-"+name)); err == nil {
			return name
		}
	}
	return ""
}

// addUnseen takes in the files that no process loaded.
func addUnseen(l coverage.Lines, p *testrun.Places) {
	for name := range p.Files("node_modules", ".*") {
		if l[name] != nil || !executable(name) || p.Language.Foreign(name) || p.Language.Kind(name) != gates.KindSource {
			continue
		}
		for line := range statements(p.Text(name)) {
			l.Note(name, line, false)
		}
	}
}

// executable reports whether a file is one of JavaScript or TypeScript that
// holds more than declarations.
func executable(name string) bool {
	kinds := []string{".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"}
	return slices.Contains(kinds, path.Ext(name)) && !strings.Contains(path.Base(name), ".d.")
}

// statements are the lines on which a statement of JavaScript begins.
func statements(text string) map[int]bool {
	bare, masked := page().Mask(text)
	code := []byte(masked)
	for i := range code {
		switch {
		case bare[i] == '\n': // within a template
			code[i] = '\n'
		case code[i] == '_' && bare[i] != '_':
			code[i] = '.' // so that a line within a template begins nothing
		}
	}
	const operators = "=+-*/%&|^~?<>"
	return coverage.StatementLines(string(code), func(before byte, line string) bool {
		if fresh := strings.IndexByte(";{}", before) >= 0; fresh || line[0] == '`' {
			return fresh
		}
		return strings.IndexByte(operators+"!:", line[0]) < 0 && strings.IndexByte(operators+"!,([.", before) < 0
	})
}

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
	addUnseen(r.reach, p)
	return r.reach, nil
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
