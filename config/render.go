package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
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
	return encode(group(undocumented(schema()), differing(toValues(s), toValues(Default()))), comments)
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

// undocumented are fields without their comments.
func undocumented(fields []field) []field {
	out := slices.Clone(fields)
	for i := range out {
		out[i].doc, out[i].fields = "", undocumented(out[i].fields)
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
		v, isSet := values[f.key]
		if !isSet || (v == "" && f.key != "api_key_env") {
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
			return entriesOf(f, v)
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
		return scalar("!!str", duration(v))
	case []string:
		n := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
		for _, s := range v {
			n.Content = append(n.Content, scalar("!!str", s))
		}
		return n
	}
	return scalar("!!str", "none")
}

// entriesOf writes a table, one entry per line.
func entriesOf(t field, values map[string]any) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode}
	for _, name := range slices.SortedFunc(maps.Keys(values), rotationFirst) {
		entry, _ := values[name].(map[string]any)
		value := group(undocumented(t.fields), entry)
		value.Style = yaml.FlowStyle
		n.Content = append(n.Content, scalar("!!str", name), value)
	}
	return n
}

// rotationFirst orders entries: the three roles in the order of their turns,
// then all others by name.
func rotationFirst(a, b string) int {
	turns := []gates.Role{gates.Tester, gates.Implementor, gates.Refactorer}
	turn := func(name string) int {
		if i := slices.Index(turns, gates.Role(name)); i >= 0 {
			return i
		}
		return len(turns)
	}
	return cmp.Or(cmp.Compare(turn(a), turn(b)), strings.Compare(a, b))
}

func scalar(tag, value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: strings.ToValidUTF8(value, "\uFFFD")}
}

// duration is d without the trailing zeros of time.Duration.
func duration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
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
	if m := linePattern.FindStringSubmatch(text); m != nil {
		p.Line, _ = strconv.Atoi(m[1])
		p.Seen = printable(m[2])
	}
	if strings.Contains(text, "tab char") || strings.Contains(text, "start any token") {
		p.Remedy = "indent with spaces, no tabs, and put quotes around a text that starts with @, % or `"
	}
	return &p
}
