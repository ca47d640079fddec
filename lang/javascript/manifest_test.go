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
		if got := args(argv, runner, "/reporters"); len(got) < len(argv) || !slices.Equal(got[:len(argv)], argv) {
			t.Fatalf("%q became %q", argv, got)
		}
	})
}
