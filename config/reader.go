package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/internal/nearest"
)

// reader turns nodes into values, and keeps track of where each of them is and
// what is wrong with it.
type reader struct {
	fields      []field
	places      map[string]place // by the setting's path
	wrong       map[string]bool  // paths with a problem
	troubled    map[string]bool  // those and the groups around them
	problems    []Problem
	replaced    []string // sections that the environment replaces by their short form
	retirements []retirement
	retired     []Retired
}

// place is where a setting was given.
type place struct {
	key  string // its name for people: a path or a variable
	line int
}

// maxEntries is more than any reasonable table needs.
const maxEntries = 100

// fault is what is wrong with one value.
type fault struct{ seen, remedy string }

// file reads the whole file into nested maps.
func (r *reader) file(file []byte) map[string]any {
	root, problem := document(file)
	if problem != nil {
		r.problems = append(r.problems, *problem)
	}
	if root == nil {
		return nil
	}
	r.retire(root)
	v, _ := r.value("", root, field{kind: section, fields: r.fields})
	values, _ := v.(map[string]any)
	return values
}

// mapping reads a section or a table.
func (r *reader) mapping(path string, n *yaml.Node, f field) map[string]any {
	if n.Kind != yaml.MappingNode {
		r.places[path] = place{key: path, line: n.Line}
		under := "keys under it: "
		if f.kind == table {
			under = "names under it, each with keys: "
		}
		r.complain(path, fault{seen: describe(n), remedy: "write " + under + strings.Join(keys(f.fields), ", ")})
		return nil
	}
	if size := len(n.Content) / 2; f.kind == table && size > maxEntries {
		r.complain(path, fault{seen: fmt.Sprintf("%d entries", size), remedy: fmt.Sprintf("keep at most %d", maxEntries)})
		return nil
	}
	out := make(map[string]any, len(n.Content)/2)
	for i := 0; i < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		entry, ok := r.entry(path, key, f)
		if !ok {
			continue
		}
		if v, given := r.value(join(path, key.Value), value, entry); given {
			out[key.Value] = v
		}
	}
	return out
}

// entry finds the field that a key of the mapping stands for.
func (r *reader) entry(path string, key *yaml.Node, parent field) (field, bool) {
	full := join(path, key.Value)
	if odd := strange(key); odd != nil || key.Kind != yaml.ScalarNode {
		r.places[full] = place{key: full, line: key.Line}
		r.complain(full, fault{seen: "a key that is no plain word", remedy: "write one of " + strings.Join(keys(parent.fields), ", ")})
		return field{}, false
	}
	if first, twice := r.places[full]; twice {
		r.problems = append(r.problems, Problem{
			Key: full, Line: key.Line,
			Seen: fmt.Sprintf("given on line %d already", first.line), Remedy: "keep one of the two",
		})
		return field{}, false
	}
	r.places[full] = place{key: full, line: key.Line}
	if parent.kind == table {
		if remedy := parent.each(key.Value); remedy != "" {
			r.complain(full, fault{seen: "this name", remedy: remedy})
			return field{}, false
		}
		return field{kind: section, fields: parent.fields, short: parent.short}, true
	}
	f, known := lookup(parent.fields, key.Value)
	if !known {
		r.complain(full, fault{seen: "unknown key", remedy: r.suggest(path, key.Value, parent.fields)})
	}
	return f, known
}

// value reads the value of a key. Wrong or empty ones are left out, so that those of the
// layers below remain.
func (r *reader) value(path string, n *yaml.Node, f field) (v any, given bool) {
	wrong := strange(n)
	switch {
	case wrong != nil:
	case n.ShortTag() == "!!null":
		return nil, false
	case f.short != "" && n.Kind == yaml.ScalarNode:
		of, _ := lookup(f.fields, f.short)
		full := join(path, of.key)
		r.places[full] = r.places[path]
		v, given = r.value(full, n, of)
		return map[string]any{of.key: v}, given
	case f.kind == section || f.kind == table:
		m := r.mapping(path, n, f)
		return m, len(m) > 0 || m != nil && f.kind == section
	default:
		if v, wrong = f.read(n); wrong == nil {
			return v, true
		}
	}
	r.complain(path, *wrong)
	return nil, false
}

// complain records a problem with a path, at the line of the nearest part of
// the path that was given.
func (r *reader) complain(path string, f fault) {
	r.wrong[path] = true
	for p := path; p != ""; p = parent(p) {
		r.troubled[p] = true
	}
	at := r.at(path)
	r.problems = append(r.problems, Problem{Key: at.key, Line: at.line, Seen: f.seen, Remedy: f.remedy})
}

// at is the place of a path, or at least of the group around it.
func (r *reader) at(path string) place {
	if found, given := r.places[path]; given || path == "" {
		return found
	}
	return place{key: path, line: r.at(parent(path)).line}
}

// suggest says what an unknown key was probably meant to be: a similar key, or
// the same key in its right place.
func (r *reader) suggest(path, key string, neighbours []field) string {
	if near := nearest.Of(key, keys(neighbours)); near != "" {
		return "write " + near
	}
	for _, f := range r.fields {
		if _, ok := lookup(f.fields, key); ok && f.kind == section && f.key != path {
			return fmt.Sprintf("write it under %s", f.key)
		}
	}
	return "known here: " + strings.Join(keys(neighbours), ", ")
}

// strange refuses what YAML can do beyond plain values.
func strange(n *yaml.Node) *fault {
	switch {
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		return &fault{seen: "an anchor or alias", remedy: "write the value itself"}
	case n.Style&yaml.TaggedStyle != 0:
		return &fault{seen: "the tag " + printable(n.Tag), remedy: "write the value without a tag"}
	}
	return nil
}

func join(path, key string) string { return strings.TrimPrefix(path+"."+key, ".") }

func parent(path string) string {
	return path[:max(0, strings.LastIndexByte(path, '.'))]
}

// maxFile is more than any reasonable file needs, in bytes.
const maxFile = 256 << 10

// document parses the file into the nodes of its only document; nil if it is
// empty. Nodes, unlike values, know their lines and do not expand aliases, so
// no file can blow up.
func document(file []byte) (*yaml.Node, *Problem) {
	if len(file) > maxFile {
		return nil, &Problem{
			Seen:   fmt.Sprintf("a file of %d bytes", len(file)),
			Remedy: fmt.Sprintf("keep it below %d", maxFile),
		}
	}
	decoder := yaml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(file, []byte("\xef\xbb\xbf"))))
	var first, second yaml.Node
	if err := decoder.Decode(&first); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, malformed(err)
	}
	if err := decoder.Decode(&second); err == nil {
		return nil, &Problem{Line: second.Line, Seen: "a second document", Remedy: "keep one and no line of ---"}
	} else if !errors.Is(err, io.EOF) {
		return nil, malformed(err)
	}
	return first.Content[0], nil
}

// linePattern splits an error of the parser into the line number and the rest.
var linePattern = lazyregexp.New(`^line (\d+): (.*)$`)

// malformed says what the parser could not read. The line number is in the
// error's text only.
func malformed(err error) *Problem {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	p := Problem{Seen: printable(text), Remedy: "correct the YAML"}
	if m := linePattern().FindStringSubmatch(text); m != nil {
		p.Line, _ = strconv.Atoi(m[1])
		p.Seen = printable(m[2])
	}
	if strings.Contains(text, "tab char") || strings.Contains(text, "start any token") {
		p.Remedy = "indent with spaces, no tabs, and put quotes around a text that starts with @, % or `"
	}
	return &p
}
