package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// readOnly is a command to which some folders are read-only, also if root runs it.
func readOnly(t *testing.T, folders ...string) []string {
	t.Helper()
	if out, err := exec.Command("unshare", "--map-root-user", "--mount", "true").CombinedOutput(); err != nil {
		t.Skipf("nobody can mount here: %v %s", err, out)
	}
	script := `for d in ` + strings.Join(folders, " ") + `; do mount --bind "$d" "$d" && mount -o remount,bind,ro "$d" || exit 99; done; exec "$@"`
	return []string{"unshare", "--map-root-user", "--mount", "sh", "-c", script, "sh"}
}

// A repository that cannot be written loses nothing, and says why no step was taken;
// it can be looked at and verified, without a record of what was measured.
func TestReadOnlyRepository(t *testing.T) {
	t.Parallel()
	lab := newKillLab(t)
	dir := lab.copyOf(t, lab.template(t, 2))
	lab.must(t, dir, lab.binary, "hooks", "install")
	before := lab.must(t, dir, "git", "for-each-ref") + lab.must(t, dir, "git", "status", "--porcelain")
	in := readOnly(t, dir)
	for _, argv := range [][]string{{lab.binary, "step"}, {lab.binary, "undo"}, {lab.binary, "facts", "--fresh", "HEAD"}, {"git", "commit", "--allow-empty", "-m", "docs: words"}} {
		out, err := lab.command(t, dir, append(in, argv...)...).CombinedOutput()
		if reads := argv[1] == "facts"; (err == nil) != reads || !strings.Contains(string(out), "ead-only file system") {
			t.Errorf("%q: %v\n%s", argv, err, out)
		}
	}
	for _, argv := range [][]string{{"status"}, {"log"}, {"verify"}, {"verify", "--fresh"}} {
		out, err := lab.command(t, dir, append(append(in, lab.binary), argv...)...).CombinedOutput()
		if err != nil {
			t.Errorf("%q: %v\n%s", argv, err, out)
		}
	}
	if after := lab.must(t, dir, "git", "for-each-ref") + lab.must(t, dir, "git", "status", "--porcelain"); after != before {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
	lab.intact(t, dir)
	lab.must(t, dir, lab.binary, "step")
}

// A cache that cannot be written, or a state folder that is none, keeps a step from
// being taken, with a reason, and nothing of the repository changes. A state folder
// that is only read-only is no obstacle.
func TestUnwritableState(t *testing.T) {
	t.Parallel()
	lab := newKillLab(t)
	dir := lab.copyOf(t, lab.template(t, 2))
	before := lab.must(t, dir, "git", "for-each-ref") + lab.must(t, dir, "git", "status", "--porcelain")
	file := filepath.Join(t.TempDir(), "file")
	gittest.Write(t, file, "")
	cache := filepath.Join(dir, "..", "cache")
	gittest.Check(t, os.MkdirAll(cache, 0o700))
	for reason, argv := range map[string][]string{
		"ead-only file system": append(readOnly(t, cache), lab.binary, "step"),
		"not a directory":      {"env", "XDG_STATE_HOME=" + file, lab.binary, "step"},
	} {
		out, err := lab.command(t, dir, argv...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), reason) {
			t.Errorf("%q: %v\n%s", argv, err, out)
		}
		if after := lab.must(t, dir, "git", "for-each-ref") + lab.must(t, dir, "git", "status", "--porcelain"); after != before {
			t.Errorf("before\n%s\nafter\n%s", before, after)
		}
	}
	lab.intact(t, dir)
	lab.must(t, dir, append(readOnly(t, lab.home), lab.binary, "step")...)
}
