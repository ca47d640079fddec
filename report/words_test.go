package report

import (
	"testing"
	"time"
)

func TestWords(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		0: "", -time.Second: "", 812 * time.Millisecond: "812ms", 1234 * time.Millisecond: "1.2s", 42 * time.Second: "42s",
		125 * time.Second: "2m5s", 25*time.Hour + time.Minute: "25h1m0s",
	} {
		if got := lasted(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
	if got := thousands(1234567); got != "1\u202f234\u202f567" {
		t.Errorf("%q", got)
	}
	if got := short("a  b\nc\u202e", 3); got != "a b…" {
		t.Errorf("%q", got)
	}
}
