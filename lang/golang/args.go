package golang

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// narrow is a call of go test for a few tests, or for whole packages.
func narrow(argv []string, tests []gates.Test) []string {
	if !callsGo(argv, "test") || hasFlag(argv, "-run") || hasFlag(argv, "-args") {
		return nil
	}
	var names, packages []string
	for _, t := range tests {
		name := functionName(t.ID)
		if name == "" && t.ID != "" || t.File == "" {
			return nil
		}
		names, packages = append(names, name), append(packages, "./"+path.Dir(t.File))
	}
	out := []string{argv[0], "test"}
	if !slices.Contains(names, "") {
		out = append(out, "-run=^"+output.AnyOf(names)+"$")
	}
	for _, arg := range argv[2:] {
		switch {
		case strings.HasPrefix(arg, "-"):
			out = append(out, arg)
		case arg != "." && !strings.HasPrefix(arg, "./"):
			return nil // the value of a flag, or packages by another name
		}
	}
	slices.Sort(packages)
	return append(out, slices.Compact(packages)...)
}

// callsGo reports whether a command is a call of go for a task.
func callsGo(argv []string, task string) bool {
	return len(argv) > 1 && output.Program(argv[0]) == "go" && argv[1] == task
}

// functionName is the function that holds the test of an id.
func functionName(id string) string {
	for _, prefix := range []string{"Test", "Example", "Fuzz"} {
		if i := strings.LastIndex(id, "."+prefix); i >= 0 {
			name, _, _ := strings.Cut(id[i+1:], "/")
			return name
		}
	}
	return ""
}

// testArgs adds flags to a call of go test. Any other command is not ok. In a
// workspace whose root is no module, ./... is replaced by the modules' own.
func testArgs(argv []string, modules moduleDirs) (out []string, ok bool) {
	if !callsGo(argv, "test") {
		return argv, false
	}
	out = append([]string{argv[0], "test"}, lacking(argv, "-json", "-gcflags=-e", "-count=1")...)
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

// vetArgs lets a call of go vet compile packages as testArgs does: with other flags, go
// compiles each of them once for either.
func vetArgs(argv []string) []string {
	if !callsGo(argv, "vet") || hasFlag(argv, "-gcflags") {
		return argv
	}
	return slices.Insert(slices.Clone(argv), 2, "-gcflags=-e")
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

// lacking are the flags among some that are not given.
func lacking(argv []string, flags ...string) []string {
	return slices.DeleteFunc(flags, func(flag string) bool { return hasFlag(argv, flag) })
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
