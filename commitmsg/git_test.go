package commitmsg

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// oracle asks real git under an empty configuration.
type oracle struct{ *gittest.Repo }

func newOracle(tb testing.TB) oracle {
	tb.Helper()
	gittest.Need(tb, "git")
	return oracle{gittest.New(tb)}
}

func (o oracle) git(tb testing.TB, stdin string, args ...string) string {
	tb.Helper()
	cmd := o.For(tb).Command(args...)
	cmd.Stdin = strings.NewReader(stdin)
	return gittest.Run(tb, cmd)
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
	mark := filepath.Join(o.Home, "mark")
	gittest.Write(tb, mark, "x\n\n"+marker+"\n")
	var answers []string
	for len(texts) > 0 {
		n := min(perProcess, len(texts))
		args := []string{"interpret-trailers", "--parse", "--no-divider"}
		for i, text := range texts[:n] {
			file := filepath.Join(o.Home, fmt.Sprint(i))
			gittest.Write(tb, file, text)
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

// printed writes trailers as "git interpret-trailers --parse" does.
func printed(trailers []Trailer) string {
	var b strings.Builder
	for _, t := range trailers {
		b.WriteString(t.Key + ": " + t.Value + "\n")
	}
	return b.String()
}
