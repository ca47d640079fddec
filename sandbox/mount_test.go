package sandbox

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// mounting skips a test where the system lets nobody mount.
func mounting(t *testing.T) {
	t.Helper()
	linux(t)
	if !Mounts(t.Context(), t.TempDir()) {
		t.Skip("the kernel lets nobody mount here")
	}
}

// A command sees the workbench at the place of the project, its dependencies in it,
// and can change neither dependencies nor what lies under the workbench.
func TestMounts(t *testing.T) {
	t.Parallel()
	mounting(t)
	base := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(base, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("pro ject,x/src", "theirs")
	write("pro ject,x/deps/lib", "lib")
	write("pro ject,x/.envrc", "file")
	write("bench/src", "measured")
	write("bench/deps/.keep", "")
	write("bench/.envrc", "")
	project, bench := filepath.Join(base, "pro ject,x"), filepath.Join(base, "bench")
	c, out := shell(t, `pwd; cat src deps/lib .envrc; echo; echo spoiled >deps/lib && cat deps/lib; echo new >deps/new; echo new >made
echo spoiled 2>&- >.envrc || echo refused
umount -l "$PWD/deps" 2>&- || mount -o remount,bind,rw "$PWD/.envrc" 2>&- || cat /proc/1/environ 2>&- || echo locked
cat "$PWD/src"`)
	c.Dir = project
	c.Mounts = []Mount{
		{From: filepath.Join(project, "deps"), At: filepath.Join(bench, "deps"), Layer: filepath.Join(base, "layer")},
		{From: filepath.Join(project, ".envrc"), At: filepath.Join(bench, ".envrc"), Layer: filepath.Join(base, "layer2")},
		{From: bench, At: project},
	}
	end, err := Run(t.Context(), c)
	want := project + "\nmeasuredlibfile\nspoiled\nrefused\nlocked\nmeasured"
	if err != nil || end != (Ending{}) || out.String() != want {
		t.Errorf("%+v %v\n%s\nwant\n%s", end, err, out, want)
	}
	for name, want := range map[string]string{
		"pro ject,x/src": "theirs", "pro ject,x/deps/lib": "lib", "pro ject,x/.envrc": "file", "bench/made": "new\n", "bench/src": "measured",
	} {
		if got, err := os.ReadFile(filepath.Join(base, name)); err != nil || string(got) != want {
			t.Errorf("%s: %q %v", name, got, err)
		}
	}
	for _, gone := range []string{"pro ject,x/deps/new", "pro ject,x/made", "bench/deps/new"} {
		if _, err := os.Lstat(filepath.Join(base, gone)); err == nil {
			t.Errorf("%s is there", gone)
		}
	}
	for inside, outside := range map[string]string{
		"": "bench", "/src": "bench/src", "/deps/lib": "pro ject,x/deps/lib", "+/x": "pro ject,x+/x",
	} {
		if got := c.Outside(project + inside); got != filepath.Join(base, outside) {
			t.Errorf("outside %s: %s", inside, got)
		}
	}
}

// A box that cannot show what it should runs nothing.
func TestMountsThatFail(t *testing.T) {
	t.Parallel()
	c, out := shell(t, "echo ran")
	c.Mounts = []Mount{{From: "/nowhere", At: t.TempDir()}}
	if end, err := Run(t.Context(), c); err == nil || !strings.Contains(err.Error(), "start a box") || out.Len() > 0 {
		t.Errorf("%+v %v %q", end, err, out)
	}
}
