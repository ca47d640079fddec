package sandbox

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// One process of a command can be kept from changing what the others use. It ends as
// it would otherwise, and gets the signals that were meant for it.
func TestKeeping(t *testing.T) {
	t.Parallel()
	mounting(t)
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	quoted := "'" + strings.Join(Keeping(own, filepath.Join(dir, "layers"), []string{filepath.Join(dir, "out"), filepath.Join(dir, "none")}), "' '") + "'"
	c, out := shell(t, `mkdir out && echo built >out/a
keep() { `+quoted+` "$@"; }
keep sh -c 'cat out/a; echo spoiled >out/a; cat out/a; echo b >b; umount -l "$PWD/out" 2>&-; exit 7'; echo $?
cat out/a b
keep sh -c 'kill -9 $$'; echo $?
keep sh -c 'trap "echo asked; exit 3" TERM; kill -TERM $PPID; sleep 5 & wait'; echo $?
keep no-such-program 2>&-; echo $?`)
	c.Dir, c.Mounts = dir, []Mount{{From: dir, At: dir}}
	end, err := Run(t.Context(), c)
	want := "built\nspoiled\n7\nbuilt\nb\n137\nasked\n3\n126\n"
	if got := strings.ReplaceAll(out.String(), "Killed\n", ""); err != nil || end != (Ending{}) || got != want {
		t.Errorf("%+v %v\n%s", end, err, got)
	}
}
