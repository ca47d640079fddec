package commitmsg

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// oracle asks real git under an empty configuration.
type oracle struct{ dir string }

func newOracle(tb testing.TB) oracle {
	tb.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		if os.Getenv("CI") != "" {
			tb.Fatal("git is not installed")
		}
		tb.Skip("git is not installed")
	}
	return oracle{dir: tb.TempDir()}
}

func (o oracle) git(tb testing.TB, stdin string, args ...string) string {
	tb.Helper()
	cmd := exec.CommandContext(tb.Context(), "git", args...)
	cmd.Dir = o.dir
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "HOME=" + o.dir,
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_CEILING_DIRECTORIES=" + filepath.Dir(o.dir),
	}
	cmd.Stdin = strings.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		tb.Fatalf("git %.80s: %v\n%s", args, err, stderr.String())
	}
	return string(out)
}

// trailers is what git prints for one message.
func (o oracle) trailers(tb testing.TB, text string) string {
	tb.Helper()
	return o.git(tb, text, "interpret-trailers", "--parse", "--no-divider")
}

// strip is what git stores for a text from the editor.
func (o oracle) strip(tb testing.TB, text string) string {
	tb.Helper()
	return o.git(tb, text[:scissors(text)], "stripspace", "--strip-comments")
}

// batch is what git prints for many messages, with few processes: an
// unmistakable message marks the end of each answer.
func (o oracle) batch(tb testing.TB, texts []string) []string {
	tb.Helper()
	const perProcess = 1000
	const marker = "Zz-End-Of-Answer: 0123456789"
	mark := filepath.Join(o.dir, "mark")
	write(tb, mark, "x\n\n"+marker+"\n")
	var answers []string
	for len(texts) > 0 {
		n := min(perProcess, len(texts))
		args := []string{"interpret-trailers", "--parse", "--no-divider"}
		for i, text := range texts[:n] {
			file := filepath.Join(o.dir, fmt.Sprint(i))
			write(tb, file, text)
			args = append(args, file, mark)
		}
		parts := strings.SplitAfter(o.git(tb, "", args...), marker+"\n")
		if len(parts) != n+1 {
			tb.Fatalf("git gave %d answers to %d messages", len(parts)-1, n)
		}
		for _, part := range parts[:n] {
			answers = append(answers, strings.TrimSuffix(part, marker+"\n"))
		}
		texts = texts[n:]
	}
	return answers
}

func write(tb testing.TB, file, text string) {
	tb.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		tb.Fatal(err)
	}
}

// printed formats trailers as "git interpret-trailers --parse" does.
func printed(trailers []Trailer) string {
	var b strings.Builder
	for _, t := range trailers {
		b.WriteString(t.Key + ": " + t.Value + "\n")
	}
	return b.String()
}
