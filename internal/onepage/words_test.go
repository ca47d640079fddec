package onepage

import (
	"testing"
	"time"
)

func TestWords(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		0: "", -time.Second: "", 812 * time.Millisecond: "812 ms", 1234 * time.Millisecond: "1.2 s", 42 * time.Second: "42 s",
		125 * time.Second: "2 min 5 s", 25*time.Hour + time.Minute: "25 h 1 min", 80 * time.Hour: "3 days",
	} {
		if got := Lasted(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
	if got := Thousands(1234567); got != "1\u202f234\u202f567" {
		t.Errorf("%q", got)
	}
	if got := Short("a  b\nc\u202e", 3); got != "a b…" {
		t.Errorf("%q", got)
	}
}
