package golang

import (
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// testArgs adds flags to a call of go test. Any other command is not ok. In a
// workspace whose root is no module, ./... is replaced by the modules' own.
func testArgs(argv []string, modules moduleDirs) (out []string, ok bool) {
	if base := filepath.Base(argv[0]); (base != "go" && base != "go.exe") || len(argv) < 2 || argv[1] != "test" {
		return argv, false
	}
	out = []string{argv[0], "test"}
	for _, flag := range []string{"-json", "-gcflags=-e", "-count=1"} {
		if !hasFlag(argv, flag) {
			out = append(out, flag)
		}
	}
	for _, arg := range argv[2:] {
		if arg == "./..." && len(modules) > 0 && !slices.Contains(modules.sorted(), ".") {
			for _, dir := range modules.sorted() {
				out = append(out, "./"+filepath.ToSlash(dir)+"/...")
			}
			continue
		}
		out = append(out, arg)
	}
	return out, true
}

// goLimit is how long go lets a test program run where nobody says otherwise.
const goLimit = 10 * time.Minute

// withLimit gives a call of go test the time limit that the project has, where it is
// longer than go's own and go was told none.
func withLimit(argv []string, goflags string, limit time.Duration) []string {
	if limit <= goLimit || hasFlag(argv, "-timeout") || hasFlag(strings.Fields(goflags), "-timeout") {
		return argv
	}
	return slices.Insert(slices.Clone(argv), 2, "-timeout="+limit.String())
}

// hasFlag reports whether a flag is given, with one dash or two.
func hasFlag(argv []string, flag string) bool {
	name, _, _ := strings.Cut(strings.TrimLeft(flag, "-"), "=")
	return slices.ContainsFunc(argv, func(arg string) bool {
		given, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		return strings.HasPrefix(arg, "-") && given == name
	})
}

// withoutFlag leaves out a flag and its value.
func withoutFlag(argv []string, flag string) []string {
	var out []string
	for i := 0; i < len(argv); i++ {
		if !hasFlag(argv[i:i+1], flag) {
			out = append(out, argv[i])
		} else if !strings.Contains(argv[i], "=") {
			i++
		}
	}
	return out
}
