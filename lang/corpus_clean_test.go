package lang_test

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/git-tdd/git-tdd/testrun"
)

// maxRecording bounds what is kept of one command.
const maxRecording = 128 << 10

// cleaner takes out of recordings what is of one machine and one moment.
type cleaner struct {
	places *strings.Replacer
	noise  []noise
}

// noise is a text that is another one in each run, and what stands for it.
type noise struct {
	pattern *regexp.Regexp
	by      string
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
	return cleaner{places: strings.NewReplacer(pairs...), noise: allNoise()}
}

// allNoise is compiled when it is needed: nothing but recording does.
func allNoise() []noise {
	var out []noise
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
		out = append(out, noise{regexp.MustCompile(pair[0]), pair[1]})
	}
	return out
}

// text cleans a text.
func (c cleaner) text(raw []byte) []byte {
	out := []byte(c.places.Replace(string(raw)))
	for _, n := range c.noise {
		out = n.pattern.ReplaceAll(out, []byte(n.by))
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

var randomPattern = regexp.MustCompile(`reports/(?:run|list)\.\w{8}\b|journal/\d+-\w+`)

// rename gives files and folders with random names fixed ones, in the order of what
// they hold.
func (c cleaner) rename(files map[string][]byte) map[string][]byte {
	content := make(map[string]string)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		key := randomPattern.FindString(name)
		content[key] += string(c.text(files[name]))
	}
	delete(content, "")
	keys := slices.SortedFunc(maps.Keys(content), func(a, b string) int {
		return cmp.Or(strings.Compare(content[a], content[b]), strings.Compare(a, b))
	})
	out := make(map[string][]byte)
	for name, data := range files {
		if key := randomPattern.FindString(name); key != "" {
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
