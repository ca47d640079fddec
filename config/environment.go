package config

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/git-tdd/git-tdd/internal/nearest"
)

const prefix = "GIT_TDD_"

// entries returns the names of a table's entries in the layers below the
// environment, to which a variable can refer.
type entries func(table string) []string

// environment reads the GIT_TDD_ variables into nested maps.
func (r *reader) environment(vars map[string]string, known entries) map[string]any {
	out := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		path, f := known.find("", r.fields, strings.TrimPrefix(name, prefix))
		if path == nil {
			r.problems = append(r.problems, Problem{Key: name, Seen: "unknown variable", Remedy: known.hint(name, r.fields)})
			continue
		}
		full := strings.Join(path, ".")
		r.places[full] = place{key: name}
		n, wrong := node(f, vars[name])
		var v any
		if wrong == nil {
			v, wrong = f.read(n)
		}
		if wrong != nil {
			r.complain(full, *wrong)
			continue
		}
		if name == prefix+word(parent(full)) {
			r.replaced = append(r.replaced, parent(full))
		}
		set(out, path, v)
	}
	return out
}

// phase is not a setting: the hooks set it for the programs that they call,
// which may in turn call git-tdd.
const phase = prefix + "PHASE"

// variables picks the settings out of an environment; if a name occurs twice,
// the last one counts, as it does for os/exec.
func variables(environ []string) map[string]string {
	out := map[string]string{}
	for _, e := range environ {
		name, value, _ := strings.Cut(e, "=")
		if value != "" && name != phase && strings.HasPrefix(name, prefix) {
			out[name] = value
		}
	}
	return out
}

// find returns the path and the field that the rest of a variable's name refers
// to, below the section at start; nil if there is none.
func (known entries) find(start string, fields []field, rest string) ([]string, field) {
	for _, f := range fields {
		after, within := strings.CutPrefix(rest, word(f.key)+"_")
		var path []string
		var leaf field
		switch {
		case rest == word(f.key) && f.kind != section && f.kind != table:
			return []string{f.key}, f
		case rest == word(f.key) && f.short != "":
			leaf, _ := lookup(f.fields, f.short)
			return []string{f.key, f.short}, leaf
		case within && f.kind == section:
			path, leaf = known.find(join(start, f.key), f.fields, after)
		case within && f.kind == table:
			path, leaf = known.findEntry(join(start, f.key), f, after)
		}
		if path != nil {
			return append([]string{f.key}, path...), leaf
		}
	}
	return nil, field{}
}

// findEntry looks into a table: for a known entry, or for a new one of that
// name in lower case.
func (known entries) findEntry(path string, t field, rest string) ([]string, field) {
	for _, entry := range known(path) {
		if after, ok := strings.CutPrefix(rest, word(entry)+"_"); ok {
			if below, f := known.find(join(path, entry), t.fields, after); below != nil {
				return append([]string{entry}, below...), f
			}
		}
	}
	for i, c := range rest {
		entry := strings.ToLower(strings.ReplaceAll(rest[:i], "_", "-"))
		if c != '_' || t.each(entry) != "" {
			continue
		}
		if below, f := known.find(join(path, entry), t.fields, rest[i+1:]); below != nil {
			return append([]string{entry}, below...), f
		}
	}
	return nil, field{}
}

// word is a key as it is spelled in a variable's name.
func word(key string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToUpper(r)
		}
		return '_'
	}, key)
}

// node is a variable's value as it would stand in the file.
func node(f field, value string) (*yaml.Node, *fault) {
	if !utf8.ValidString(value) {
		return nil, &fault{seen: "bytes that are not UTF-8", remedy: "write it in UTF-8"}
	}
	n := &yaml.Node{Kind: yaml.ScalarNode, Value: value}
	switch f.kind {
	case text:
		n.Tag = "!!str"
	case list:
		words := strings.Fields(value)
		if strings.HasPrefix(strings.TrimSpace(value), "[") {
			words = nil
			if err := json.Unmarshal([]byte(value), &words); err != nil {
				return nil, f.fault(n, `write a JSON array of texts, such as ["cargo", "test"], or words with spaces between them`)
			}
		}
		n = &yaml.Node{Kind: yaml.SequenceNode}
		for _, w := range words {
			n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: w})
		}
	case section, table, whole, number, span:
	}
	return n, nil
}

// hint names the variable that an unknown one was probably meant to be.
func (known entries) hint(name string, fields []field) string {
	if near := nearest.Of(name, known.names("", fields)); near != "" {
		return "write " + near
	}
	return "unset it; a setting's variable is " + prefix + " and its path in capitals, such as " + prefix + "LLM_BASE_URL"
}

// names lists the variables of all settings below a path, those of tables for
// the entries that are known.
func (known entries) names(start string, fields []field) []string {
	var out []string
	for _, f := range fields {
		path := join(start, f.key)
		switch f.kind {
		case section:
			if f.short != "" {
				out = append(out, prefix+word(path))
			}
			out = append(out, known.names(path, f.fields)...)
		case table:
			for _, entry := range known(path) {
				out = append(out, known.names(join(path, entry), f.fields)...)
			}
		case text, whole, number, span, list:
			out = append(out, prefix+word(path))
		}
	}
	return out
}

// set puts a value at a path of nested maps.
func set(m map[string]any, path []string, v any) {
	for _, key := range path[:len(path)-1] {
		below, ok := m[key].(map[string]any)
		if !ok {
			below = map[string]any{}
			m[key] = below
		}
		m = below
	}
	m[path[len(path)-1]] = v
}
