package gittest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Check fails the test where there is an error.
func Check(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// Need calls Missing for a tool that is not installed.
func Need(tb testing.TB, tools ...string) {
	tb.Helper()
	for _, tool := range tools {
		_, err := exec.LookPath(tool)
		if tool == "pytest" || tool == "coverage" { // commands run the one of their interpreter
			err = exec.CommandContext(tb.Context(), "python3", "-m", tool, "--version").Run()
		}
		if err != nil {
			Missing(tb, tool)
		}
	}
}

// Missing skips the test because something that it needs is not there, and notes its
// name (see [Note]). In CI (CI=true), where nothing may be missing, it fails the test.
func Missing(tb testing.TB, what string) {
	tb.Helper()
	if os.Getenv("CI") == "true" {
		tb.Fatalf("%s is missing", what)
		return
	}
	Note(tb.Name())
	tb.Skipf("%s is missing", what)
}

// Note adds what was skipped to the file that TDD_SKIPPED names, if it names one, as a
// line "FOLDER NAME": the pipeline runs it again when nothing is missing any longer.
func Note(name string) {
	list, err := os.OpenFile(os.Getenv("TDD_SKIPPED"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return // not asked for
	}
	defer list.Close() //nolint:errcheck // a line that is lost is a test that is not run again
	dir, _ := os.Getwd()
	fmt.Fprintln(list, dir, name) //nolint:errcheck // see above
}

// Part tells which cases of a long list a test tries: each of so many, from the first one
// on. TDD_PART=K/N asks for others, the K-th of each N; TDD_PART=0/1 for all of them.
func Part(tb testing.TB, every int) (tried func(n int) bool) {
	tb.Helper()
	first := 0
	if text := os.Getenv("TDD_PART"); text != "" {
		if n, err := fmt.Sscanf(text, "%d/%d", &first, &every); n != 2 || every < 1 || first < 0 || first >= every {
			tb.Fatalf("TDD_PART=%s: write 2/16 for a sixteenth of the cases (%v)", text, err)
		}
	}
	return func(n int) bool { return n%every == first }
}

// Long skips a test that takes long and shows what a shorter one shows as well. TDD_LONG=1
// plays it; the pipeline asks for that where the newest commit may concern it.
func Long(tb testing.TB) {
	tb.Helper()
	if os.Getenv("TDD_LONG") == "" {
		tb.Skip("TDD_LONG=1 plays it")
	}
}

// Run runs a command that must succeed, and returns what it wrote to standard
// output.
func Run(tb testing.TB, cmd *exec.Cmd) string {
	tb.Helper()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		tb.Fatalf("%s: %v\n%s%s", cmd, err, out, stderr.Bytes())
	}
	return string(out)
}

// Write writes a file, and the folders above it.
func Write(tb testing.TB, name, content string) {
	tb.Helper()
	Check(tb, os.MkdirAll(filepath.Dir(name), 0o700))
	Check(tb, os.WriteFile(name, []byte(content), 0o600))
}

// Read returns the content of a file.
func Read(tb testing.TB, name string) string {
	tb.Helper()
	data, err := os.ReadFile(name)
	Check(tb, err)
	return string(data)
}

// Environ is the environment of this process without its GIT_ variables, in which
// git reads no configuration but a repository's own, followed by more variables.
func Environ(more ...string) []string {
	var env []string
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "GIT_") {
			env = append(env, kv)
		}
	}
	return append(append(env, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C"), more...)
}

// XDG are the variables that put every cache, setting and state below a folder.
func XDG(home string) []string {
	return []string{
		"XDG_CACHE_HOME=" + filepath.Join(home, "cache"),
		"XDG_CONFIG_HOME=" + filepath.Join(home, "config"),
		"XDG_STATE_HOME=" + filepath.Join(home, "state"),
	}
}
