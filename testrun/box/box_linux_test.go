package box

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// A box may be started long before its command: what is mounted meanwhile is there.
func TestBoxSeesWhatIsMountedLater(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	mount := func(args ...string) error { return exec.CommandContext(t.Context(), "mount", args...).Run() }
	if os.Geteuid() != 0 || mount("-t", "tmpfs", "tmpfs", dir) != nil {
		t.Skip("nothing may be mounted here")
	}
	t.Cleanup(func() { _ = exec.Command("umount", "--recursive", dir).Run() })
	if start(tierNamespace).Close() != nil {
		t.Skip("the kernel refuses namespaces")
	}
	inner := filepath.Join(dir, "inner")
	if err := errors.Join(mount("--make-shared", dir), os.Mkdir(inner, 0o700)); err != nil {
		t.Fatal(err)
	}
	c, out := shell(t, "cat "+inner+"/file")
	b := Start()
	<-b.begun
	deadline := time.Now().Add(10 * time.Second)
	for mounts := ""; strings.Count(mounts, " /proc ") < 2; runtime.Gosched() { // until it has its own
		if time.Now().After(deadline) {
			_ = b.Close() // that it started is no error
			t.Skip("the kernel refuses a /proc of its own")
		}
		raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/mounts", b.process.Pid))
		if mounts = string(raw); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(mount("-t", "tmpfs", "tmpfs", inner), os.WriteFile(filepath.Join(inner, "file"), []byte("seen"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if end, err := b.Run(t.Context(), c); err != nil || end.Code != 0 || out.String() != "seen" {
		t.Errorf("%+v %v %q", end, err, out)
	}
}
