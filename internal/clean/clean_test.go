package clean_test

import (
	"encoding/json"
	"testing"

	"github.com/git-tdd/git-tdd/internal/clean"
)

// TestTextIsJSON: JSON that was cleaned says the same.
func TestTextIsJSON(t *testing.T) {
	t.Parallel()
	const text = "a\u202eb\U000E0041c\u2028"
	var got string
	if err := json.Unmarshal([]byte(clean.Text(`"`+text+`"`)), &got); err != nil || got != text {
		t.Errorf("%q %v", got, err)
	}
}

func TestTextKeepsWhatIsHarmless(t *testing.T) {
	t.Parallel()
	const text = "a\tb\n é 漢字 👍 שלום"
	if got := clean.Text(text); got != text {
		t.Errorf("%q", got)
	}
}
