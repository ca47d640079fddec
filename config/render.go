package config

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/git-tdd/git-tdd/gates"
)

// Render writes a file with these settings and a short comment on each key; the
// given comments come first, one per line. Parsing it gives the same settings,
// if they came from Default or Parse. An empty language or command is left out,
// and so is found from the project.
func Render(s Settings, comments ...string) []byte {
	return encode(group(schema(), toValues(s)), comments)
}

// Brief is Render without what has its default anyway, and without the comments on
// keys.
func Brief(s Settings, comments ...string) []byte {
	return encode(group(bare(schema()), differing(toValues(s), toValues(Default()))), comments)
}

// differing are the values that are not the same in others.
func differing(values, others map[string]any) map[string]any {
	out := map[string]any{}
	for key, v := range values {
		other, there := others[key]
		in, deep := v.(map[string]any)
		switch inOther, _ := other.(map[string]any); {
		case deep && there:
			if d := differing(in, inOther); len(d) > 0 {
				out[key] = d
			}
		case !there || !reflect.DeepEqual(v, other):
			out[key] = v
		}
	}
	return out
}

// bare are fields without their comments.
func bare(fields []field) []field {
	out := slices.Clone(fields)
	for i := range out {
		out[i].doc, out[i].fields = "", bare(out[i].fields)
	}
	return out
}

func encode(root *yaml.Node, comments []string) []byte {
	root.HeadComment = strings.Join(comments, "\n")
	if root.HeadComment != "" {
		root.HeadComment += "\n\n"
	}
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(root); err != nil {
		panic(fmt.Sprintf("config: nodes of our own making do not encode: %v", err)) // no input leads here
	}
	return out.Bytes()
}

// group writes the fields of a section that have a value, in the schema's
// order.
func group(fields []field, values map[string]any) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode}
	for _, f := range fields {
		v, given := values[f.key]
		if !given || (v == "" && f.key != "api_key_env") {
			continue
		}
		key, value := scalar("!!str", f.key), write(f, v)
		if value.Kind == yaml.MappingNode && f.kind == section && len(value.Content) == 0 {
			continue
		}
		if value.Kind == yaml.MappingNode {
			key.HeadComment = f.doc
		} else {
			value.LineComment = f.doc
		}
		n.Content = append(n.Content, key, value)
	}
	return n
}

// write is the node of one field's value.
func write(f field, v any) *yaml.Node {
	switch v := v.(type) {
	case map[string]any:
		if f.kind == table {
			return rows(f, v)
		}
		n := group(f.fields, v)
		if f.short != "" && len(n.Content) == 2 {
			return n.Content[1]
		}
		return n
	case string:
		return scalar("!!str", v)
	case int:
		return scalar("", strconv.Itoa(v))
	case float64:
		return scalar("", strconv.FormatFloat(v, 'f', -1, 64))
	case time.Duration:
		return scalar("!!str", strings.NewReplacer("h0m0s", "h", "m0s", "m").Replace(v.String())) // without trailing zeros
	case []string:
		n := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
		for _, s := range v {
			n.Content = append(n.Content, scalar("!!str", s))
		}
		return n
	}
	return scalar("!!str", "none")
}

// rows writes a table, one entry per line.
func rows(t field, values map[string]any) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode}
	for _, name := range slices.SortedFunc(maps.Keys(values), rotationFirst) {
		entry, _ := values[name].(map[string]any)
		value := group(bare(t.fields), entry)
		value.Style = yaml.FlowStyle
		n.Content = append(n.Content, scalar("!!str", name), value)
	}
	return n
}

// rotationFirst orders entries: the three roles in the order of their turns,
// then all others by name.
func rotationFirst(a, b string) int {
	last := []gates.Role{gates.Refactorer, gates.Implementor, gates.Tester} // all others are at -1
	turn := func(name string) int { return slices.Index(last, gates.Role(name)) }
	return cmp.Or(cmp.Compare(turn(b), turn(a)), strings.Compare(a, b))
}

func scalar(tag, value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: strings.ToValidUTF8(value, "\uFFFD")}
}
