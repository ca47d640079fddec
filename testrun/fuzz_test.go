package testrun

import (
	"bytes"
	"encoding/json"
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
		w := &lineWriter{line: func(line []byte) { got = append(got, string(line)) }}
		for chunk := range slices.Chunk(text, 1+int(size)) {
			if n, err := w.Write(chunk); n != len(chunk) || err != nil {
				t.Fatal(n, err)
			}
		}
		w.close()
		var want []string
		for line := range bytes.Lines(text) {
			want = append(want, strings.TrimSuffix(string(line), "\n"))
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%q, want %q", got, want)
		}
	})
}

// FuzzRustPanic reads what a failed test of Rust printed.
func FuzzRustPanic(f *testing.F) {
	f.Add("thread 'a' (7) panicked at src/lib.rs:3:5:\nassertion failed: x\nnote: run with `RUST_BACKTRACE=1`", "a")
	f.Add("\nthread 'main' panicked at src/lib.rs:3:5:\nnot yet implemented", "tests::a")
	f.Fuzz(func(t *testing.T, output, name string) {
		asked := 0
		if rustFailure(output, name, func(string, int) place { asked++; return placeTest }) == "" {
			t.Fatal("a failure without a class")
		}
		if asked > 1 {
			t.Fatalf("asked %d times for a place", asked)
		}
	})
}

// FuzzManifest finds the runner that a package.json names.
func FuzzManifest(f *testing.F) {
	f.Add([]byte(`{"scripts": {"test": "tsc && vitest run"}}`), "npm test")
	f.Add([]byte(`{"scripts": {"test": "node --test"}}`), "npm run test -- x")
	f.Fuzz(func(t *testing.T, manifest []byte, command string) {
		var m npmManifest
		if json.Unmarshal(manifest, &m) != nil {
			m = npmManifest{}
		}
		argv := strings.Fields(command)
		if len(argv) == 0 {
			return
		}
		runner, _ := runnerOf(argv, m.script())
		if got := scriptArgs(argv, runner, "/reporters"); len(got) < len(argv) || !slices.Equal(got[:len(argv)], argv) {
			t.Fatalf("%q became %q", argv, got)
		}
	})
}
