package agents

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// maxTries limits how many broken objects are skipped: each search reads all the text after it.
const maxTries = 50

const remedyOne = `answer with exactly one JSON object of the form {"plan":…,"need":null,"edits":[…],"commit":{…},"notes":"…","dispute":null,"done":false,"criterion":null,"covered":null} and nothing else`

// readable checks that the answer is text and removes a leading block of reasoning.
func readable(answer string) (string, error) {
	switch {
	case len(answer) > maxAnswerBytes:
		return "", refuse("", "propose a smaller step", "an answer of %d bytes, more than the limit of %d", len(answer), maxAnswerBytes)
	case !utf8.ValidString(answer):
		return "", refuse("", "answer in UTF-8", "bytes that are not UTF-8")
	}
	text, err := afterReasoning(strings.TrimSpace(strings.TrimPrefix(answer, "\uFEFF")))
	if err == nil && text == "" {
		return "", refuse("", remedyOne, "an empty answer")
	}
	return text, err
}

// afterReasoning removes a leading block of reasoning. A closing tag on a line
// of its own cannot occur inside a JSON string, so the last one counts, whether
// or not there is an opening tag: some servers swallow that.
func afterReasoning(text string) (string, error) {
	for _, tag := range []string{"think", "thinking", "reasoning"} {
		opening, closing := "<"+tag+">", "</"+tag+">"
		if at := strings.LastIndex(text, "\n"+closing); at >= 0 {
			return strings.TrimSpace(text[at+1+len(closing):]), nil
		}
		inner, opened := strings.CutPrefix(text, opening)
		if !opened {
			continue
		}
		_, after, closed := strings.Cut(inner, closing)
		if !closed {
			return "", refuse("", "think less and "+remedyOne, "the answer ends in the middle of its %s block", opening)
		}
		return strings.TrimSpace(after), nil
	}
	return text, nil
}

// wanted is the one object that an answer must hold.
type wanted struct {
	keys   []string // it has one of them
	begins []string // its first key, even if it is damaged
	remedy string
}

// find returns that object, without trailing commas. A damaged one is skipped only if it
// does not begin as it should, so that one quoted in a file's content never replaces the
// real one.
func (w wanted) find(answer string) (string, error) {
	text, err := readable(answer)
	if err != nil {
		return "", err
	}
	var found []string
	var cut error
	rest := text
	for tries := 0; tries < maxTries; {
		at := objectPattern().FindStringIndex(rest)
		if at == nil {
			return w.only(found, text, cut)
		}
		object, end := balance(rest[at[0]:])
		var keys map[string]json.RawMessage
		err := json.NewDecoder(strings.NewReader(object)).Decode(&keys)
		switch {
		case err != nil && slices.Contains(w.begins, firstKey(object)):
			return "", w.broken(object, err)
		case err != nil:
			if errors.Is(err, io.ErrUnexpectedEOF) {
				cut = w.broken(object, err)
			}
			end = 1
			tries++
		case slices.ContainsFunc(w.keys, func(key string) bool { return keys[key] != nil }):
			found = append(found, object)
		}
		rest = rest[at[0]+end:]
	}
	return "", refuse("", w.remedy, "%d pieces of broken JSON", maxTries)
}

// firstKey is the first key of an object, as far as it can be read.
func firstKey(object string) string {
	_, key, _ := strings.Cut(object, `"`)
	key, _, _ = strings.Cut(key, `"`)
	return key
}

func (w wanted) only(found []string, text string, cut error) (string, error) {
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return "", refuse("", w.remedy, "%d JSON objects with %q", len(found), w.keys[0])
	case cut != nil:
		return "", cut
	}
	return "", refuse("", w.remedy, "no JSON object with %q; the answer begins %q", w.keys[0], oneLine(text, 60))
}

// broken says where an object breaks.
func (w wanted) broken(object string, err error) *PlanError {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return refuse("", "answer again, whole; propose a smaller step if the answer grows too long", "the answer ends in the middle of its JSON")
	}
	syntax, ok := errors.AsType[*json.SyntaxError](err)
	if !ok {
		return refuse("", w.remedy, "broken JSON: %v", err)
	}
	offset := int(syntax.Offset)
	around := object[max(0, offset-30):min(len(object), offset+10)]
	return refuse("", syntaxRemedy(object, offset), "broken JSON near %q: %v", oneLine(around, 60), syntax)
}

// objectPattern finds a brace before a key or a closing brace.
var objectPattern = lazyregexp.New(`\{[ \t\r\n]*(?:["}]|$)`)

// balance copies the object at the start of text, without trailing commas, and
// returns how many bytes it took. It knows only strings and brackets, so the
// result need not be valid JSON; if the object does not end, the result is all
// of text.
func balance(text string) (object string, end int) {
	var out strings.Builder
	depth, inString := 0, false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case inString && c == '\\' && i+1 < len(text):
			out.WriteByte(c)
			i++
			c = text[i]
		case c == '"':
			inString = !inString
		case inString:
		case c == ',' && closes(text[i+1:]):
			continue
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
		out.WriteByte(c)
		if depth == 0 {
			return out.String(), i + 1
		}
	}
	return out.String(), len(text)
}

func closes(text string) bool {
	text = strings.TrimLeft(text, " \t\r\n")
	return text != "" && (text[0] == '}' || text[0] == ']')
}

// syntaxRemedy guesses from the byte before index at what the model has to do.
func syntaxRemedy(object string, at int) string {
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
	wanted := cmp.Or(want[err.Type.Kind().String()], "an object")
	return refuse(err.Field, fmt.Sprintf("give %s here", wanted), "a JSON %s", err.Value)
}
