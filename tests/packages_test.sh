#!/bin/sh
# Tests the npm packages and the wheels: the same bytes twice, and installed from the
# file, with no registry, `git tdd` works. Needs Go, git and Python, and npm for its part.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP

fail() {
	printf 'not ok: %s\n' "$*" >&2
	exit 1
}

# says EXPECTED COMMAND... runs a command that must print what is expected.
says() {
	want=$1
	shift
	got=$("$@") || fail "$*: exit $?"
	[ "$got" = "$want" ] || fail "$*: $got, not $want"
}

# ends STATUS TEXT COMMAND... runs a command that must fail so, and say that.
ends() {
	want=$1 text=$2 status=0
	shift 2
	"$@" >"$work/said" 2>&1 || status=$?
	[ "$status" -eq "$want" ] || fail "$*: exit $status, not $want"
	grep -q "$text" "$work/said" || fail "$*: $(cat "$work/said")"
}

here=$(go env GOOS)_$(go env GOARCH)
mkdir -p "$work/bin/$here" "$work/bin/git-tdd_windows_arm64_v8.0"
(cd "$root" && CGO_ENABLED=0 go build -trimpath -tags urfave_cli_no_docs \
	-ldflags "-s -w -X main.version=1.2.3" -o "$work/bin/$here/git-tdd$(go env GOEXE)" ./cmd/git-tdd)
printf 'a program for another system\n' >"$work/bin/git-tdd_windows_arm64_v8.0/git-tdd.exe"
for out in one two; do
	python3 "$root/packaging/pack.py" 1.2.3 "$work/bin" "$work/$out" >/dev/null
done
for file in "$work"/one/*; do
	cmp "$file" "$work/two/${file##*/}" || fail "the same release gives two packages"
done
[ "$(find "$work/one" -type f | wc -l)" -eq 5 ] || fail "not 3 npm packages and 2 wheels: $(ls "$work/one")"
printf 'ok 1 - the same bytes twice\n'

python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q --no-index --find-links "$work/one" git-tdd==1.2.3
says "git tdd version 1.2.3" env PATH="$work/venv/bin:$PATH" git tdd version
"$work/venv/bin/pip" uninstall -q -y git-tdd
[ ! -e "$work/venv/bin/git-tdd" ] || fail "pip left the program behind"
printf 'ok 2 - a wheel, installed from the file\n'

if ! command -v npm >/dev/null; then
	printf 'ok 3 # skip: npm is not installed\n'
	exit 0
fi
mkdir "$work/js"
cd "$work/js"
git init -q
printf '{"private": true}\n' >package.json
# Offline: what does not fit this machine is an option that npm leaves out.
npm install --offline --no-audit --no-fund --silent -D "$work"/one/git-tdd-[0-9]*.tgz \
	"$work/one/git-tdd-$(node -p 'process.platform + "-" + process.arch')-1.2.3.tgz"
says "git tdd version 1.2.3" env PATH="$work/js/node_modules/.bin:$PATH" git tdd version
ends 2 "no command" node_modules/.bin/git-tdd comit
rm -r node_modules/git-tdd-*-*
ends 3 "is not installed" node_modules/.bin/git-tdd version
printf 'ok 3 - an npm package, installed from the file\n'
