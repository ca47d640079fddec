package testrun

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// flatValue is a value of a flat object: a text, or the word that stands for
// anything else.
type flatValue struct {
	text   []byte
	word   []byte
	isText bool
}

// into sets a text; null leaves it as it is.
func (v flatValue) into(to *string) bool {
	if v.isText {
		*to = string(v.text)
	}
	return v.isText || string(v.word) == "null"
}

// intoInt sets a whole number; null leaves it as it is.
func (v flatValue) intoInt(to *int) bool {
	if v.isText || string(v.word) == "null" {
		return !v.isText
	}
	n, err := strconv.Atoi(string(v.word))
	*to = n
	return err == nil
}

// flatObject hands the fields of a JSON object of texts, numbers, booleans and
// nulls to take. It is not ok where the line is anything else, or take refuses a
// field: then encoding/json, which is several times slower, has the word. Events
// of test runners come by the ten thousand, and nearly all of them are flat.
func flatObject(line []byte, take func(key []byte, v flatValue) bool) bool {
	s := flatScanner{rest: line}
	if !s.skip('{') {
		return false
	}
	if s.skip('}') {
		return s.blank()
	}
	for {
		key, ok := s.text()
		if !ok || !s.skip(':') {
			return false
		}
		value, ok := s.value()
		if !ok || !take(key, value) {
			return false
		}
		if !s.skip(',') {
			return s.skip('}') && s.blank()
		}
	}
}

// flatScanner is what is left of a line.
type flatScanner struct{ rest []byte }

// blank reports whether nothing is left.
func (s *flatScanner) blank() bool {
	for len(s.rest) > 0 && (s.rest[0] == ' ' || s.rest[0] == '\t' || s.rest[0] == '\r' || s.rest[0] == '\n') {
		s.rest = s.rest[1:]
	}
	return len(s.rest) == 0
}

// skip takes a character, if it is the next.
func (s *flatScanner) skip(c byte) bool {
	if s.blank() || s.rest[0] != c {
		return false
	}
	s.rest = s.rest[1:]
	return true
}

// text takes a string.
func (s *flatScanner) text() (text []byte, ok bool) {
	if s.blank() || s.rest[0] != '"' {
		return nil, false
	}
	escaped := false
	for i := 1; i < len(s.rest); i++ {
		switch c := s.rest[i]; {
		case c == '\\':
			escaped = true
			i++
		case c < ' ':
			return nil, false
		case c == '"':
			whole := s.rest[:i+1]
			s.rest = s.rest[i+1:]
			if escaped {
				return unescape(whole)
			}
			return whole[1:i], utf8.Valid(whole)
		}
	}
	return nil, false
}

// unescape is what a string of JSON says, quotes included in whole.
func unescape(whole []byte) (text []byte, ok bool) {
	plain := bytes.IndexByte(whole, 'u') < 0 || !bytes.Contains(whole, []byte(`\u`))
	if !plain || !utf8.Valid(whole) {
		var out string
		ok = json.Unmarshal(whole, &out) == nil
		return []byte(out), ok
	}
	const letters, meanings = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	out := make([]byte, 0, len(whole))
	for i := 1; i < len(whole)-1; i++ {
		c := whole[i]
		if c == '\\' {
			i++
			at := bytes.IndexByte([]byte(letters), whole[i])
			if at < 0 {
				return nil, false
			}
			c = meanings[at]
		}
		out = append(out, c)
	}
	return out, true
}

// value takes a value that is no object and no list.
func (s *flatScanner) value() (v flatValue, ok bool) {
	if !s.blank() && s.rest[0] == '"' {
		v.isText = true
		v.text, ok = s.text()
		return v, ok
	}
	end := bytes.IndexAny(s.rest, ",} \t\r\n")
	if end <= 0 || s.rest[0] == '{' || s.rest[0] == '[' {
		return v, false
	}
	v.word, s.rest = s.rest[:end], s.rest[end:]
	return v, json.Valid(v.word)
}
