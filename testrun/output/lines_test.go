package output

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// FuzzLines cuts output into lines, however it comes in.
func FuzzLines(f *testing.F) {
	f.Add([]byte("a\nb\r\n\nc"), uint16(2))
	f.Add([]byte("\n\n"), uint16(1))
	f.Fuzz(func(t *testing.T, text []byte, size uint16) {
		var got []string
		w := &LineWriter{Line: func(line []byte) { got = append(got, string(line)) }}
		for chunk := range slices.Chunk(text, 1+int(size)) {
			if n, err := w.Write(chunk); n != len(chunk) || err != nil {
				t.Fatal(n, err)
			}
		}
		w.Close()
		var want []string
		for line := range bytes.Lines(text) {
			want = append(want, strings.TrimSuffix(string(line), "\n"))
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%q, want %q", got, want)
		}
	})
}
