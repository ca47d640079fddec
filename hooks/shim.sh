#!/bin/sh
# git-tdd shim @HASH@
# Holds commits to test-driven development. `git tdd hooks uninstall` takes it
# away; GIT_TDD=off goes around it, and the commit says so.
former=${0%/*}/@NAME@.before-git-tdd
[ "${_git_tdd_in-}" != "@NAME@ $PWD" ] || exit 0 # called by what it calls itself
@READ@if [ -x "$former" ] && { [ -z "${PRE_COMMIT_RUNNING_LEGACY-}" ] || ! grep -q pre_commit "$former"; }; then
	@PHASE@@FEED@_git_tdd_in="@NAME@ $PWD" "$former" "$@" || exit
fi
@WHEN@
case ${GIT_TDD-} in off | 0 | no | false)
	@OFF@
	exit 0
	;;
esac
at=@BIN@
bin=$at
[ -x "$bin" ] && [ -s "$bin" ] || bin=$(command -v git-tdd) && [ -s "$bin" ] || {
	@GONE@
}
@FEED@exec "$bin" hook @NAME@ "$@"
