// Package envvar looks up variables in an environment that was handed over as a
// list, as os.Environ returns it. Everything but main gets its environment that
// way, so that tests need not change the process's own.
//
//	envvar.Get([]string{"HOME=/home/ada", "TZ=UTC"}, "TZ") // "UTC"
package envvar

import (
	"slices"
	"strings"
)

// Get returns the value of a variable, the last if there are several, or "" if it is not set.
func Get(environ []string, name string) string {
	for _, kv := range slices.Backward(environ) {
		if value, ok := strings.CutPrefix(kv, name+"="); ok {
			return value
		}
	}
	return ""
}
