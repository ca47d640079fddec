package javascript

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// FuzzManifest finds the runner that a package.json names.
func FuzzManifest(f *testing.F) {
	f.Add([]byte(`{"scripts": {"test": "tsc && vitest run"}}`), "npm test")
	f.Add([]byte(`{"scripts": {"test": "node --test"}}`), "npm run test -- x")
	f.Fuzz(func(t *testing.T, text []byte, command string) {
		var m manifest
		if json.Unmarshal(text, &m) != nil {
			m = manifest{}
		}
		argv := strings.Fields(command)
		if len(argv) == 0 {
			return
		}
		runner, _ := runnerOf(argv, m.script())
		if got := reporterArgs(argv, runner, "/reporters"); len(got) < len(argv) || !slices.Equal(got[:len(argv)], argv) {
			t.Fatalf("%q became %q", argv, got)
		}
	})
}
