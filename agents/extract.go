package agents

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// maxTries limits how many broken objects are skipped: each search reads all the text after it.
const maxTries = 50

const remedyOne = `answer with exactly one JSON object of the form {"plan":…,"need":null,"edits":[…],"commit":{…},"notes":"…","dispute":null,"done":false,"criterion":null,"covered":null} and nothing else`

// readable checks that the answer is text and removes a leading block of reasoning.
func readable(answer string, limits Limits) (string, error) {
	switch {
	case len(answer) > limits.AnswerBytes:
		return "", refuse("", "propose a smaller step", "an answer of %d bytes, more than the limit of %d", len(answer), limits.AnswerBytes)
	case !utf8.ValidString(answer):
		return "", refuse("", "answer in UTF-8", "bytes that are not UTF-8")
	}
	text := strings.TrimSpace(strings.TrimPrefix(answer, "\uFEFF"))
	text, err := afterReasoning(text)
	if err != nil {
		return "", err
	}
	if text == "" {
		return "", refuse("", remedyOne, "an empty answer")
	}
	return text, nil
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

// findPlan returns the one JSON object in the text that is an edit plan, without
// trailing commas. A damaged object is skipped only if it does not begin as a plan
// does, so that a plan quoted in a file's content never replaces the real one.
func findPlan(text string) (string, error) {
	var plans []string
	var cut *PlanError
	rest := text
	for tries := 0; tries < maxTries; {
		at := objectStart(rest)
		if at < 0 {
			return onlyOne(plans, text, cut)
		}
		object, end := balance(rest[at:])
		keys, bad := inspect(object)
		switch {
		case bad != nil && len(keys) > 0 && slices.Contains(keysOf(""), keys[0]):
			return "", bad
		case bad != nil:
			if bad.cut {
				cut = bad
			}
			end = 1
			tries++
		case isPlan(keys):
			plans = append(plans, object)
		}
		rest = rest[at+end:]
	}
	return "", refuse("", remedyOne, "%d pieces of broken JSON", maxTries)
}

func onlyOne(plans []string, text string, cut *PlanError) (string, error) {
	switch {
	case len(plans) == 1:
		return plans[0], nil
	case len(plans) > 1:
		return "", refuse("", remedyOne, "%d edit plans in one answer", len(plans))
	case cut != nil:
		return "", cut
	}
	return "", refuse("", remedyOne, "no JSON object with \"edits\"; the answer begins %q", oneLine(text, 60))
}

// objectStart is the index of the next brace before a key or a closing brace; -1 if there is none.
func objectStart(text string) int {
	for at := 0; ; at++ {
		next := strings.IndexByte(text[at:], '{')
		if next < 0 {
			return -1
		}
		at += next
		after := strings.TrimLeft(text[at+1:], " \t\r\n")
		if after == "" || after[0] == '"' || after[0] == '}' {
			return at
		}
	}
}

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
