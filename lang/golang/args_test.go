package golang

import (
	"strings"
	"testing"
	"time"
)

// Go's own limit does not undercut a longer one of the project's.
func TestWithLimit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		argv, goflags string
		limit         time.Duration
		want          string
	}{
		{"go test ./...", "", 5 * time.Minute, "go test ./..."},
		{"go test ./...", "", 10 * time.Minute, "go test ./..."},
		{"go test ./...", "-race", 20 * time.Minute, "go test -timeout=20m0s ./..."},
		{"go test -timeout 1m ./...", "", 20 * time.Minute, "go test -timeout 1m ./..."},
		{"go test ./...", "-race -timeout=1m", 20 * time.Minute, "go test ./..."},
	} {
		if got := strings.Join(withLimit(strings.Fields(c.argv), c.goflags, c.limit), " "); got != c.want {
			t.Errorf("%s, %q, %s: %s, want %s", c.argv, c.goflags, c.limit, got, c.want)
		}
	}
}

// Vet and test compile a package alike, so that it is compiled once for both.
func TestVetArgs(t *testing.T) {
	t.Parallel()
	for argv, want := range map[string]string{
		"go vet ./...":                "go vet -gcflags=-e ./...",
		"/usr/bin/go vet -tags x ./a": "/usr/bin/go vet -gcflags=-e -tags x ./a",
		"go vet -gcflags=-N ./...":    "go vet -gcflags=-N ./...",
		"golangci-lint run":           "golangci-lint run",
		"go":                          "go",
	} {
		if got := strings.Join(vetArgs(strings.Fields(argv)), " "); got != want {
			t.Errorf("%s: %s, want %s", argv, got, want)
		}
	}
}
