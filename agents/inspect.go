package agents

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
)

// maxDepth bounds how deep an answer may nest; a plan needs four levels.
const maxDepth = 16

// maxKey and maxSeen limit what is remembered of an object's keys.
const (
	maxKey  = 64
	maxSeen = 64
)

// errCut is wrapped by the error about an answer that stops too early.
var errCut = errors.New("the answer was cut off")

// cutError is a PlanError about an answer that stops too early.
type cutError struct{ *PlanError }

func (cutError) Is(target error) bool { return target == errCut }
func (e cutError) Unwrap() error      { return e.PlanError }

// seenKeys are the keys of an object's first level, in their order.
type seenKeys []string

// isPlan reports whether the object is meant as an edit plan.
func (k seenKeys) isPlan() bool { return slices.Contains(k, "edits") || slices.Contains(k, "done") }

// begunAsPlan reports whether an object begins as an edit plan does.
func (k seenKeys) begunAsPlan() bool {
	return len(k) > 0 && slices.Contains(keysOf(""), k[0])
}

// keysOf lists the keys allowed in the object at that place of a plan; nil if
// no object belongs there.
func keysOf(place string) []string {
	switch place {
	case "":
		return []string{"plan", "edits", "commit", "notes", "dispute", "done", "criterion", "covered"}
	case "edits[]":
		return []string{"path", "action", "old", "content"}
	case "commit":
		return []string{"type", "scope", "summary", "rationale", "diff_summary"}
	case "commit.diff_summary[]":
		return []string{"path", "intent"}
	}
	return nil
}

// frame is one open object or array.
type frame struct {
	array bool
	index int // of the array's current element
	key   string
	keyed bool // a key was read and its value comes next
	seen  []string
}

// walker goes through a JSON object token by token.
type walker struct {
	stack    []frame
	problems []Problem
	first    seenKeys
}

// inspect finds what encoding/json would accept (duplicate and unknown keys,
// deep nesting, half surrogates) and says where a broken object breaks. It
// returns the first level's keys as far as it got.
func inspect(object string) (seenKeys, error) {
	w := &walker{}
	dec := json.NewDecoder(strings.NewReader(object))
	dec.UseNumber()
	for {
		token, err := dec.Token()
		if err != nil {
			return w.first, w.broken(object, err)
		}
		if err := w.take(token); err != nil {
			return w.first, err
		}
		if len(w.stack) == 0 {
			break
		}
	}
	if hasHalfSurrogate(object) {
		w.problem("", "write the character itself or both halves of the pair", `a \u escape that is half a surrogate pair`)
	}
	if w.first.isPlan() && len(w.problems) > 0 {
		return w.first, &PlanError{Problems: w.problems}
	}
	return w.first, nil
}

// take processes one token.
func (w *walker) take(token json.Token) error {
	if delim, ok := token.(json.Delim); ok {
		if delim == '{' || delim == '[' {
			if len(w.stack) == maxDepth {
				return refuse(w.path(), remedyOne, "brackets nested more than %d deep", maxDepth)
			}
			w.stack = append(w.stack, frame{array: delim == '['})
			return nil
		}
		w.stack = w.stack[:len(w.stack)-1]
		w.valueDone()
		return nil
	}
	if len(w.stack) > 0 && !w.top().array && !w.top().keyed {
		key, _ := token.(string)
		w.key(key)
		return nil
	}
	w.valueDone()
	return nil
}

func (w *walker) top() *frame { return &w.stack[len(w.stack)-1] }

// key processes a key of the innermost object.
func (w *walker) key(key string) {
	top := w.top()
	known := keysOf(place(w.path()))
	switch {
	case slices.Contains(top.seen, key):
		w.problem(w.path(), "give each key once", "the key %q twice", key)
	case known != nil && !slices.Contains(known, key):
		w.problem(w.path(), "use only "+strings.Join(known, ", "), "the unknown key %q", oneLine(key, 40))
	}
	if len(top.seen) < maxSeen {
		top.seen = append(top.seen, key)
	}
	top.key, top.keyed = key[:min(len(key), maxKey)], true
	if len(w.stack) == 1 {
		w.first = top.seen
	}
}

// valueDone processes the end of a value.
func (w *walker) valueDone() {
	if len(w.stack) == 0 {
		return
	}
	w.top().index++
	w.top().keyed = false
}

func (w *walker) problem(path, remedy, format string, args ...any) {
	if len(w.problems) < 20 {
		w.problems = append(w.problems, refuse(path, remedy, format, args...).Problems...)
	}
}

// path names the current place, for instance "edits[1].content".
func (w *walker) path() string {
	var b strings.Builder
	for _, f := range w.stack {
		switch {
		case f.array:
			b.WriteString("[" + strconv.Itoa(f.index) + "]")
		case f.keyed && b.Len() > 0:
			b.WriteString("." + f.key)
		case f.keyed:
			b.WriteString(f.key)
		}
	}
	return b.String()
}

// place is the path with its indices left out: "edits[].content".
func place(path string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, path)
}

// broken explains an object that does not parse.
func (w *walker) broken(object string, err error) error {
	at := w.path()
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		if at == "" {
			at = "its JSON"
		}
		return cutError{refuse("", "answer again, whole; propose a smaller step if the answer grows too long",
			"the answer ends in the middle of %s", oneLine(at, maxItem))}
	}
	var all json.RawMessage
	var syntax *json.SyntaxError
	if !errors.As(json.Unmarshal([]byte(object), &all), &syntax) {
		return refuse(at, remedyOne, "broken JSON: %v", err)
	}
	offset := int(syntax.Offset)
	around := object[max(0, offset-30):min(len(object), offset+10)]
	return refuse(at, syntaxRemedy(object, offset), "broken JSON near %q: %v", oneLine(around, 60), syntax)
}

// syntaxRemedy guesses from the offending byte, the one before index at, what
// the model has to do.
func syntaxRemedy(object string, at int) string {
	if at < 1 || at > len(object) {
		return remedyOne
	}
	switch c := object[at-1]; {
	case c == '\n' || c == '\r' || c == '\t':
		return `inside a string write a line break as \n and a tab as \t`
	case at > 1 && object[at-2] == '\\':
		return `inside a string write a backslash as \\`
	case c == '\'' || c == '`':
		return "put keys and strings between double quotes"
	case c == '/' || c == '#':
		return "JSON has no comments: leave them out"
	}
	return `check commas and quotes; inside a string write " as \" and a backslash as \\`
}

// hasHalfSurrogate reports whether a \u escape names half a surrogate pair:
// encoding/json would silently put U+FFFD in its place.
func hasHalfSurrogate(object string) bool {
	for i := 0; i+1 < len(object); i++ {
		if object[i] != '\\' {
			continue
		}
		i++
		high, ok := escaped(object[i-1:])
		if !ok || !utf16.IsSurrogate(high) {
			continue
		}
		low, _ := escaped(object[min(i+5, len(object)):])
		if utf16.DecodeRune(high, low) == '\uFFFD' {
			return true
		}
		i += 10
	}
	return false
}

// escaped reads the \uXXXX that text begins with.
func escaped(text string) (rune, bool) {
	if len(text) < 6 || text[:2] != `\u` {
		return 0, false
	}
	n, err := strconv.ParseInt(text[2:6], 16, 32)
	return rune(n), err == nil && n >= 0
}

// typeProblem explains a value of the wrong type.
func typeProblem(err *json.UnmarshalTypeError) *PlanError {
	want := map[string]string{"string": "a string", "bool": "true or false", "int": "an integer", "slice": "a list"}
	wanted, ok := want[err.Type.Kind().String()]
	if !ok {
		wanted = "an object"
	}
	return refuse(err.Field, fmt.Sprintf("give %s here", wanted), "a JSON %s", err.Value)
}
