package corpustest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
)

// corpusCase is one project whose true facts somebody wrote down, and what its
// runner really said of it. docs/languages.md explains the files.
type corpusCase struct {
	languages testrun.Languages
	path      string // of the file
	comment   []byte
	header    map[string][]string // "key: value" lines, the case's before its runner's
	project   []txtar.File
	want      string
	generate  string       // a shell script that makes more of the project
	again     []txtar.File // what changes before a second run, which must show the same
	written   []txtar.File // the part of the file that people write
	recorded  []recordedRun
}

// minCases is how many cases every runner must have.
const minCases = 12

// runners lists the runners of the corpus.
func runners(t *testing.T) []string {
	t.Helper()
	dirs, err := filepath.Glob("testdata/corpus/*")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no corpus: %v", err)
	}
	return dirs
}

// readCorpus reads the cases of a runner. What runner.txtar holds is part of
// each of them, but of those that say "alone: yes".
func readCorpus(t *testing.T, dir string, languages testrun.Languages) []corpusCase {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	shared := readCase(t, filepath.Join(dir, "runner.txtar"))
	var out []corpusCase
	for _, file := range files {
		if filepath.Base(file) == "runner.txtar" {
			continue
		}
		c := readCase(t, file)
		c.languages = languages
		for key, values := range shared.header {
			if key == "env" || len(c.header[key]) == 0 {
				c.header[key] = append(slices.Clone(values), c.header[key]...)
			}
		}
		if c.one("alone") == "" {
			c.project = append(slices.Clone(shared.project), c.project...)
		}
		out = append(out, c)
	}
	return out
}

// readCase reads one file.
func readCase(t *testing.T, path string) corpusCase {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	archive := txtar.Parse(raw)
	c := corpusCase{path: path, comment: archive.Comment, header: make(map[string][]string)}
	for line := range strings.Lines(string(archive.Comment)) {
		if key, value, ok := strings.Cut(line, ": "); ok && !strings.HasPrefix(line, "#") {
			c.header[key] = append(c.header[key], strings.TrimSpace(value))
		}
	}
	for _, f := range archive.Files {
		name, inProject := strings.CutPrefix(f.Name, "project/")
		switch {
		case inProject:
			c.project = append(c.project, txtar.File{Name: name, Data: f.Data})
		case f.Name == "want":
			c.want = string(f.Data)
		case f.Name == "generate":
			c.generate = string(f.Data)
		case strings.HasPrefix(f.Name, "again/"):
			c.again = append(c.again, txtar.File{Name: strings.TrimPrefix(f.Name, "again/"), Data: f.Data})
		case strings.HasPrefix(f.Name, "recorded/"):
			c.recorded = addRecorded(t, c.recorded, f)
			continue
		default:
			t.Fatalf("%s: a file %q is none that the corpus knows", path, f.Name)
		}
		c.written = append(c.written, f)
	}
	return c
}

func (c corpusCase) name() string { return strings.TrimSuffix(filepath.Base(c.path), ".txtar") }

// one is the value of a key of the header.
func (c corpusCase) one(key string) string {
	if values := c.header[key]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// command is the value of a key as an argument vector. Words in single quotes
// are one.
func (c corpusCase) command(key string) []string {
	var out []string
	for _, word := range regexp.MustCompile(`'[^']*'|\S+`).FindAllString(c.one(key), -1) {
		out = append(out, strings.Trim(word, "'"))
	}
	return out
}

// request writes the project below root and says what to run.
func (c corpusCase) request(t *testing.T, root string) testrun.Request {
	t.Helper()
	language, err := c.languages.ByName(c.one("language"))
	if err != nil {
		t.Fatalf("%s: %v", c.path, err)
	}
	format, pattern, _ := strings.Cut(c.one("report"), " ")
	req := testrun.Request{
		Dir: filepath.Join(root, "work"), Scratch: filepath.Join(root, "scratch"), Language: language,
		Commands: testrun.Commands{
			Test: c.command("test"), Check: c.command("check"), Timeout: 4 * time.Minute,
			Report: testrun.Report{Format: testrun.ReportFormat(format), Path: pattern},
		},
		Env: c.header["env"],
	}
	if limit := c.one("timeout"); limit != "" {
		if req.Commands.Timeout, err = time.ParseDuration(limit); err != nil {
			t.Fatalf("%s: %v", c.path, err)
		}
	}
	if err := os.MkdirAll(req.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	WriteProject(t, req.Dir, c.project)
	return req
}

// WriteProject writes files of a project.
func WriteProject(t *testing.T, dir string, files []txtar.File) {
	t.Helper()
	for _, f := range files {
		mode := os.FileMode(0o600)
		if strings.HasPrefix(string(f.Data), "#!") {
			mode = 0o700
		}
		name := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, mode); err != nil {
			t.Fatal(err)
		}
	}
}

// liveOnly reports whether nothing is recorded of a case.
func (c corpusCase) liveOnly() bool { return c.generate != "" || len(c.again) > 0 }

// repeat changes the project and demands the same facts: the ids of tests do not
// depend on where in a file they stand, nor on the file where they do not name it.
func (c corpusCase) repeat(t *testing.T, req testrun.Request) {
	t.Helper()
	WriteProject(t, req.Dir, c.again)
	for _, f := range c.again {
		if len(f.Data) == 0 {
			if err := os.Remove(filepath.Join(req.Dir, f.Name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	c.judge(t, req)
}

// judge measures, and demands the facts.
func (c corpusCase) judge(t *testing.T, req testrun.Request) {
	t.Helper()
	got, err := testrun.Measure(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if diff := compareFacts(got.Facts, c.want); diff != "" {
		t.Errorf("%s:\n%s", c.path, diff)
		for _, run := range got.Runs {
			t.Logf("%s: exit code %d\n%s", strings.Join(run.Argv, " "), run.Exit, run.Output)
		}
	}
}

// Run tests the reading of each runner that has a folder in testdata/corpus of the
// package under test, for projects of these languages: "recorded" plays what the
// runners once wrote, and needs no toolchain; "live" runs them, and "memory" looks
// at what reading takes. Those two take minutes, and are skipped without
// TDD_CORPUS=live.
func Run(t *testing.T, languages ...testrun.Language) {
	t.Parallel()
	if os.Getenv("TDD_MEMORY") != "" {
		t.Cleanup(reportMemory)
	}
	t.Run("recorded", func(t *testing.T) { recorded(t, languages) })
	t.Run("live", func(t *testing.T) { live(t, languages) })
	t.Run("memory", memory)
}

// recorded reads what every runner once wrote. It needs no toolchain.
func recorded(t *testing.T, languages testrun.Languages) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("paths of another system")
	}
	for _, dir := range runners(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			all := readCorpus(t, dir, languages)
			if len(all) < minCases {
				t.Errorf("%d cases, fewer than %d", len(all), minCases)
			}
			for _, c := range all {
				if c.liveOnly() {
					continue
				}
				t.Run(c.name(), func(t *testing.T) {
					t.Parallel()
					req := c.request(t, t.TempDir())
					req.Start = c.play(t, req)
					c.judge(t, req)
				})
			}
		})
	}
}

// live runs every project of the corpus with its real runner: with
// TDD_CORPUS=live, because that takes minutes. A runner that is missing fails
// then, but for those that may be. With TDD_CORPUS=record what the runners say
// replaces what was recorded.
func live(t *testing.T, languages testrun.Languages) {
	t.Parallel()
	mode := os.Getenv("TDD_CORPUS")
	if mode == "" {
		t.Skip("it takes minutes: TDD_CORPUS=live")
	}
	for _, dir := range runners(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			all := readCorpus(t, dir, languages)
			if missing := all[0].missing(t.Context()); missing != "" && all[0].one("optional") != "" {
				t.Skip(missing)
			} else if missing != "" {
				t.Fatal(missing)
			}
			for _, c := range all {
				if c.name() == "much-output" && os.Getenv("TDD_MEMORY") == "" {
					continue // see memory
				}
				t.Run(c.name(), func(t *testing.T) {
					t.Parallel()
					if missing := c.missing(t.Context()); missing != "" && c.one("optional") != "" {
						t.Skip(missing)
					}
					if mode == "record" && !c.liveOnly() {
						c.record(t)
						return
					}
					req := c.live(t, t.TempDir())
					c.judge(t, req)
					if len(c.again) > 0 {
						c.repeat(t, req)
					}
				})
			}
		})
	}
}

// missing says which tool of the runner this machine lacks.
func (c corpusCase) missing(ctx context.Context) string {
	for _, key := range c.header["needs"] {
		argv := strings.Fields(key)
		if err := exec.CommandContext(ctx, argv[0], argv[1:]...).Run(); err != nil {
			return fmt.Sprintf("%s: %v", key, err)
		}
	}
	for _, pkg := range c.header["modules"] {
		if pkg == "-" {
			continue // the case is about what is not installed
		}
		name, version, _ := strings.Cut(pkg, "@") // vitest@2.
		raw, err := os.ReadFile(filepath.Join(os.Getenv("TDD_NODE_MODULES"), name, "package.json"))
		if err != nil || !strings.Contains(string(raw), `"version": "`+version) {
			return "TDD_NODE_MODULES names no folder with " + pkg
		}
	}
	return ""
}

// live is the request to run a case with the tools of this machine.
func (c corpusCase) live(t *testing.T, root string) testrun.Request {
	t.Helper()
	req := c.request(t, root)
	req.Environ = os.Environ()
	if m := c.one("modules"); m != "" && m != "-" {
		if err := os.Symlink(os.Getenv("TDD_NODE_MODULES"), filepath.Join(req.Dir, "node_modules")); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-ec", c.generate+"\n"+c.one("before"))
	cmd.Dir = req.Dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: before the run: %v\n%s", c.path, err, out)
	}
	return req
}

// factLine is one line of expected facts, or of those that were found.
type factLine struct {
	text     string
	messages []string // of what was found: its message; of what is expected: parts of it
	place    string
}

// factLines writes facts as a corpus file does.
func factLines(f gates.Facts) []factLine {
	outcome := string(f.Outcome)
	if f.Detail != gates.DetailTest {
		outcome += " " + string(f.Detail)
	}
	out := []factLine{{text: outcome}}
	if f.Check != "" {
		out = append(out, factLine{text: "check " + string(f.Check)})
	}
	for _, t := range f.Tests {
		text := string(t.Status) + " " + t.ID
		if t.Status == gates.StatusFailed {
			text += " (" + string(t.Class) + ")"
		}
		out = append(out, factLine{text: text, messages: []string{t.Message}, place: fmt.Sprintf("%s:%d", t.File, t.Line)})
	}
	note := func(mark string, all []gates.Diagnostic) {
		for _, d := range all {
			place := d.File
			if d.Line > 0 {
				place += ":" + strconv.Itoa(d.Line)
			}
			text := strings.Join(strings.Fields(mark+" "+string(d.Class)+" "+d.Symbol+" "+place), " ")
			out = append(out, factLine{text: text, messages: []string{d.Message}})
		}
	}
	note("!", f.Diagnostics)
	note("check!", f.CheckDiagnostics)
	return out
}

// readFactLines reads expected facts. An indented line belongs to the one before
// it: "| part of its message", "@ file:line".
func readFactLines(text string) []factLine {
	var out []factLine
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		part, isPart := strings.CutPrefix(line, "  | ")
		place, isPlace := strings.CutPrefix(line, "  @ ")
		switch {
		case strings.TrimSpace(line) == "":
		case isPart:
			out[len(out)-1].messages = append(out[len(out)-1].messages, part)
		case isPlace:
			out[len(out)-1].place = place
		default:
			out = append(out, factLine{text: line})
		}
	}
	return out
}

// compareFacts says where facts differ from what is expected. Order does not
// matter. "passed *5000" stands for so many lines that begin like this.
func compareFacts(f gates.Facts, expected string) string {
	got, missing := factLines(f), readFactLines(expected)
	for _, many := range regexp.MustCompile(`(?m)^(.+ )\*\d+$`).FindAllStringSubmatch(expected, -1) {
		count := len(got)
		got = slices.DeleteFunc(got, func(l factLine) bool { return strings.HasPrefix(l.text, many[1]) })
		got = append(got, factLine{text: fmt.Sprintf("%s*%d", many[1], count-len(got))})
	}
	var diff strings.Builder
	for _, line := range got {
		at := slices.IndexFunc(missing, line.meets)
		if at < 0 {
			fmt.Fprintf(&diff, "unexpected: %s\n    %s\n    %s\n", line.text, line.place, strings.Join(line.messages, "\n"))
			continue
		}
		missing = slices.Delete(missing, at, at+1)
	}
	for _, line := range missing {
		fmt.Fprintf(&diff, "missing: %s %s %q\n", line.text, line.place, line.messages)
	}
	return diff.String()
}

// meets reports whether a line that was found is the one that is expected.
func (l factLine) meets(expected factLine) bool {
	for _, part := range expected.messages {
		if !slices.ContainsFunc(l.messages, func(m string) bool { return strings.Contains(m, part) }) {
			return false
		}
	}
	return l.text == expected.text && (expected.place == "" || l.place == expected.place)
}
