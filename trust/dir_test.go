package trust

import (
	"path/filepath"
	"runtime"
	"testing"
)

func TestDefaultDir(t *testing.T) {
	t.Parallel()
	home, xdg := filepath.Join(t.TempDir(), "home"), filepath.Join(t.TempDir(), "xdg")
	tail := filepath.Join("git-tdd", "trusted")
	for _, c := range []struct {
		name, goos, want string
		environ          []string
	}{
		{"home", "linux", filepath.Join(home, ".config", tail), []string{"HOME=" + home}},
		{"xdg", "linux", filepath.Join(xdg, tail), []string{"HOME=" + home, "XDG_CONFIG_HOME=" + xdg}},
		{"macOS", "darwin", filepath.Join(home, ".config", tail), []string{"HOME=" + home}},
		{"relative xdg", "linux", filepath.Join(home, ".config", tail), []string{"XDG_CONFIG_HOME=.config", "HOME=" + home}},
		{"empty xdg", "linux", filepath.Join(home, ".config", tail), []string{"XDG_CONFIG_HOME=", "HOME=" + home}},
		{"last wins", "linux", filepath.Join(home, ".config", tail), []string{"HOME=/other", "HOME=" + home}},
		{"relative home", "linux", "", []string{"HOME=here"}},
		{"nothing", "linux", "", nil},
		{"windows", "windows", filepath.Join(home, tail), []string{"AppData=" + home, "XDG_CONFIG_HOME=" + xdg}},
		{"windows without", "windows", "", []string{"HOME=" + home}},
	} {
		got, err := defaultDir(c.goos, c.environ)
		if got != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%s: %q, %v, want %q", c.name, got, err, c.want)
		}
	}
	if runtime.GOOS != "windows" {
		got, err := DefaultDir([]string{"HOME=" + home})
		if want := filepath.Join(home, ".config", tail); err != nil || got != want {
			t.Errorf("DefaultDir = %q, %v, want %q", got, err, want)
		}
	}
}
