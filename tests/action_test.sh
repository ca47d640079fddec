#!/bin/sh
# Tests what action.yml and ci/gitlab-evidence.yml run, as a runner would: a release
# from a server on loopback, then a pull request proven. Needs Go, git, curl, Python.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP

fail() {
	printf 'not ok: %s\n' "$*" >&2
	cat "$work/said" >&2 || true
	exit 1
}

# ends STATUS COMMAND... runs a command that must end so; $work/said has its words.
ends() {
	want=$1 status=0
	shift
	"$@" >"$work/said" 2>&1 || status=$?
	[ "$status" -eq "$want" ] || fail "$*: exit $status, not $want"
}

says() { grep -q -e "$1" "${2:-$work/said}" || fail "${2:-the output} does not say $1"; }

export HOME="$work/home" GOPATH="${GOPATH:-$(go env GOPATH)}" GOCACHE="${GOCACHE:-$(go env GOCACHE)}"
mkdir "$HOME"
git config --global user.name Somebody
git config --global user.email somebody@example.com
git config --global protocol.file.allow always

# A release, and a server that has it.
name=git-tdd_1.2.3_$(go env GOOS)_$(go env GOARCH).tar.gz
release=$work/site/download/v1.2.3
mkdir -p "$release" "$work/build"
(cd "$root" && CGO_ENABLED=0 go build -trimpath -tags urfave_cli_no_docs -ldflags "-s -w -X main.version=1.2.3" -o "$work/build/git-tdd" ./cmd/git-tdd)
tar -C "$work/build" -czf "$release/$name" git-tdd
(cd "$release" && sha256sum "$name" >checksums.txt)
cat >"$work/serve.py" <<'EOF'
import functools, http.server, sys

class Site(http.server.SimpleHTTPRequestHandler):
    def do_HEAD(self):
        if self.path == "/latest":
            self.send_response(302)
            self.send_header("Location", "/tag/v1.2.3")
            self.end_headers()
            return
        if self.path.startswith("/tag/"):
            self.send_response(200)
            self.end_headers()
            return
        super().do_HEAD()

    def log_message(self, *_):
        pass

server = http.server.HTTPServer(("127.0.0.1", 0), functools.partial(Site, directory=sys.argv[1]))
with open(sys.argv[2], "w") as pipe:
    pipe.write(str(server.server_port))
server.serve_forever()
EOF
mkfifo "$work/port"
python3 "$work/serve.py" "$work/site" "$work/port" &
server=$!
RELEASES=http://127.0.0.1:$(cat "$work/port")
export RELEASES

# A project with a pull request, and the clone that a runner makes of it.
mkdir "$work/origin"
(
	cd "$work/origin"
	git init -q -b main
	printf 'module p\n\ngo 1.24\n' >go.mod
	printf 'package p\n\nfunc Twice(n int) int { return n + n }\n' >p.go
	printf 'package p\n\nimport "testing"\n\nfunc TestTwice(t *testing.T) {\n\tif Twice(2) != 4 {\n\t\tt.Error(Twice(2))\n\t}\n}\n' >twice_test.go
	git add .
	git commit -qm 'a start'
	git switch -q -c topic
	printf 'package p\n\nfunc Twice(n int) int { return n + n }\n\nfunc Thrice(n int) int { return 3 * n }\n' >p.go
	printf 'package p\n\nimport "testing"\n\nfunc TestThrice(t *testing.T) {\n\tif got := Thrice(5); got != 15 {\n\t\tt.Errorf("Thrice(5) = %%d", got)\n\t}\n}\n' >p_test.go
	git add .
	git commit -qm 'feat: three times as much'
	git switch -q -c broken main
	printf 'package p\n\nfunc Twice(n int) int { return n * 3 }\n' >p.go
	git commit -qam 'feat: more'
)
BASE=$(git -C "$work/origin" rev-parse main)
export BASE

# runner BRANCH makes a clean machine, but for what is cached, with a shallow clone.
runner() {
	cd "$work"
	rm -rf "$work/clone" "$work/output" "$work/summary" "$work/path"
	git clone -q --depth 1 --branch "$1" "file://$work/origin" "$work/clone"
	cd "$work/clone"
	git fetch -q --depth 1 origin main
	TIP=$(git rev-parse HEAD)
	export TIP RUNNER_TEMP="$work/temp" GITHUB_ACTIONS=true GITHUB_OUTPUT="$work/output" \
		GITHUB_STEP_SUMMARY="$work/summary" GITHUB_PATH="$work/path"
}

runner topic
ends 0 env INPUT_REF=main "$root/ci/evidence.sh" install
says "git tdd version 1.2.3"
says "^facts=$work/temp/git-tdd/facts$" "$work/output"
says "^$work/temp/git-tdd/bin$" "$work/path"
printf 'ok 1 - the latest release, its checksum checked\n'

rm -r "$work/temp"
ends 3 env INPUT_VERSION=v9.9.9 "$root/ci/evidence.sh" install
says "cannot be fetched"
printf 'x' >>"$release/$name"
ends 3 env INPUT_REF=v1.2.3 "$root/ci/evidence.sh" install
says "not what checksums.txt of 1.2.3 says"
[ ! -e "$work/temp/git-tdd/bin/git-tdd" ] || fail "a program with another checksum was installed"
(cd "$release" && tar -C "$work/build" -czf "$name" git-tdd && sha256sum "$name" >checksums.txt)
ends 0 env INPUT_REF=v1.2.3 "$root/ci/evidence.sh" install
printf 'ok 2 - no release, and one that was tampered with\n'

ends 0 "$root/ci/evidence.sh" prove
says "1 change: 1 proven"
says "^verdict=proven" "$work/output"
says "TestThrice" "$work/summary"
says '"runs"' "$work/temp/git-tdd/evidence.sarif"
printf 'ok 3 - a pull request, from a shallow clone\n'

runner topic
ends 0 "$root/ci/evidence.sh" prove
says "0 trees measured" "$work/summary"
printf 'ok 4 - what was measured is remembered on another machine\n'

runner broken
ends 1 "$root/ci/evidence.sh" prove
says "::error"
says "^verdict=unproven$" "$work/output"
ends 0 env INPUT_ENFORCE=tell "$root/ci/evidence.sh" prove
ends 2 env INPUT_RANGE=nowhere..HEAD "$root/ci/evidence.sh" prove
says "nowhere"
ends 2 env INPUT_ENFORCE=maybe "$root/ci/evidence.sh" prove
printf 'ok 5 - a change that breaks a test, and bad input\n'
