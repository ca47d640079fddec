#!/bin/sh
# git-tdd shim @HASH@
# Holds commits to test-driven development. `git tdd hooks uninstall` takes it
# away; GIT_TDD=off goes around it, and the commit says so.
{{- $message := eq .Name "commit-msg"}}{{$push := eq .Name "pre-push"}}
former=${0%/*}/{{.Name}}.before-git-tdd
[ "${_git_tdd_in-}" != "{{.Name}} $PWD" ] || exit 0 # called by what it calls itself
{{- if $push}}
refs=$(cat)
{{- end}}
if [ -x "$former" ] && { [ -z "${PRE_COMMIT_RUNNING_LEGACY-}" ] || ! grep -q pre_commit "$former"; }; then
{{- /* Tells the former hook what the message declares: one that runs tests can let a red commit pass. */ -}}
{{- if $message}}
	IFS= read -r subject <"$1" || :
	case ${subject-} in
	test[:\(!]*) GIT_TDD_PHASE=red ;;
	feat[:\(!]* | fix[:\(!]*) GIT_TDD_PHASE=green ;;
	refactor[:\(!]* | perf[:\(!]*) GIT_TDD_PHASE=refactor ;;
	*) GIT_TDD_PHASE= ;;
	esac
	export GIT_TDD_PHASE
{{- end}}
	{{if $push}}printf '%s\n' "$refs" | {{end}}_git_tdd_in="{{.Name}} $PWD" "$former" "$@" || exit
fi
{{- /* The working tree is asked: free, and enough where nothing is decided. What decides asks
the commit and the index as well: the working tree can lack what they have. Where git-tdd has
never kept anything, they lack it too. */}}
[ -e .tdd.yaml ] || [ -e tdd.yaml ] || {{if or $message $push}}{
	{{if .Kept}}[ -d "${0%/*}/../tdd" ]{{else}}:{{end}} || exit 0
	case $(printf '%s\n' HEAD:.tdd.yaml :.tdd.yaml HEAD:tdd.yaml :tdd.yaml | git cat-file --batch-check 2>/dev/null) in
	*' blob '*) ;;
	*) exit 0 ;;
	esac
}
{{- else}}exit 0
{{- end}}
{{- /* It measures while somebody writes the message; without an editor commit-msg measures. */ -}}
{{- if eq .Name "pre-commit"}}
[ "${GIT_EDITOR-}" != : ] || exit 0
{{- end}}
case ${GIT_TDD-} in off | 0 | no | false)
	{{if $message}}git interpret-trailers --in-place --no-divider --if-exists addIfDifferent --trailer 'Tdd-Outcome: unguarded' "$1" || exit{{else}}:{{end}}
	exit 0
	;;
esac
at={{.Binary}}
bin=$at
[ -x "$bin" ] && [ -s "$bin" ] || bin=$(command -v git-tdd) && [ -s "$bin" ] || {
{{- /* A hook that only speaks is silent where the binary is gone; the others refuse. */ -}}
{{- if eq .Name "post-commit"}}
	exit 0
{{- else}}
	echo "git tdd: git-tdd is not at $at and not on PATH, so nothing can be judged." >&2
	echo "  Install it again and run 'git tdd hooks install', or go around it once: GIT_TDD=off git …" >&2
	exit 1
{{- end}}
}
{{- /* The process is handed over, unless something is piped into it. */}}
{{if $push}}printf '%s\n' "$refs" | {{else}}exec {{end}}"$bin" hook {{.Name}} "$@"
