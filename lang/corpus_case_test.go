package lang_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/sandbox"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/projecttest"
)

// corpusCase is one project whose true facts somebody wrote down, and what its
// runner really said of it.
type corpusCase struct {
	path     string // of the file
	comment  []byte
	settings map[string][]string // the lines "key: value" before the first file, the case's before its runner's
	project  []txtar.File
	want     string
	generate string       // a shell script that makes more of the project
	again    []txtar.File // what changes before a second run, which must show the same
	written  []txtar.File // the part of the file that people write
	recorded []recordedRun
}

// readCorpus reads the cases of a runner. What runner.txtar holds is part of
// each of them, but of those that say "alone: yes".
func readCorpus(t *testing.T, dir string) []corpusCase {
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
		for key, values := range shared.settings {
			if key == "env" || len(c.settings[key]) == 0 {
				c.settings[key] = append(slices.Clone(values), c.settings[key]...)
			}
		}
		if c.setting("alone") == "" {
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
	c := corpusCase{path: path, comment: archive.Comment, settings: make(map[string][]string)}
	for line := range strings.Lines(string(archive.Comment)) {
		if key, value, ok := strings.Cut(line, ": "); ok && !strings.HasPrefix(line, "#") {
			c.settings[key] = append(c.settings[key], strings.TrimSpace(value))
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

// setting is the first value of a key.
func (c corpusCase) setting(key string) string {
	if values := c.settings[key]; len(values) > 0 {
		return values[0]
	}
	return ""
}

var wordPattern = regexp.MustCompile(`'[^']*'|\S+`)

// command is the value of a key as an argument vector. Words in single quotes
// are one.
func (c corpusCase) command(key string) []string {
	var out []string
	for _, word := range wordPattern.FindAllString(c.setting(key), -1) {
		out = append(out, strings.Trim(word, "'"))
	}
	return out
}

// request writes the project below root and says what to run.
func (c corpusCase) request(t *testing.T, root string) testrun.Request {
	t.Helper()
	language, err := lang.All().ByName(c.setting("language"))
	if err != nil {
		t.Fatalf("%s: %v", c.path, err)
	}
	format, pattern, _ := strings.Cut(c.setting("report"), " ")
	req := testrun.Request{
		Dir: filepath.Join(root, "work"), Scratch: filepath.Join(root, "scratch"), Language: language,
		Commands: testrun.Commands{
			Test: c.command("test"), Check: c.command("check"), Timeout: 4 * time.Minute,
			Report: testrun.Report{Format: testrun.ReportFormat(format), Path: pattern},
		},
		Env: c.settings["env"],
	}
	if limit := c.setting("timeout"); limit != "" {
		if req.Commands.Timeout, err = time.ParseDuration(limit); err != nil {
			t.Fatalf("%s: %v", c.path, err)
		}
	}
	writeFiles(t, req.Dir, c.project)
	return req
}

func writeFiles(t *testing.T, dir string, files []txtar.File) {
	t.Helper()
	projecttest.Write(t, dir, string(txtar.Format(&txtar.Archive{Files: files})))
}

// live is the request to run a case with the tools of this machine.
func (c corpusCase) live(t *testing.T, root string) testrun.Request {
	t.Helper()
	req := c.request(t, root)
	req.Environ, req.Languages = os.Environ(), testrun.Languages{req.Language}
	means := sandbox.Offered(t.Context()).Means
	if means != "" {
		req.Walls = &testrun.Walls{By: means, Network: sandbox.Loopback, Read: []string{os.Getenv("TDD_NODE_MODULES")}, Builds: filepath.Join(root, "builds")}
	}
	switch m := c.setting("modules"); {
	case m == "" || m == "-":
	case means == sandbox.Namespaces:
		req.Deps = map[string]string{"node_modules": os.Getenv("TDD_NODE_MODULES")}
		if err := os.Mkdir(filepath.Join(req.Dir, "node_modules"), 0o700); err != nil {
			t.Fatal(err)
		}
	default:
		if err := os.Symlink(os.Getenv("TDD_NODE_MODULES"), filepath.Join(req.Dir, "node_modules")); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-ec", c.generate+"\n"+c.setting("before"))
	cmd.Dir = req.Dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: before the run: %v\n%s", c.path, err, out)
	}
	return req
}

// liveOnly reports whether nothing is recorded of a case.
func (c corpusCase) liveOnly() bool { return c.generate != "" || len(c.again) > 0 }

// repeat changes the project and demands the same facts: the ids of tests do not
// depend on where in a file they stand, nor on the file where they do not name it.
func (c corpusCase) repeat(t *testing.T, req testrun.Request) {
	t.Helper()
	writeFiles(t, req.Dir, c.again)
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
