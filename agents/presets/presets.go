package presets

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

//go:embed data
var data embed.FS

// Mark is in every hook that calls git-tdd; it tells ours from others.
const Mark = "tdd agent-hook "

// Preset is what is known of one coding agent.
type Preset struct {
	Name    string `yaml:"-"`
	Title   string // as its makers call it
	Program string // the command that starts it
	Folder  string // a path that exists in a repository where it is used
	Tools   Tools
	Files   []Placed
	Answers Answers
	Note    string // what a person has to do besides installing
	Run     Run
}

// Run is how an agent takes a step for a role. $PROMPT, $FILE (the prompt's file)
// and $SESSION are replaced in the commands.
type Run struct {
	Cmd    []string
	Resume []string // goes on with a session; empty: it begins anew
	Prompt Way
	Says   Says
	Env    []string // variables that it may see besides the usual ones
	Home   []string // what of the user's home it may change; folders end with a slash
	Reads  []string // what of the user's home it may only read: also of the above what starts programs
	Leaves []string // patterns of names of files and folders that it leaves behind for itself
	Login  []string // what it says when nobody is logged in
}

// Way is the way by which an agent gets its prompt.
type Way string

// The ways.
const (
	Stdin Way = "stdin"
	File  Way = "file"
	Arg   Way = "arg"
	ACP   Way = "acp" // in a conversation by the Agent Client Protocol, on standard input and output
)

// Says is where an agent's output says what: dotted paths in the JSON objects
// that it prints, in which * is every member. Of texts the last counts, numbers are
// added up. No Text: its output is text.
type Says struct {
	Text, Session         string
	Failed                string   // true, or a message
	Input, Output, Cached []string // tokens; what was cached is part of the input
	Whole                 bool     // numbers are those of the whole session, and not of a turn
}

// Tools are the names of an agent's tools.
type Tools struct {
	Edit  []string // that write files
	Shell []string // that run commands
}

// Placed is one file of a repository. One of JSON, Block and Text is set.
type Placed struct {
	Path  string
	JSON  map[string]any // merged into the file: lists grow, values are set where there is none
	Block *Block
	Text  string // the name of the data file that is the whole content
}

// Block is a part of a text file between two marks, which are comments.
type Block struct {
	Comment string // what a comment begins with: "#"; empty for Markdown's
	Lines   []string
}

// Answers are the forms of what a hook prints. A nil one cannot be said.
type Answers struct {
	Deny  map[string]any // the tool is not to run
	Again map[string]any // the turn is to go on
	Note  map[string]any // the turn ends, and the person is told
}

// Render is an answer with its reason; empty if it cannot be said.
func Render(form map[string]any, reason string) []byte {
	if form == nil {
		return nil
	}
	out, _ := json.Marshal(form) // a preset's values can be encoded; a test does it
	text, _ := json.Marshal(reason)
	return bytes.ReplaceAll(out, []byte(`"$REASON"`), text)
}

// Content is a data file by its name.
func Content(name string) (string, error) {
	text, err := data.ReadFile("data/" + name)
	return string(text), err
}

// All lists the presets by name.
func All() ([]Preset, error) {
	var all []Preset
	for _, name := range Names() {
		p, err := ByName(name)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// ByName is one preset. The error names the known ones.
func ByName(name string) (Preset, error) {
	p := Preset{Name: name}
	if !slices.Contains(Names(), name) {
		return p, fmt.Errorf("there is no coding agent %q; known are %s", name, strings.Join(Names(), ", "))
	}
	text, err := data.Open("data/" + name + ".yaml")
	if err != nil {
		return p, fmt.Errorf("read the preset of %s: %w", name, err)
	}
	dec := yaml.NewDecoder(text)
	dec.KnownFields(true)
	if err := dec.Decode(&p); err != nil {
		return p, fmt.Errorf("the preset of %s: %w", name, err)
	}
	return p, nil
}

// Names lists the names of the presets.
func Names() []string {
	entries, _ := data.ReadDir("data") // it is embedded
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".yaml"); ok {
			names = append(names, name)
		}
	}
	return names
}
