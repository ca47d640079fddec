#!/bin/sh
# git-tdd shim @HASH@
# Refuses a push whose commits do not hold. 'git tdd hooks uninstall --server'
# takes it away.
refs=$(cat)
former=${0%/*}/pre-receive.before-git-tdd
if [ -x "$former" ]; then
	printf '%s\n' "$refs" | "$former" "$@" || exit
fi
at={{.Binary}}
[ -x "$at" ] && [ -s "$at" ] || {
	echo "git tdd: git-tdd is not at $at on the server, so no push can be judged; its administrator installs it again, then runs 'git tdd hooks install --server'." >&2
	exit 1
}
printf '%s\n' "$refs" | "$at" hook pre-receive
