#!/usr/bin/env bash
# What action.yml and ci/gitlab-evidence.yml do, so that it can be tried anywhere.
#
#   ci/evidence.sh install   puts git-tdd on PATH: the one that is there, or a release,
#                            whose checksum must be right
#   ci/evidence.sh prove     proves a change, and leaves the reports beside the log
#
# Reads INPUT_VERSION, INPUT_REF, INPUT_RANGE, INPUT_ARGS, INPUT_ENFORCE, BASE and TIP
# as action.yml says, and RELEASES, where releases are.
set -euo pipefail

releases=${RELEASES:-https://github.com/git-tdd/git-tdd/releases}
temp=${RUNNER_TEMP:-${TMPDIR:-/tmp}}/git-tdd
facts=$temp/facts

fail() {
	printf '%sgit-tdd: %s\n' "${GITHUB_ACTIONS:+::error::}" "$1" >&2
	exit "${2:-3}"
}

# output NAME VALUE gives a value to the steps that follow.
output() { printf '%s=%s\n' "$1" "$2" >>"${GITHUB_OUTPUT:-/dev/null}"; }

fetch() { curl -fsSL --retry 3 -o "$2" "$1" || fail "$1 cannot be fetched; name a release that exists by version:"; }

checksum() {
	if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d' ' -f1
}

# wanted prints the release that is asked for.
wanted() {
	local version=${INPUT_VERSION:-${INPUT_REF:-}}
	version=${version#v}
	case $version in
	[0-9]*.[0-9]*.[0-9]*) ;;
	*)
		version=$(curl -fsSLI -o /dev/null -w '%{url_effective}' "$releases/latest") || fail "$releases/latest cannot be reached"
		version=${version##*/v}
		;;
	esac
	printf '%s\n' "$version"
}

install() {
	output facts "$facts"
	mkdir -p "$temp/bin" "$facts"
	if command -v git-tdd >/dev/null; then
		git-tdd version
		return
	fi
	local version os arch kind=tar.gz
	version=$(wanted)
	case $(uname -s) in
	Linux) os=linux ;;
	Darwin) os=darwin ;;
	MINGW* | MSYS*) os=windows kind=zip ;;
	*) fail "there is no release for $(uname -s); install git-tdd before this step" ;;
	esac
	case $(uname -m) in
	x86_64 | amd64) arch=amd64 ;;
	aarch64 | arm64) arch=arm64 ;;
	*) fail "there is no release for $(uname -m); install git-tdd before this step" ;;
	esac
	local name=git-tdd_${version}_${os}_$arch.$kind want
	fetch "$releases/download/v$version/$name" "$temp/$name"
	fetch "$releases/download/v$version/checksums.txt" "$temp/checksums.txt"
	want=$(awk -v name="$name" '$2 == name { print $1 }' "$temp/checksums.txt")
	[ -n "$want" ] || fail "checksums.txt of $version does not name $name"
	[ "$(checksum "$temp/$name")" = "$want" ] || fail "$name is not what checksums.txt of $version says: nothing was installed"
	if [ "$kind" = zip ]; then
		unzip -qo "$temp/$name" -d "$temp/bin"
	else
		tar -xzf "$temp/$name" -C "$temp/bin"
	fi
	"$temp/bin/git-tdd" version
	printf '%s\n' "$temp/bin" >>"${GITHUB_PATH:-/dev/null}"
}

# remember makes facts and the secret that seals them stand where they are cached.
remember() {
	local state
	state=$(git rev-parse --path-format=absolute --git-common-dir)/tdd
	mkdir -p "$facts/facts" "$facts/state/git-tdd" "$state"
	[ -e "$state/facts" ] || ln -s "$facts/facts" "$state/facts"
	export XDG_STATE_HOME=$facts/state
}

# range prints what is to be proven.
range() {
	if [ -n "${INPUT_RANGE:-}" ]; then
		printf '%s\n' "$INPUT_RANGE"
	elif [ -n "${BASE:-}" ] && [ -n "${BASE//0/}" ]; then # a new branch has a base of zeros
		printf '%s..%s\n' "$BASE" "${TIP:-HEAD}"
	fi
}

prove() {
	case ${INPUT_ENFORCE:=refuse} in
	refuse | tell) ;;
	*) fail "enforce is $INPUT_ENFORCE; write refuse or tell" 2 ;;
	esac
	PATH=$PATH:$temp/bin
	if [ "$(git rev-parse --is-shallow-repository)" = true ]; then
		git fetch -q --unshallow || fail "this clone is shallow; give the checkout step fetch-depth: 0"
	fi
	remember
	git tdd trust
	local change status=0 log=text
	change=$(range)
	set -f # the words of args are split, and name no files; macOS has no mapfile
	# shellcheck disable=SC2086
	set -- ${INPUT_ARGS:-} $change
	set +f
	git tdd evidence --json "$@" >"$temp/evidence.json" || status=$?
	case $status in
	0 | 1 | 3) ;;
	*) exit "$status" ;; # and it has said why
	esac
	# The rest is on record, and measures nothing.
	git tdd evidence --format sarif "$@" >"$temp/evidence.sarif" 2>/dev/null || true
	git tdd evidence --format junit "$@" >"$temp/evidence.xml" 2>/dev/null || true
	git tdd evidence --format markdown "$@" >"$temp/evidence.md" 2>/dev/null || true
	[ -z "${GITHUB_ACTIONS:-}" ] || log=github
	git tdd evidence --format "$log" "$@" 2>/dev/null || true
	cat "$temp/evidence.md" >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
	output json "$temp/evidence.json"
	output sarif "$temp/evidence.sarif"
	output verdict "$(sed -n 's/^  *"verdict": "\(.*\)",*$/\1/p' "$temp/evidence.json" | head -n 1)"
	[ "$status" -ne 1 ] || [ "$INPUT_ENFORCE" = refuse ] || status=0
	exit "$status"
}

case ${1:-} in
install | prove) "$1" ;;
*) fail "usage: ci/evidence.sh install | prove" 2 ;;
esac
