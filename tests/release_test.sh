#!/bin/sh
# Tests how a release is made: .goreleaser.yaml is one that goreleaser takes, names
# files that are there, and the program is the same bytes wherever it is built from
# the same commit. Needs Go and git, and a way to fetch Go modules.
set -eu

goreleaser=v2.14.0 # the newest that the Go of go.mod builds
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP

fail() {
	printf 'not ok: %s\n' "$*" >&2
	exit 1
}

# Two clones in folders of different names, whatever lies uncommitted here.
for name in one another/place; do
	mkdir -p "$work/$name"
	git clone -q --no-hardlinks "$root" "$work/$name/clone"
	(cd "$work/$name/clone" && CGO_ENABLED=0 go build -trimpath -tags urfave_cli_no_docs -ldflags "-s -w -X main.version=1.2.3" -o "$work/$name/git-tdd" ./cmd/git-tdd)
done
cmp "$work/one/git-tdd" "$work/another/place/git-tdd" || fail "the same commit gives two programs"
[ "$("$work/one/git-tdd" --version)" = "git tdd version 1.2.3" ] || fail "the program does not know its version"
printf 'ok 1 - the same bytes twice\n'

# goreleaser as a whole takes minutes to build; its settings are a package.
mkdir "$work/check"
cd "$work/check"
cat >main.go <<'END'
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/goreleaser/goreleaser/v2/pkg/config"
)

func main() {
	p, err := config.Load(filepath.Join(os.Args[1], ".goreleaser.yaml"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	var files []string
	for _, a := range p.Archives {
		for _, f := range a.Files {
			files = append(files, f.Source)
		}
	}
	for _, n := range p.NFPMs {
		for _, f := range n.Contents {
			files = append(files, f.Source)
		}
	}
	for _, f := range files {
		if strings.HasPrefix(f, "dist-shell/") {
			continue // made when a release is
		}
		if _, err := os.Stat(filepath.Join(os.Args[1], f)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	if len(files) == 0 || len(p.Builds) == 0 {
		fmt.Fprintln(os.Stderr, "nothing would be released")
		os.Exit(1)
	}
}
END
go mod init release >/dev/null 2>&1
go get "github.com/goreleaser/goreleaser/v2/pkg/config@$goreleaser" >/dev/null 2>&1 || fail "goreleaser's settings package cannot be fetched"
go run . "$root" || fail ".goreleaser.yaml is not one that goreleaser takes, see above"
printf 'ok 2 - goreleaser takes its configuration\n'
