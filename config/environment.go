package config

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	nested "github.com/knadh/koanf/maps"
	"go.yaml.in/yaml/v3"

	"github.com/git-tdd/git-tdd/internal/nearest"
)

const prefix = "GIT_TDD_"

// entries returns the names of a table's entries in the layers below the
// environment, to which a variable can refer.
type entries func(table string) []string

// environment reads the GIT_TDD_ variables into nested maps.
func (r *reader) environment(vars map[string]string, known entries) map[string]any {
	out, all := map[string]any{}, known.below(nil, r.fields)
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		s, ok := find(all, name)
		if !ok {
			r.problems = append(r.problems, Problem{Key: name, Seen: "unknown variable", Remedy: hint(name, all)})
			continue
		}
		full := strings.Join(s.path, ".")
		r.places[full] = place{key: name}
		n, wrong := node(s.field, vars[name])
		var v any
		if wrong == nil {
			v, wrong = s.field.read(n)
		}
		if wrong != nil {
			r.complain(full, *wrong)
			continue
		}
		if name == prefix+word(parent(full)) {
			r.replaced = append(r.replaced, parent(full))
		}
		out[strings.Join(s.path, separator)] = v
	}
	return nested.Unflatten(out, separator)
}

// separator stands between the keys of a path, and in none: those of projects may hold dots.
const separator = "\x00"

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

// setting is one value of the settings, or a table of them.
type setting struct {
	variable string // GIT_TDD_ and the path in capitals
	path     []string
	field    field
}

// below lists the settings of some fields at a path, those of tables for the entries that are known.
func (known entries) below(path []string, fields []field) (out []setting) {
	for _, f := range fields {
		at := append(slices.Clip(path), f.key)
		s := setting{prefix + word(strings.Join(at, ".")), at, f}
		switch f.kind {
		case section:
			if of, ok := lookup(f.fields, f.short); ok {
				out = append(out, setting{s.variable, append(slices.Clip(at), of.key), of})
			}
			out = append(out, known.below(at, f.fields)...)
		case table:
			out = append(out, s)
			for _, entry := range known(strings.Join(at, ".")) {
				out = append(out, known.below(append(slices.Clip(at), entry), f.fields)...)
			}
		case text, whole, number, span, list:
			out = append(out, s)
		}
	}
	return out
}

// find finds the setting of a variable: of those that are known, or of a new entry of a table,
// of that name in lower case.
func find(all []setting, name string) (setting, bool) {
	if i := slices.IndexFunc(all, func(s setting) bool { return s.variable == name && s.field.kind != table }); i >= 0 {
		return all[i], true
	}
	for _, t := range all {
		rest, within := strings.CutPrefix(name, t.variable+"_")
		for i, c := range rest {
			if !within || t.field.kind != table || c != '_' {
				continue
			}
			entry := strings.ToLower(strings.ReplaceAll(rest[:i], "_", "-"))
			s, ok := find(entries(nil).below(append(slices.Clip(t.path), entry), t.field.fields), name)
			if ok && t.field.each(entry) == "" {
				return s, true
			}
		}
	}
	return setting{}, false
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
func hint(name string, all []setting) string {
	var names []string
	for _, s := range all {
		if s.field.kind != table {
			names = append(names, s.variable)
		}
	}
	if near := nearest.Of(name, names); near != "" {
		return "write " + near
	}
	return "unset it; a setting's variable is " + prefix + " and its path in capitals, such as " + prefix + "LLM_BASE_URL"
}
