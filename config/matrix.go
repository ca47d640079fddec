package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-viper/mapstructure/v2"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// Matrix is what `git tdd bench` is to run: each model on each kata, several
// times. Paths are as the file gives them, relative to its folder.
type Matrix struct {
	Runs     int                    `koanf:"runs"`     // of each model on each kata
	Seed     int                    `koanf:"seed"`     // of the first of them; each next is one higher
	Steps    int                    `koanf:"steps"`    // role steps of one run
	Settings string                 `koanf:"settings"` // a file like .tdd.yaml for every run; empty: the defaults
	Katas    map[string]MatrixKata  `koanf:"katas"`
	Models   map[string]MatrixModel `koanf:"models"`
}

// MatrixKata is an exercise of a matrix.
type MatrixKata struct {
	Kata     string `koanf:"kata"`     // the name of a bundled one, or a Markdown file
	Language string `koanf:"language"` // empty: what the settings name
	Hidden   string `koanf:"hidden"`   // a folder of tests that no run gets to see; empty: none
}

// MatrixModel is who works on the katas of a matrix.
type MatrixModel struct {
	Model    string `koanf:"model"`    // of all three roles, as [Role] names it; empty: what the settings name
	Settings string `koanf:"settings"` // in place of the matrix's own
	Replay   string `koanf:"replay"`   // a recording that answers; [BundledReplay] is the kata's own
}

// BundledReplay names the recording that comes with a kata.
const BundledReplay = "bundled"

func matrixSchema() []field {
	return []field{
		{key: "runs", kind: whole, low: 1, high: 10_000},
		{key: "seed", kind: whole, low: 1, high: unlimited},
		{key: "steps", kind: whole, low: 1, high: unlimited},
		{key: "settings", kind: text, each: anyPath},
		{key: "katas", kind: table, each: entryName, short: "kata", fields: []field{
			{key: "kata", kind: text, each: anyPath},
			{key: "language", kind: text, each: languageName},
			{key: "hidden", kind: text, each: anyPath},
		}},
		{key: "models", kind: table, each: entryName, short: "model", fields: []field{
			{key: "model", kind: text, each: modelName},
			{key: "settings", kind: text, each: anyPath},
			{key: "replay", kind: text, each: anyPath},
		}},
	}
}

// ParseMatrix reads a matrix as strictly as [Parse] reads settings. Everything
// that is wrong is returned as one *Error, which names the file.
func ParseMatrix(name string, file []byte) (Matrix, error) {
	m := Matrix{Runs: 1, Seed: 1, Steps: 60}
	r := newReader()
	r.fields, r.retirements = matrixSchema(), nil
	decoder, err := mapstructure.NewDecoder(&mapstructure.DecoderConfig{ErrorUnused: true, TagName: "koanf", Result: &m})
	if err == nil {
		err = decoder.Decode(r.file(file))
	}
	if err != nil {
		return Matrix{}, fmt.Errorf("decode the matrix: %w", err)
	}
	r.checkMatrix(m)
	if r.problems != nil {
		return Matrix{}, &Error{File: name, Problems: inOrder(r.problems)}
	}
	return m, nil
}

func (r *reader) checkMatrix(m Matrix) {
	r.checkEntries("katas", func(name string) bool { _, ok := m.Katas[name]; return ok })
	r.checkEntries("models", func(name string) bool { _, ok := m.Models[name]; return ok })
	if len(m.Katas) == 0 {
		r.object("katas", fault{seen: "no kata", remedy: "write katas: {calculator: {kata: string-calculator, language: go}}"})
	}
	if len(m.Models) == 0 {
		r.object("models", fault{seen: "no model", remedy: "write models: {small: qwen2.5-coder:7b}"})
	}
	for _, name := range slices.Sorted(maps.Keys(m.Katas)) {
		if m.Katas[name].Kata == "" {
			r.object("katas."+name+".kata", fault{seen: "no text", remedy: "write kata: and the name of a bundled kata or a Markdown file"})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.Models)) {
		switch model := m.Models[name]; {
		case model.Replay != "" && model.Model != "":
			r.object("models."+name+".replay", fault{seen: "a model beside it", remedy: "keep one of the two: a recording answers for every model"})
		case model == MatrixModel{}:
			r.object("models."+name, fault{seen: "nobody to ask", remedy: "write model: NAME, settings: FILE or replay: FILE"})
		}
	}
}

// checkEntries refuses entries of a table that say nothing.
func (r *reader) checkEntries(table string, holds func(name string) bool) {
	for _, path := range slices.Sorted(maps.Keys(r.places)) {
		if name, in := strings.CutPrefix(path, table+"."); in && parent(path) == table && !holds(name) {
			r.object(path, fault{seen: "nothing", remedy: "say what it is, or take it out"})
		}
	}
}

// entryPattern is what a folder may be called on every system.
var entryPattern = lazyregexp.New(`^[a-z0-9][a-z0-9._-]{0,39}$`)

// entryName checks the name of a kata or a model: its results lie in a folder of
// that name.
func entryName(name string) string {
	if !entryPattern.MatchString(name) || name[len(name)-1] == '.' {
		return "write at most 40 small letters, digits, dots, dashes and underscores, a letter or a digit first"
	}
	return ""
}

func anyPath(path string) string {
	if path == "" || !clean(path) {
		return "write a path, relative to this file"
	}
	return ""
}
