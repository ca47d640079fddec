#!/bin/sh
# Runs every fuzz target, one after another: tests/fuzz.sh [TIME [PACKAGE…]],
# 10s each and all packages of the module where nothing else is said. What a
# target finds is written below its package's testdata/fuzz, where go test finds
# it again.
set -eu
cd "$(dirname "$0")/.."
time=${1:-10s}
[ $# -eq 0 ] || shift
# shellcheck disable=SC2046 # names of packages hold no blanks
[ $# -gt 0 ] || set -- $(grep -rl --include='*_test.go' '^func Fuzz' . | xargs -n 1 dirname | sort -u)

# fuzz runs one target. Go sometimes fails a run that found nothing, because the
# time was over while it waited for a worker (golang.org/issue/75804): that is its
# only complaint then, and nobody's failure.
fuzz() {
	if out=$(go test -run '^$' -fuzz "^$2\$" -fuzztime "$time" -fuzzminimizetime 1s -parallel 1 "$1" 2>&1); then
		printf '%s\n' "$out"
		return 0
	fi
	complaints=$(printf '%s\n' "$out" | grep '^    ')
	if [ "$complaints" = '    context deadline exceeded' ]; then
		printf '%s\n' "$out" | grep '^fuzz: '
		printf 'nothing found; the time was over while go waited for a worker\n'
		return 0
	fi
	printf '%s\n' "$out"
	return 1
}

failed=
for package; do
	for target in $(go test -list '^Fuzz' "$package" | grep '^Fuzz'); do
		printf '%s %s\n' "$package" "$target"
		fuzz "$package" "$target" || failed="$failed $target"
	done
done
[ -z "$failed" ] || {
	printf 'tests/fuzz.sh: these found something:%s\n' "$failed" >&2
	exit 1
}
