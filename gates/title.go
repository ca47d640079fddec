package gates

import (
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// openPattern is what a title leaves open, to be filled in when the tests run.
var openPattern = lazyregexp.New(`\$\{[^}]*\}|%[sdifjoOpc#%$]|\$[A-Za-z_][\w.]*`)

// repeatedPattern is the number of a test whose title others have, too.
var repeatedPattern = lazyregexp.New(`#\d+$`)

// Titled reports whether the titles of an id end with a title, which may have those
// of the suites around it before it, and may leave parts open: "adds ${a} and %d".
func Titled(title, id string) bool {
	if strings.Contains(id, "#") {
		id = repeatedPattern.ReplaceAllString(id, "")
	}
	id, title = "::"+id, "::"+title
	if strings.HasSuffix(id, title) {
		return true
	}
	if !strings.ContainsAny(title, "$%") { // most titles, of most tests
		return false
	}
	at := 0
	last := 0
	var parts []string
	for _, hit := range openPattern.FindAllStringIndex(title, -1) {
		parts, last = append(parts, title[last:hit[0]]), hit[1]
	}
	if len(parts) == 0 || !strings.HasSuffix(id, title[last:]) {
		return false
	}
	id = strings.TrimSuffix(id, title[last:])
	for _, p := range parts {
		i := strings.Index(id[at:], p)
		if i < 0 {
			return false
		}
		at += i + len(p)
	}
	return true
}
