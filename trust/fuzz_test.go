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

func FuzzDigestIsUnambiguous(f *testing.F) {
	f.Add([]byte("/r\x02fmt\x00cargo\x01test\x02http://a\x02KEY"), []byte("/r\x02fmt\x00cargo\x00test\x02http://a\x02KEY"))
	f.Add([]byte("/r\x02a\x00b"), []byte("/r\x02a\x01b"))
	f.Add([]byte("/r\x02\x02a"), []byte("/r\x02\x02\x02a"))
	f.Add([]byte("/r\x02a\x00"), []byte("/r\x02a"))
	f.Fuzz(func(t *testing.T, left, right []byte) {
		a, b := build(left), build(right)
		if same := reflect.DeepEqual(a, b); same != (a.sum() == b.sum()) {
			t.Errorf("same subject: %v, same digest: %v\n%+v\n%+v", same, !same, a, b)
		}
		if same := reflect.DeepEqual(a, b); same != bytes.Equal(encode(a), encode(b)) {
			t.Errorf("same subject: %v, same record: %v\n%+v\n%+v", same, !same, a, b)
		}
	})
}

func FuzzRecordRoundTrip(f *testing.F) {
	f.Add([]byte("/r\x02fmt\x00cargo\x01test\x02http://a\x02KEY"))
	f.Add([]byte("/r \"\n\xff\x1b\x02\x00\x01"))
	f.Fuzz(func(t *testing.T, data []byte) {
		want := build(data)
		got, err := decode(encode(want))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v\ngot  %#v\nwant %#v", err, got, want)
		}
	})
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(header + "\nrepository \"/r\"\ncommand \"test\" \"go\"\n"))
	f.Add([]byte(header + "\nendpoint `raw`\nkey-env 'x'\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := decode(data)
		if err != nil {
			return
		}
		again, err := decode(encode(s))
		if err != nil || again.sum() != s.sum() {
			t.Errorf("%v\n%#v\n%#v", err, s, again)
		}
	})
}
