package models

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Matrix is what is to be run: each model on each kata, several times. Paths are as
// the file gives them, relative to its folder.
type Matrix struct {
	Runs     int              `yaml:"runs"`     // of each model on each kata
	Seed     int              `yaml:"seed"`     // of the first of them; each next is one higher
	Steps    int              `yaml:"steps"`    // role steps of one run
	Settings string           `yaml:"settings"` // a file like .tdd.yaml for every run; empty: the defaults
	Katas    map[string]Kata  `yaml:"katas"`
	Models   map[string]Model `yaml:"models"`
}

// Kata is an exercise of a matrix.
type Kata struct {
	Kata     string `yaml:"kata"`     // the name of a bundled one, or a Markdown file
	Language string `yaml:"language"` // empty: what the settings name
	Hidden   string `yaml:"hidden"`   // a folder of tests that no run gets to see; empty: none
}

// Model is who works on the katas of a matrix.
type Model struct {
	Model    string `yaml:"model"`    // of all three roles, as roles.X.model names it; empty: what the settings name
	Settings string `yaml:"settings"` // in place of the matrix's own
	Replay   string `yaml:"replay"`   // a recording that answers
}

// UnmarshalYAML takes a text for the kata's name.
func (k *Kata) UnmarshalYAML(n *yaml.Node) error {
	type plain Kata
	return short(n, &k.Kata, (*plain)(k))
}

// UnmarshalYAML takes a text for the model's name.
func (m *Model) UnmarshalYAML(n *yaml.Node) error {
	type plain Model
	return short(n, &m.Model, (*plain)(m))
}

// short decodes an entry, which may be written as one text. A node's own decoder
// knows nothing of KnownFields, so the entry is decoded from its text again.
func short(n *yaml.Node, text *string, whole any) error {
	if n.Kind == yaml.ScalarNode {
		return n.Decode(text)
	}
	source, err := yaml.Marshal(n)
	if err != nil {
		return err
	}
	if err := strictly(source, whole); err != nil {
		return fmt.Errorf("line %d: %w", n.Line, err)
	}
	return nil
}

// strictly decodes YAML, and refuses keys that mean nothing.
func strictly(source []byte, into any) error {
	d := yaml.NewDecoder(bytes.NewReader(source))
	d.KnownFields(true)
	err := d.Decode(into)
	if wrong, ok := errors.AsType[*yaml.TypeError](err); ok {
		return errors.New(strings.Join(wrong.Errors, "; "))
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// ParseMatrix reads a matrix.
func ParseMatrix(name string, source []byte) (Matrix, error) {
	m := Matrix{Runs: 1, Seed: 1, Steps: 60}
	err := strictly(source, &m)
	if err == nil {
		err = m.check()
	}
	if err != nil {
		return Matrix{}, fmt.Errorf("%s: %w", name, err)
	}
	return m, nil
}

// entryPattern is what a folder may be called on every system.
var entryPattern = regexp.MustCompile(`^[a-z0-9]([a-z0-9._-]{0,38}[a-z0-9_-])?$`)

func (m Matrix) check() error {
	if len(m.Katas) == 0 {
		return errors.New("no kata; write katas: {calculator: {kata: string-calculator, language: go}}")
	}
	if len(m.Models) == 0 {
		return errors.New("no model; write models: {small: qwen2.5-coder:7b}")
	}
	if m.Runs < 1 || m.Seed < 1 || m.Steps < 1 {
		return errors.New("runs, seed and steps are numbers from 1")
	}
	for _, name := range slices.Sorted(maps.Keys(m.Katas)) {
		if m.Katas[name].Kata == "" {
			return fmt.Errorf("katas.%s: write kata: and the name of a bundled kata or a Markdown file", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.Models)) {
		switch model := m.Models[name]; {
		case model.Replay != "" && model.Model != "":
			return fmt.Errorf("models.%s: a recording answers for every model; keep one of model and replay", name)
		case model == Model{}:
			return fmt.Errorf("models.%s: nobody to ask; write model: NAME, settings: FILE or replay: FILE", name)
		}
	}
	for _, name := range slices.Concat(slices.Collect(maps.Keys(m.Katas)), slices.Collect(maps.Keys(m.Models))) {
		if !entryPattern.MatchString(name) {
			return fmt.Errorf("the name %q: write at most 40 small letters, digits, dots, dashes and underscores, a letter or a digit first", name)
		}
	}
	return nil
}
