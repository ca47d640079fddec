package sandbox

import (
	"strings"
	"testing"
)

// The profile of macOS: a path comes after those that it lies in, because there the
// last rule decides; whatever a path is made of, it is one string.
func TestSeatbelt(t *testing.T) {
	t.Parallel()
	w := Walls{
		Network: Loopback, Hidden: []string{"/Users/me", "/Users/me/tools/token"}, Shown: []string{"/Users/me/tools", `/Users/me/a "b\c`},
		Given: []string{"/Users/me/my tree", "/Users/me/x\")) (allow default) (\""},
	}
	_, got, _ := strings.Cut(w.seatbelt(), "(deny ipc-sysv*)\n")
	want := `(deny file-read-data file-write* process-exec* (subpath "/Users/me"))
(allow file-read* process-exec* (subpath "/Users/me/a \"b\\c")) (deny file-write* (subpath "/Users/me/a \"b\\c"))
(allow file-read* file-write* process-exec* (subpath "/Users/me/my tree"))
(allow file-read* process-exec* (subpath "/Users/me/tools")) (deny file-write* (subpath "/Users/me/tools"))
(deny file-read-data file-write* process-exec* (subpath "/Users/me/tools/token"))
(allow file-read* file-write* process-exec* (subpath "/Users/me/x\")) (allow default) (\""))
(deny network*)
(deny system-socket)
(allow network* (local unix-socket (subpath "/Users/me/my tree")) (remote unix-socket (subpath "/Users/me/my tree"))` +
		` (local unix-socket (subpath "/Users/me/x\")) (allow default) (\"")) (remote unix-socket (subpath "/Users/me/x\")) (allow default) (\"")))
`
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if open := (&Walls{Network: Host}).seatbelt(); strings.Contains(open, "network") || !strings.HasPrefix(open, "(version 1)\n(allow default)\n(deny file-write*)\n") {
		t.Error(open)
	}
	for _, network := range []Network{Loopback, None, ""} { // what is nobody else's loopback cannot be said
		if closed := (&Walls{Network: network}).seatbelt(); !strings.HasSuffix(closed, "(deny network*)\n(deny system-socket)\n") {
			t.Error(closed)
		}
	}
	for _, profile := range []string{w.seatbelt(), (&Walls{}).seatbelt()} {
		if depth := balance(profile); depth != 0 {
			t.Errorf("%d brackets are open at the end of %s", depth, profile)
		}
	}
}

// balance counts the brackets outside strings.
func balance(profile string) (depth int) {
	text, escaped := false, false
	for _, c := range profile {
		switch {
		case escaped:
			escaped = false
		case text && c == '\\':
			escaped = true
		case c == '"':
			text = !text
		case !text && c == '(':
			depth++
		case !text && c == ')':
			depth--
		}
	}
	return depth
}
