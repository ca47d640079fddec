package corpustest

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/box"
)

// maxRecording bounds what is kept of one command.
const maxRecording = 128 << 10

// recordedRun is what one command did: the files "recorded/N/…".
type recordedRun struct {
	argv   string
	end    box.Ending
	output []byte            // where both streams go to the same place
	stdout []byte            // where they do not
	stderr []byte            //
	files  map[string][]byte // that it left below "work" or "scratch"
}

// addRecorded takes in a file "recorded/N/…".
func addRecorded(t *testing.T, runs []recordedRun, f txtar.File) []recordedRun {
	t.Helper()
	parts := strings.SplitN(f.Name, "/", 3)
	n, err := strconv.Atoi(parts[1])
	if err != nil || len(parts) != 3 || n > len(runs)+1 {
		t.Fatalf("a recorded file %q", f.Name)
	}
	if n > len(runs) {
		runs = append(runs, recordedRun{files: make(map[string][]byte)})
	}
	run, data := &runs[n-1], f.Data
	name, quoted := strings.CutSuffix(parts[2], ".quoted")
	if quoted {
		data = unquoteLines(t, data)
	}
	switch name {
	case "end":
		run.readEnd(t, string(data))
	case "output":
		run.output = data
	case "stdout":
		run.stdout = data
	case "stderr":
		run.stderr = data
	default:
		run.files[name] = data
	}
	return runs
}

// readEnd reads how a command ended.
func (r *recordedRun) readEnd(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch key {
		case "$":
			r.argv = value
		case "exit":
			r.end.Code, _ = strconv.Atoi(value)
		case "signal":
			r.end.Signal = value
		case "refused":
			r.end.Refused = value
		case "late":
			r.end.Late = true
		default:
			t.Fatalf("an end %q", line)
		}
	}
}

// writeEnd is what readEnd reads.
func (r recordedRun) writeEnd() string {
	out := fmt.Sprintf("$ %s\nexit %d\n", r.argv, r.end.Code)
	if r.end.Signal != "" {
		out += "signal " + r.end.Signal + "\n"
	}
	if r.end.Refused != "" {
		out += "refused " + r.end.Refused + "\n"
	}
	if r.end.Late {
		out += "late\n"
	}
	return out
}

// play returns what acts in the place of the case's commands.
func (c corpusCase) play(t *testing.T, req testrun.Request) testrun.Starter {
	t.Helper()
	if len(c.recorded) == 0 {
		t.Fatalf("%s holds no recording: record it with TDD_CORPUS=record", c.path)
	}
	here := strings.NewReplacer("$WORK", req.Dir, "$SCRATCH", req.Scratch)
	next := 0
	return func(_ context.Context, b box.Command) (box.Ending, error) {
		argv := strings.NewReplacer(req.Dir, "$WORK", req.Scratch, "$SCRATCH").Replace(strings.Join(b.Args, " "))
		if next == len(c.recorded) || c.recorded[next].argv != argv {
			t.Errorf("command %d, %q, is not the recorded one: record it with TDD_CORPUS=record", next+1, argv)
			return box.Ending{Code: 127, Refused: "not recorded"}, nil
		}
		run := c.recorded[next]
		next++
		for name, data := range run.files {
			root, rest, _ := strings.Cut(name, "/")
			file := filepath.Join(map[string]string{"work": req.Dir, "scratch": req.Scratch}[root], rest)
			if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
				return box.Ending{}, err
			}
			if err := os.WriteFile(file, []byte(here.Replace(string(data))), 0o600); err != nil {
				return box.Ending{}, err
			}
		}
		_, _ = io.WriteString(b.Stdout, here.Replace(string(run.output)+string(run.stdout)))
		_, _ = io.WriteString(b.Stderr, here.Replace(string(run.stderr)))
		return run.end, nil
	}
}

// record runs a case with its real runner and writes down what that does. It
// works at a place that is always the same, because compilers name files by it.
func (c corpusCase) record(t *testing.T) {
	t.Helper()
	root := filepath.Join(os.TempDir(), "git-tdd-corpus", filepath.Base(filepath.Dir(c.path)), c.name())
	if err := os.RemoveAll(root); err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(root) //nolint:errcheck // the next recording removes it, too
	req := c.live(t, root)
	clean := newCleaner(t, req)
	archive := txtar.Archive{Comment: c.comment, Files: c.written}
	count := 0
	req.Start = func(ctx context.Context, cmd box.Command) (box.Ending, error) {
		run, err := c.watch(ctx, req, cmd)
		count++
		prefix := fmt.Sprintf("recorded/%d/", count)
		archive.Files = append(archive.Files, clean.files(t, prefix, run)...)
		return run.end, err
	}
	c.judge(t, req)
	if err := os.WriteFile(c.path, txtar.Format(&archive), 0o600); err != nil {
		t.Fatal(err)
	}
}

// watch runs a command and notes all that it did.
func (c corpusCase) watch(ctx context.Context, req testrun.Request, cmd box.Command) (run recordedRun, err error) {
	before := c.left(req)
	var output, stdout, stderr bytes.Buffer
	if cmd.Stdout == cmd.Stderr {
		cmd.Stdout = io.MultiWriter(cmd.Stdout, &output)
		cmd.Stderr = cmd.Stdout
	} else {
		cmd.Stdout, cmd.Stderr = io.MultiWriter(cmd.Stdout, &stdout), io.MultiWriter(cmd.Stderr, &stderr)
	}
	run.argv = strings.Join(cmd.Args, " ")
	run.end, err = testrun.Launch(ctx, cmd)
	run.output, run.stdout, run.stderr = output.Bytes(), stdout.Bytes(), stderr.Bytes()
	run.files = c.left(req)
	maps.DeleteFunc(run.files, func(name string, data []byte) bool {
		old, was := before[name]
		return was && bytes.Equal(old, data)
	})
	return run, err
}

// left are the files that a reader may look at after a command.
func (c corpusCase) left(req testrun.Request) map[string][]byte {
	keep := slices.Clone(c.header["keep"])
	if req.Commands.Report.Path != "" {
		keep = append(keep, req.Commands.Report.Path)
	}
	out := make(map[string][]byte)
	visit := func(root, prefix string, wanted func(name string) bool) {
		_ = fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error { // what cannot be read is not kept
			if err == nil && d.Type().IsRegular() && wanted(name) {
				raw, _ := os.ReadFile(filepath.Join(root, name))
				out[path.Join(prefix, name)] = raw
			}
			return nil
		})
	}
	visit(filepath.Join(req.Scratch, "reports"), "scratch/reports", func(string) bool { return true })
	visit(req.Dir, "work", func(name string) bool {
		return slices.ContainsFunc(keep, func(pattern string) bool { return doublestar.MatchUnvalidated(pattern, name) })
	})
	return out
}

// cleaner takes out of recordings what is of one machine and one moment.
type cleaner struct {
	places *strings.Replacer
	noise  []noise
}

// noise is a text that is another one in each run.
type noise struct {
	re *regexp.Regexp
	by string
}

func newCleaner(t *testing.T, req testrun.Request) cleaner {
	t.Helper()
	pairs := []string{req.Dir, "$WORK", strings.ReplaceAll(req.Dir, "/", `\/`), "$WORK", req.Scratch, "$SCRATCH"}
	if modules := os.Getenv("TDD_NODE_MODULES"); modules != "" {
		pairs = append(pairs, modules, "$MODULES")
	}
	if out, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output(); err == nil {
		pairs = append(pairs, strings.TrimSpace(string(out))+"/", "$GOROOT/")
	}
	if home, err := os.UserHomeDir(); err == nil {
		pairs = append(pairs, home+"/", "$HOME/")
	}
	c := cleaner{places: strings.NewReplacer(pairs...)}
	for _, pair := range [][2]string{
		{`"Time":"[^"]*",`, ``},
		{`("(?:Elapsed|exec_time)": ?)[\d.e-]+`, `${1}0`},
		{`\b(time|duration|total_time|compilation_time)(=|: )("?)\d+(\.\d+)?(e-\d+)?\b`, `${1}${2}${3}0`},
		{`(Nextest run ID )[\w-]+`, `${1}0`},
		{`(flowId=')\d+'`, `${1}100'`},
		{`(duration=')\d+'`, `${1}0'`},
		{`Time: [\d:.]+, Memory: [\d.]+ MB`, `Time: 00:00, Memory: 6.00 MB`},
		{`[\d.]+ (runs|assertions|examples)/s`, `0 $1/s`},
		{`\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?`, `2000-01-01T00:00:00`},
		{`hostname="[^"]*"`, `hostname="host"`},
		{`\b\d\d:\d\d:\d\d\b`, `00:00:00`},
		{`(duration_ms:? )[\d.]+`, `${1}0`},
		{`\b\d+(\.\d+)? ?(ms|s|seconds)\b`, `0$2`},
		{`0x[0-9a-f]+`, `0x1000`},
		{`goroutine \d+`, `goroutine 7`},
		{`(thread '.*' \()\d+\)`, `${1}1)`},
		{`go-build\d+`, `go-build1`},
		{`\(node:\d+\)`, `(node:1)`},
		{`"pid": ?\d+`, `"pid":1`},
		{`rustdoctest\w{6}`, `rustdoctest000000`},
		{`\s*<property name="[^"]*" value="[^"]*"/>`, ``},
		{`pytest-of-\w+/pytest-\d+`, `pytest-of-user/pytest-0`},
	} {
		c.noise = append(c.noise, noise{regexp.MustCompile(pair[0]), pair[1]})
	}
	return c
}

// text cleans a text.
func (c cleaner) text(raw []byte) []byte {
	out := []byte(c.places.Replace(string(raw)))
	for _, n := range c.noise {
		out = n.re.ReplaceAll(out, []byte(n.by))
	}
	return out
}

// files are the files that hold a run.
func (c cleaner) files(t *testing.T, prefix string, run recordedRun) []txtar.File {
	t.Helper()
	run.argv = c.places.Replace(run.argv)
	out := []txtar.File{{Name: prefix + "end", Data: []byte(run.writeEnd())}}
	total := 0
	add := func(name string, data []byte) {
		total += len(data)
		if len(data) > 0 || strings.Contains(name, "/") {
			out = append(out, quoteFile(prefix+name, c.text(data)))
		}
	}
	add("output", run.output)
	add("stdout", run.stdout)
	add("stderr", run.stderr)
	renamed := c.rename(run.files)
	for _, name := range slices.Sorted(maps.Keys(renamed)) {
		add(name, renamed[name])
	}
	if total > maxRecording {
		t.Errorf("%d bytes of recording: give the case a generate script, and it is only run", total)
	}
	return out
}

// rename gives files and folders whose names are random others, ordered by what
// they hold.
func (c cleaner) rename(files map[string][]byte) map[string][]byte {
	random := regexp.MustCompile(`reports/(?:run|list)\.\w{8}\b|journal/\d+-\w+`)
	content := make(map[string]string)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		key := random.FindString(name)
		content[key] += string(c.text(files[name]))
	}
	delete(content, "")
	keys := slices.SortedFunc(maps.Keys(content), func(a, b string) int {
		return cmp.Or(strings.Compare(content[a], content[b]), strings.Compare(a, b))
	})
	out := make(map[string][]byte)
	for name, data := range files {
		if key := random.FindString(name); key != "" {
			fixed := fmt.Sprintf("%s%d", key[:strings.LastIndexAny(key, "./")+1], 1+slices.Index(keys, key))
			name = strings.Replace(name, key, fixed, 1)
		}
		out[name] = data
	}
	return out
}

// quoteFile is a file of an archive, line by line as strings of Go where the
// archive could not hold it otherwise.
func quoteFile(name string, data []byte) txtar.File {
	plain := utf8.Valid(data) && !bytes.ContainsAny(data, "\r\x00") && len(txtar.Parse(data).Files) == 0
	if plain && (len(data) == 0 || data[len(data)-1] == '\n') {
		return txtar.File{Name: name, Data: data}
	}
	var out []byte
	for line := range bytes.Lines(data) {
		out = append(strconv.AppendQuote(out, string(line)), '\n')
	}
	return txtar.File{Name: name + ".quoted", Data: out}
}

// unquoteLines undoes quoteFile.
func unquoteLines(t *testing.T, data []byte) []byte {
	t.Helper()
	var out []byte
	for line := range bytes.Lines(data) {
		text, err := strconv.Unquote(strings.TrimSpace(string(line)))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		out = append(out, text...)
	}
	return out
}
