package agents

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
)

// What is read of an object at most: its depth (a plan needs four levels), the keys
// of each level, the problems.
const (
	maxDepth    = 16
	maxSeen     = 64
	maxProblems = 20
)

// keysOf lists the keys allowed at a place of a plan; nil where no object belongs.
func keysOf(place string) []string {
	return map[string][]string{
		"":                      {"plan", "need", "edits", "commit", "notes", "dispute", "done", "criterion", "covered"},
		"edits[]":               {"path", "action", "old", "content"},
		"commit":                {"type", "scope", "summary", "rationale", "diff_summary"},
		"commit.diff_summary[]": {"path", "intent"},
	}[place]
}

// walker reads a JSON object token by token.
type walker struct {
	dec      *json.Decoder
	at       string // the place that is being read, such as "edits[1].content"
	first    []string
	problems []Problem
	lost     int // characters that are U+FFFD once decoded
}

// inspect finds what encoding/json would accept (duplicate and unknown keys, deep
// nesting, half surrogates) and says where a broken object breaks. It returns the
// first level's keys as far as it got.
func inspect(object string) (keys []string, bad *PlanError) {
	w := &walker{dec: json.NewDecoder(strings.NewReader(object))}
	w.dec.UseNumber()
	if err := w.value("", 0); err != nil {
		return w.first, w.broken(object, err)
	}
	if w.lost > strings.Count(object, "\uFFFD")+strings.Count(strings.ToLower(object), `\ufffd`) {
		w.problem("", "write the character itself or both halves of the pair", `a \u escape that is half a surrogate pair`)
	}
	if isPlan(w.first) && len(w.problems) > 0 {
		return w.first, &PlanError{Problems: w.problems}
	}
	return w.first, nil
}

// isPlan reports whether an object with these keys is meant as an edit plan.
func isPlan(keys []string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return key == "edits" || key == "done" || key == "need" })
}

func (w *walker) value(at string, depth int) error {
	w.at = at
	token, err := w.dec.Token()
	delim, open := token.(json.Delim)
	if err != nil || !open {
		w.lost += strings.Count(fmt.Sprint(token), "\uFFFD")
		return err
	}
	if depth == maxDepth {
		return refuse(at, remedyOne, "brackets nested more than %d deep", maxDepth)
	}
	var seen []string
	for i := 0; w.dec.More(); i++ {
		inner := fmt.Sprintf("%s[%d]", at, i)
		if delim == '{' {
			key, err := w.key(at, seen)
			if err != nil {
				return err
			}
			seen = append(seen, key)[:min(len(seen)+1, maxSeen)]
			inner = strings.TrimPrefix(at+"."+key, ".")
		}
		if depth == 0 {
			w.first = seen
		}
		if err := w.value(inner, depth+1); err != nil {
			return err
		}
		w.at = at
	}
	_, err = w.dec.Token()
	return err
}

func (w *walker) key(at string, seen []string) (string, error) {
	token, err := w.dec.Token()
	key, _ := token.(string)
	known := keysOf(strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, at))
	switch {
	case err != nil:
	case slices.Contains(seen, key):
		w.problem(at, "give each key once", "the key %q twice", oneLine(key, 40))
	case known != nil && !slices.Contains(known, key):
		w.problem(at, "use only "+strings.Join(known, ", "), "the unknown key %q", oneLine(key, 40))
	}
	w.lost += strings.Count(key, "\uFFFD")
	return key, err
}

func (w *walker) problem(path, remedy, format string, args ...any) {
	if len(w.problems) < maxProblems {
		w.problems = append(w.problems, refuse(path, remedy, format, args...).Problems...)
	}
}

func (w *walker) broken(object string, err error) *PlanError {
	if plan, ok := errors.AsType[*PlanError](err); ok {
		return plan
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		at := w.at
		if at == "" {
			at = "its JSON"
		}
		p := refuse("", "answer again, whole; propose a smaller step if the answer grows too long", "the answer ends in the middle of %s", oneLine(at, maxItem))
		p.cut = true
		return p
	}
	var all json.RawMessage
	var syntax *json.SyntaxError
	if !errors.As(json.Unmarshal([]byte(object), &all), &syntax) {
		return refuse(w.at, remedyOne, "broken JSON: %v", err)
	}
	offset := int(syntax.Offset)
	around := object[max(0, offset-30):min(len(object), offset+10)]
	return refuse(w.at, syntaxRemedy(object, offset), "broken JSON near %q: %v", oneLine(around, 60), syntax)
}

// syntaxRemedy guesses from the byte before index at what the model has to do.
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

func typeProblem(err *json.UnmarshalTypeError) *PlanError {
	want := map[string]string{"string": "a string", "bool": "true or false", "int": "an integer", "slice": "a list"}
	wanted, ok := want[err.Type.Kind().String()]
	if !ok {
		wanted = "an object"
	}
	return refuse(err.Field, fmt.Sprintf("give %s here", wanted), "a JSON %s", err.Value)
}
