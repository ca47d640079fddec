package agenthook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/git-tdd/git-tdd/agents/presets"
)

// Settings belong to others, so they are edited in their syntax tree: what is not ours
// keeps its order, layout, comments and every byte.

// mergeJSON adds to a text what it lacks of the wanted members: lists grow by
// elements that are not there, and other values are set where there is none.
func mergeJSON(text []byte, want map[string]any) ([]byte, error) {
	v, err := hujson.Parse(slices.Clone(text))
	if err != nil {
		return nil, err //nolint:wrapcheck // it says where
	}
	if err := (merger{unit: indentOf(text)}).merge(&v, want, 0); err != nil {
		return nil, err
	}
	return v.Pack(), nil
}

// indentOf is one step of a text's indentation.
func indentOf(text []byte) string {
	for line := range bytes.Lines(text) {
		if rest := bytes.TrimLeft(line, " \t"); len(rest) < len(line) && len(bytes.TrimSpace(rest)) > 0 {
			return string(line[:len(line)-len(rest)])
		}
	}
	return "  "
}

type merger struct{ unit string }

func (m merger) merge(v *hujson.Value, want any, depth int) error {
	switch want := want.(type) {
	case map[string]any:
		object, ok := v.Value.(*hujson.Object)
		if !ok {
			return fmt.Errorf("%s should be an object", v.Value)
		}
		return m.mergeObject(object, want, depth)
	case []any:
		list, ok := v.Value.(*hujson.Array)
		if !ok {
			return fmt.Errorf("%s should be a list", v.Value)
		}
		for _, e := range want {
			if !slices.ContainsFunc(list.Elements, func(have hujson.Value) bool { return same(have.Pack(), e) }) {
				added := m.value(e, depth+1)
				var last *hujson.Value
				if n := len(list.Elements); n > 0 {
					last = &list.Elements[n-1]
				}
				added.BeforeExtra, added.AfterExtra = m.room(last, &list.AfterExtra, depth)
				list.Elements = append(list.Elements, added)
			}
		}
	}
	return nil // there is a value, and it is not ours to change
}

func (m merger) mergeObject(object *hujson.Object, want map[string]any, depth int) error {
	for _, key := range slices.Sorted(maps.Keys(want)) {
		at := slices.IndexFunc(object.Members, func(o hujson.ObjectMember) bool {
			name, _ := o.Name.Value.(hujson.Literal)
			return name.String() == key
		})
		if at >= 0 {
			if err := m.merge(&object.Members[at].Value, want[key], depth+1); err != nil {
				return err
			}
			continue
		}
		added := hujson.ObjectMember{Name: hujson.Value{Value: hujson.String(key)}, Value: m.value(want[key], depth+1)}
		added.Value.BeforeExtra = hujson.Extra(" ")
		var last *hujson.Value
		if n := len(object.Members); n > 0 {
			last = &object.Members[n-1].Value
		}
		added.Name.BeforeExtra, added.Value.AfterExtra = m.room(last, &object.AfterExtra, depth)
		object.Members = append(object.Members, added)
	}
	return nil
}

// room makes room behind the last value of an object or a list, nil if that is empty: it
// returns what stands before the new one, a line of its own, and what behind it.
func (m merger) room(last *hujson.Value, closing *hujson.Extra, depth int) (before, behind hujson.Extra) {
	kept := bytes.TrimRight(*closing, " \t\r\n") // a comment
	if last == nil || len(kept) > 0 {
		*closing = hujson.Extra("\n" + strings.Repeat(m.unit, depth))
	}
	if last != nil { // a comma at the end stays one
		behind, last.AfterExtra = last.AfterExtra, nil
	}
	return append(slices.Clip(kept), "\n"+strings.Repeat(m.unit, depth+1)...), behind
}

// value is a value as it stands at a depth.
func (m merger) value(v any, depth int) hujson.Value {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent(strings.Repeat(m.unit, depth), m.unit)
	_ = enc.Encode(v) // a preset's values can be encoded; a test does it
	out, _ := hujson.Parse(bytes.TrimSpace(b.Bytes()))
	return out
}

// same reports whether a text is a value.
func same(text []byte, want any) bool {
	var have, wanted any
	plain, err := hujson.Standardize(slices.Clone(text))
	encoded, wrong := json.Marshal(want)
	return err == nil && wrong == nil && json.Unmarshal(plain, &have) == nil && json.Unmarshal(encoded, &wanted) == nil && reflect.DeepEqual(have, wanted)
}

// withoutOurs takes out of a text what calls git-tdd in lists, and whatever is empty then.
func withoutOurs(text []byte) ([]byte, error) {
	v, err := hujson.Parse(slices.Clone(text))
	if err != nil {
		return nil, err //nolint:wrapcheck // it says where
	}
	if _, empty := cutOurs(&v); empty {
		v.Value = &hujson.Object{}
	}
	return v.Pack(), nil
}

// cutOurs takes the elements out of a value that call git-tdd, and what is empty then; of an
// element of a list that is an object, all of it with the first member that is. It reports
// whether a part of the value itself went, and whether nothing is left of it.
func cutOurs(v *hujson.Value) (lost, empty bool) {
	switch in := v.Value.(type) {
	case *hujson.Object:
		was := len(in.Members)
		in.Members = cut(in.Members, &in.AfterExtra, func(m *hujson.ObjectMember) (*hujson.Extra, *hujson.Value) { return &m.Name.BeforeExtra, &m.Value },
			func(value *hujson.Value) bool { _, empty := cutOurs(value); return empty })
		return len(in.Members) < was, len(in.Members) == 0 && was > 0
	case *hujson.Array:
		was := len(in.Elements)
		in.Elements = cut(in.Elements, &in.AfterExtra, func(e *hujson.Value) (*hujson.Extra, *hujson.Value) { return &e.BeforeExtra, e },
			func(value *hujson.Value) bool {
				lost, empty := cutOurs(value)
				return empty || lost && value.Value.Kind() == '{' || calls(*value)
			})
		return len(in.Elements) < was, len(in.Elements) == 0 && was > 0
	}
	return false, false
}

// cut takes the parts out of an object or a list that go, with what stands before each, but
// for comments. A comma at the end stays one.
func cut[T any](parts []T, closing *hujson.Extra, of func(*T) (before *hujson.Extra, value *hujson.Value), goes func(*hujson.Value) bool) []T {
	for i := len(parts) - 1; i >= 0; i-- {
		before, value := of(&parts[i])
		if !goes(value) {
			continue
		}
		gone, comma := *before, value.AfterExtra
		parts = slices.Delete(parts, i, i+1)
		next := closing
		if i < len(parts) {
			next, _ = of(&parts[i])
		} else if i > 0 {
			_, last := of(&parts[i-1])
			last.AfterExtra = comma
		}
		*next = append(bytes.TrimRight(gone, " \t\r\n"), *next...)
		if i == 0 && len(parts) > 0 {
			*next = gone
		}
	}
	return parts
}

// calls reports whether a member of an object is a string that calls git-tdd.
func calls(v hujson.Value) bool {
	object, ok := v.Value.(*hujson.Object)
	return ok && slices.ContainsFunc(object.Members, func(m hujson.ObjectMember) bool {
		text, ok := m.Value.Value.(hujson.Literal)
		return ok && bytes.Contains(text, []byte(presets.Mark))
	})
}
