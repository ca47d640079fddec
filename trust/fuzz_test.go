package trust

import (
	"bytes"
	"reflect"
	"testing"
)

// build makes a subject from fuzz input, so that the fuzzer can move words
// across every boundary: 0 starts the next word, 1 the next command, 2 the next
// field.
func build(data []byte) Subject {
	var s Subject
	fields := bytes.SplitN(data, []byte{2}, 4)
	s.Repository = string(fields[0])
	if len(fields) > 1 {
		for command := range bytes.SplitSeq(fields[1], []byte{1}) {
			s.Commands = append(s.Commands, words(command))
		}
	}
	if len(fields) > 2 {
		s.Endpoints = words(fields[2])
	}
	if len(fields) > 3 {
		s.KeyEnv = words(fields[3])
	}
	return s
}

func words(data []byte) []string {
	var out []string
	for word := range bytes.SplitSeq(data, []byte{0}) {
		out = append(out, string(word))
	}
	return out
}

func FuzzRecordIsUnambiguous(f *testing.F) {
	f.Add([]byte("/r\x02fmt\x00cargo\x01test\x02http://a\x02KEY"), []byte("/r\x02fmt\x00cargo\x00test\x02http://a\x02KEY"))
	f.Add([]byte("/r\x02a\x00b"), []byte("/r\x02a\x01b"))
	f.Add([]byte("/r\x02\x02a"), []byte("/r\x02\x02\x02a"))
	f.Add([]byte("/r\x02a\x00"), []byte("/r\x02a"))
	f.Fuzz(func(t *testing.T, left, right []byte) {
		a, b := build(left), build(right)
		if same := reflect.DeepEqual(a, b); same != bytes.Equal(encode(a), encode(b)) {
			t.Errorf("same subject: %v, same record: %v\n%+v\n%+v", same, !same, a, b)
		}
	})
}
