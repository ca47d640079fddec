package config

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// editorSchema is the JSON schema by which editors complete and check .tdd.yaml.
const editorSchema = "../docs/tdd.schema.json"

// TestEditorSchema holds docs/tdd.schema.json to the schema of the program.
// TDD_UPDATE=1 writes it anew.
func TestEditorSchema(t *testing.T) {
	t.Parallel()
	root := objectOf(schema())
	root["$schema"] = "http://json-schema.org/draft-07/schema#"
	root["$id"] = "https://raw.githubusercontent.com/git-tdd/git-tdd/main/docs/tdd.schema.json"
	root["title"] = "Settings of git-tdd (.tdd.yaml)"
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	gittest.Check(t, e.Encode(root))
	if os.Getenv("TDD_UPDATE") != "" {
		gittest.Check(t, os.WriteFile(editorSchema, text.Bytes(), 0o600))
	}
	if gittest.Read(t, editorSchema) != text.String() {
		t.Errorf("docs/tdd.schema.json is not what the program reads: TDD_UPDATE=1 go test -run TestEditorSchema ./config")
	}
}

// object is a JSON schema.
type object = map[string]any

func objectOf(fields []field) object {
	properties := object{}
	for _, f := range fields {
		properties[f.key] = valueOf(f)
	}
	return object{"type": "object", "additionalProperties": false, "properties": properties}
}

func valueOf(f field) object {
	out := object{}
	switch f.kind {
	case section:
		out = objectOf(f.fields)
		if f.short != "" {
			short, _ := lookup(f.fields, f.short)
			out = object{"anyOf": []object{valueOf(short), out}}
		}
	case table:
		out = object{"type": "object", "additionalProperties": objectOf(f.fields)}
	case text:
		out = textOf(f)
	case whole:
		out = object{"type": "integer", "minimum": int(f.low), "maximum": int(f.high)}
	case number:
		out = object{"anyOf": []object{{"type": "number", "minimum": f.low, "maximum": f.high}, {"const": "none"}}}
	case span:
		out = object{"type": "string", "pattern": `^([0-9.]+(ns|us|µs|ms|s|m|h))+$|^0$`}
	case list:
		out = object{"type": "array", "items": textOf(f)}
	}
	if f.doc != "" {
		out["description"] = f.doc
	}
	return out
}

// textOf asks the field's own check which words it takes, if they are few.
func textOf(f field) object {
	out := object{"type": "string"}
	if f.each == nil {
		return out
	}
	_, words, ok := strings.Cut(f.each("~~~~~~~~"), "write one of ")
	if !ok {
		return out
	}
	var enum []any
	for word := range strings.SplitSeq(words, ", ") {
		if f.each(word) == "" {
			enum = append(enum, word)
		}
	}
	if slices.Contains(enum, any("off")) { // a boolean to editors that read YAML 1.1
		enum = append(enum, false, true)
		out["type"] = []string{"string", "boolean"}
	}
	if len(enum) > 0 {
		out["enum"] = enum
	}
	return out
}

// TestEditorSchemaTakesOurs holds this repository's own settings, and the file that
// lists every setting, against the schema's keys.
func TestEditorSchemaTakesOurs(t *testing.T) {
	t.Parallel()
	var root object
	gittest.Check(t, json.Unmarshal([]byte(gittest.Read(t, editorSchema)), &root))
	files, err := filepath.Glob("testdata/*.yaml")
	gittest.Check(t, err)
	for _, name := range append(files, "../.tdd.yaml") {
		var doc object
		gittest.Check(t, yaml.Unmarshal([]byte(gittest.Read(t, name)), &doc))
		known, _ := root["properties"].(object)
		for key := range doc {
			if known[key] == nil {
				t.Errorf("%s: the schema does not know %s", name, key)
			}
		}
	}
}
