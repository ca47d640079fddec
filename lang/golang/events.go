package golang

import (
	"bytes"
	"encoding/json"
	"strings"
)

// event is one line of go test -json.
type event struct {
	Action      string // start, run, output, pass, fail, skip, build-output, build-fail
	Package     string
	ImportPath  string // of a build
	Test        string // empty where the event is about the package
	Output      string
	FailedBuild string
}

// transcript is all that one run of go test reported.
type transcript struct {
	packages map[string]*packageState
	order    []string
	builds   map[string][]string // lines that a build printed, by import path
}

func newTranscript() *transcript {
	return &transcript{packages: make(map[string]*packageState), builds: make(map[string][]string)}
}

// read takes in a line of standard output and returns what a person should see
// of it: what go test prints without -v.
func (t *transcript) read(line []byte) string {
	var e event
	known := bytes.HasPrefix(line, []byte("{")) && json.Unmarshal(line, &e) == nil && e.Action != "" // of the go command
	switch {
	case !known || e.Package+e.ImportPath == "":
		t.unloaded(string(line))
		return string(line) + "\n"
	case e.Package == "":
		if e.Action == "build-output" {
			t.builds[e.ImportPath] = append(t.builds[e.ImportPath], e.Output)
		}
		return e.Output
	}
	p := t.state(e.Package)
	if e.Test == "" {
		return p.own(e)
	}
	return p.test(e)
}

// state is what is known of a package so far.
func (t *transcript) state(name string) *packageState {
	p := t.packages[name]
	if p == nil {
		p = &packageState{tests: make(map[string]*testState)}
		t.packages[name] = p
		t.order = append(t.order, name)
	}
	return p
}

// unloaded takes in a line that is no event. Before Go 1.24 a package that cannot
// be loaded is reported in plain words, before 1.22 also one that does not
// compile.
func (t *transcript) unloaded(line string) {
	text, failed := strings.CutPrefix(line, "FAIL\t")
	name, setup := strings.CutSuffix(text, " [setup failed]")
	name, compile := strings.CutSuffix(name, " [build failed]")
	if failed && (setup || compile) {
		p := t.state(name)
		p.setup, p.unbuilt, p.done = setup, true, "fail"
	}
}

// blame charges the panics of a run that is over.
func (t *transcript) blame() {
	for _, p := range t.packages {
		p.blame()
	}
}
