package golang

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestSettings(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "go", "env")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("# mine\nGOPROXY=https://proxy.example\nGOFLAGS=-overlay=x\nGOPRIVATE=a.example,b.example\r\nCC=evil\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for goenv, want := range map[string][]string{
		file:  {"GOPROXY=https://proxy.example", "GOPRIVATE=a.example,b.example"},
		"off": nil,
	} {
		got := settings(func(name string) string { return map[string]string{"GOENV": goenv, "HOME": dir}[name] })
		if !slices.Equal(got, want) {
			t.Errorf("GOENV=%s: %q, want %q", goenv, got, want)
		}
	}
}
