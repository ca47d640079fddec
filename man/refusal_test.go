package man_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// readmeShowsARealRefusal makes the change that README shows, in a repository whose
// history is what README tells, and holds what git prints against its picture.
// README_UPDATE=1 writes the picture anew.
func readmeShowsARealRefusal(t *testing.T, p program) {
	t.Helper()
	gittest.Need(t, "pytest")
	readme := gittest.Read(t, "../README.md")
	dir := filepath.Join(p.home, "shipping")
	git := func(args ...string) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir, cmd.Env = dir, p.environ()
		return cmd
	}
	steps := func(test, source, subject string) {
		gittest.Write(t, filepath.Join(dir, "test_shipping.py"), "from shipping import cost\n\n\ndef test_a_small_order_pays():\n    assert cost(20) == 4.9\n"+test)
		gittest.Write(t, filepath.Join(dir, "shipping.py"), "def cost(value):\n    return "+source+"\n")
		gittest.Run(t, git("add", "shipping.py", "test_shipping.py"))
		gittest.Run(t, git("commit", "-qm", subject))
	}
	gittest.Check(t, os.Mkdir(dir, 0o755))
	gittest.Run(t, git("init", "-q"))
	steps("", "4.9", "feat: shipping")
	gittest.Run(t, p.command(t.Context(), dir, "init"))
	diff := block(readme, "diff")
	before, after, _ := strings.Cut(strings.TrimPrefix(diff, "-"), "+")
	test := "\n\ndef test_free_from_50():\n"
	steps(test+before, "4.9", "test: free from 50 euros")
	steps(test+before, "0 if value >= 50 else 4.9", "feat: free from 50 euros")
	gittest.Write(t, filepath.Join(dir, "test_shipping.py"), strings.Replace(gittest.Read(t, filepath.Join(dir, "test_shipping.py")), before, after, 1))
	picture := block(readme, "console")
	prompt, _, _ := strings.Cut(picture, "\n")
	out, err := git("commit", "-am", strings.Trim(strings.TrimPrefix(prompt, "$ git commit -am "), `"`)).CombinedOutput()
	if err == nil {
		t.Fatalf("the commit was not refused:\n%s", out)
	}
	want := prompt + "\n" + strings.TrimRight(string(out), "\n")
	if picture == want {
		return
	}
	if os.Getenv("README_UPDATE") == "" {
		t.Fatalf("README shows\n%s\nbut git prints\n%s\nREADME_UPDATE=1 go test -run Documentation ./man writes it", picture, want)
	}
	gittest.Write(t, "../README.md", strings.Replace(readme, picture, want, 1))
}

// block is the first block of a kind in a page.
func block(text, kind string) string {
	_, rest, _ := strings.Cut(text, "\n```"+kind+"\n")
	inside, _, _ := strings.Cut(rest, "\n```")
	return inside
}
