package llm

import (
	"os"
	"path/filepath"
	"testing"
)

// An answer that is still being written in place changes between two looks.
func TestAnswerIsWholeOnceItStaysAsItIs(t *testing.T) {
	t.Parallel()
	place := &answerFile{path: filepath.Join(t.TempDir(), "001.response.md")}
	for _, written := range []string{"", "half", "half and half"} {
		if err := os.WriteFile(place.path, []byte(written), 0o600); err != nil {
			t.Fatal(err)
		}
		for range looksAlike - 1 {
			if text, whole, err := place.look(); whole || err != nil {
				t.Fatalf("%q is taken as whole at once: %q, %v", written, text, err)
			}
		}
	}
	if text, whole, err := place.look(); text != "half and half" || !whole || err != nil {
		t.Errorf("got %q, %t, %v", text, whole, err)
	}
}
