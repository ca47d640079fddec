package agenthook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/agents/presets"
	"github.com/git-tdd/git-tdd/syntax"
)

// value is one value of a JSON text, and where it is. Settings belong to others, so they are
// edited as text: what is not ours keeps its order, layout and every byte.
type value struct {
	start, end int
	open       json.Delim // { or [; 0 for anything else
	members    []member
}

// member is a member of an object, or an element of an array.
type member struct {
	key   string // empty in an array
	start int    // of the key, or of the element
	value value
}

// parseJSON finds the values of a text, which must be one JSON value.
func parseJSON(text []byte) (value, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	r := reader{text: text, dec: dec}
	v, err := r.value()
	if err == nil && len(bytes.TrimSpace(text[v.end:])) > 0 {
		err = errors.New("there is more than one value")
	}
	return v, err
}

type reader struct {
	text []byte
	dec  *json.Decoder
}

// token returns the next token and where it starts.
func (r reader) token() (tok json.Token, start int, err error) {
	from := int(r.dec.InputOffset())
	if tok, err = r.dec.Token(); err != nil {
		return nil, 0, fmt.Errorf("at byte %d: %w", from, err)
	}
	for strings.IndexByte(" \t\r\n,:", r.text[from]) >= 0 {
		from++
	}
	return tok, from, nil
}

func (r reader) value() (v value, err error) {
	tok, start, err := r.token()
	if err != nil {
		return v, err
	}
	v.start = start
	if open, ok := tok.(json.Delim); ok {
		v.open = open
		for r.dec.More() {
			m, err := r.member(open)
			if err != nil {
				return v, err
			}
			v.members = append(v.members, m)
		}
		if _, _, err := r.token(); err != nil {
			return v, err
		}
	}
	v.end = int(r.dec.InputOffset())
	return v, nil
}

func (r reader) member(of json.Delim) (m member, err error) {
	if of == '{' {
		tok, start, err := r.token()
		if err != nil {
			return m, err
		}
		m.key, m.start = fmt.Sprint(tok), start
	}
	if m.value, err = r.value(); err == nil && of == '[' {
		m.start = m.value.start
	}
	return m, err
}

// find is the member of an object with this key.
func (v value) find(key string) (value, bool) {
	for _, m := range v.members {
		if v.open == '{' && m.key == key {
			return m.value, true
		}
	}
	return value{}, false
}

// mergeJSON adds to a text what it lacks of the wanted members: lists grow by
// elements that are not there, and other values are set where there is none.
func mergeJSON(text []byte, want map[string]any) ([]byte, error) {
	v, err := parseJSON(text)
	if err != nil {
		return nil, err
	}
	w := writer{text: text, unit: indentOf(text)}
	if err := w.merge(v, want, 0); err != nil {
		return nil, err
	}
	return []byte(syntax.Apply(string(text), w.edits)), nil
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

type writer struct {
	text  []byte
	unit  string
	edits []syntax.Edit
}

func (w *writer) merge(v value, want any, depth int) error {
	switch want := want.(type) {
	case map[string]any:
		if v.open != '{' {
			return fmt.Errorf("%s should be an object", w.text[v.start:v.end])
		}
		return w.mergeObject(v, want, depth)
	case []any:
		if v.open != '[' {
			return fmt.Errorf("%s should be a list", w.text[v.start:v.end])
		}
		var lacks []string
		for _, e := range want {
			if !slices.ContainsFunc(v.members, func(m member) bool { return same(w.text[m.value.start:m.value.end], e) }) {
				lacks = append(lacks, w.render(e, depth+1))
			}
		}
		w.insert(v, lacks, depth)
	}
	return nil // there is a value, and it is not ours to change
}

func (w *writer) mergeObject(v value, want map[string]any, depth int) error {
	var lacks []string
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if have, ok := v.find(key); ok {
			if err := w.merge(have, want[key], depth+1); err != nil {
				return err
			}
			continue
		}
		lacks = append(lacks, fmt.Sprintf("%q: %s", key, w.render(want[key], depth+1)))
	}
	w.insert(v, lacks, depth)
	return nil
}

// insert adds members at the end of an object or a list.
func (w *writer) insert(v value, items []string, depth int) {
	if len(items) == 0 {
		return
	}
	line := "\n" + strings.Repeat(w.unit, depth+1)
	text := line + strings.Join(items, ","+line)
	if n := len(v.members); n > 0 {
		end := v.members[n-1].value.end
		w.edits = append(w.edits, syntax.Edit{Span: syntax.Span{Start: end, End: end}, Text: "," + text})
		return
	}
	w.edits = append(w.edits, syntax.Edit{Span: syntax.Span{Start: v.start + 1, End: v.end - 1}, Text: text + "\n" + strings.Repeat(w.unit, depth)})
}

// render is a value as it stands at a depth.
func (w *writer) render(v any, depth int) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent(strings.Repeat(w.unit, depth), w.unit)
	_ = enc.Encode(v) // a preset's values can be encoded; a test does it
	return strings.TrimSpace(b.String())
}

// same reports whether a text is a value.
func same(text []byte, want any) bool {
	var have, wanted any
	encoded, err := json.Marshal(want)
	return err == nil && json.Unmarshal(text, &have) == nil && json.Unmarshal(encoded, &wanted) == nil && reflect.DeepEqual(have, wanted)
}

// withoutOurs takes out of a text what calls git-tdd in lists, and whatever is empty then.
func withoutOurs(text []byte) ([]byte, error) {
	for {
		v, err := parseJSON(text)
		if err != nil {
			return nil, err
		}
		cut, found, _ := cutOurs(text, v, false)
		if !found {
			return text, nil
		}
		text = slices.Concat(text[:cut.Start], text[cut.End:])
	}
}

// cutOurs is the part of a text with the first such element. hollow says that nothing of v is
// worth keeping; of an element of a list, that a list in it is empty.
func cutOurs(text []byte, v value, element bool) (part syntax.Span, found, hollow bool) {
	for i, m := range v.members {
		if v.open == '[' && calls(text, m.value) {
			return v.without(i), true, len(v.members) == 1
		}
		inner, ok, gone := cutOurs(text, m.value, v.open == '[')
		switch {
		case ok && !gone:
			return inner, true, false
		case ok:
			return v.without(i), true, element || len(v.members) == 1
		}
	}
	return syntax.Span{}, false, false
}

// calls reports whether a member of an object is a string that calls git-tdd.
func calls(text []byte, v value) bool {
	return slices.ContainsFunc(v.members, func(m member) bool {
		return m.value.open == 0 && bytes.Contains(text[m.value.start:m.value.end], []byte(presets.Mark))
	})
}

// without is what goes with one member, with its comma.
func (v value) without(i int) syntax.Span {
	switch {
	case i > 0:
		return syntax.Span{Start: v.members[i-1].value.end, End: v.members[i].value.end}
	case len(v.members) > 1:
		return syntax.Span{Start: v.members[0].start, End: v.members[1].start}
	}
	return syntax.Span{Start: v.start + 1, End: v.end - 1}
}
