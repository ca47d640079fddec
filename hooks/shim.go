package hooks

import (
	"crypto/sha256"
	_ "embed" // the shim
	"encoding/hex"
	"strings"
)

//go:embed shim.sh
var shim string

// serverShim is the hook of a repository that is pushed to. It cannot be bypassed, because
// the pusher's environment may reach it.
//
//go:embed server.sh
var serverShim string

// marker begins the line by which a shim of any version is recognised; the
// hash of all other lines follows, so that an edited one is told apart.
const marker = "# git-tdd shim "

const (
	// here asks the working tree: free, and enough where nothing is decided.
	here = "[ -e .tdd.yaml ] || [ -e tdd.yaml ] || exit 0"
	// inGit asks the commit and the index as well: the working tree can lack
	// what they have. Where git-tdd has never kept anything, they lack it too.
	inGit = `[ -e .tdd.yaml ] || [ -e tdd.yaml ] || {
	@KEPT@ || exit 0
	case $(printf '%s\n' HEAD:.tdd.yaml :.tdd.yaml HEAD:tdd.yaml :tdd.yaml | git cat-file --batch-check 2>/dev/null) in
	*' blob '*) ;;
	*) exit 0 ;;
	esac
}`
	// early is for measuring while somebody writes the message; without an editor commit-msg measures.
	early = here + "\n" + `[ "${GIT_EDITOR-}" != : ] || exit 0`
	// phase tells the former hook what the message declares: one that runs tests can let a red commit pass.
	phase = `IFS= read -r subject <"$1" || :
	case ${subject-} in
	test[:\(!]*) GIT_TDD_PHASE=red ;;
	feat[:\(!]* | fix[:\(!]*) GIT_TDD_PHASE=green ;;
	refactor[:\(!]* | perf[:\(!]*) GIT_TDD_PHASE=refactor ;;
	*) GIT_TDD_PHASE= ;;
	esac
	export GIT_TDD_PHASE
	`
	remember = `git interpret-trailers --in-place --no-divider --if-exists addIfDifferent --trailer 'Tdd-Outcome: unguarded' "$1" || exit`
	refuse   = `echo "git tdd: git-tdd is not at $at and not on PATH, so nothing can be judged." >&2
	echo "  Install it again and run 'git tdd hooks install', or go around it once: GIT_TDD=off git …" >&2
	exit 1`
)

// parts are the places in which the shims differ.
type parts struct{ read, phase, feed, when, off, gone string }

// differs returns the parts of one hook. Those that only speak are silent where
// the binary is gone; the others refuse.
func differs(name string) parts {
	p := parts{when: here, off: ":", gone: refuse}
	switch name {
	case "pre-commit":
		p.when = early
	case "commit-msg":
		p.when, p.off, p.phase = inGit, remember, phase
	case "post-commit":
		p.gone = "exit 0"
	case "pre-push":
		p.when, p.read, p.feed = inGit, "refs=$(cat)\n", `printf '%s\n' "$refs" | `
	}
	return p
}

// shimText is the text of a hook that calls a binary. kept is a condition of sh:
// whether git-tdd may have kept anything in the repository.
func shimText(name, binary, kept string) string {
	p := differs(name)
	run := "exec " // hands the process over, unless something is piped into it
	if p.feed != "" {
		run = p.feed
	}
	return signed(shim,
		"@NAME@", name, "@READ@", p.read, "@PHASE@", p.phase, "@WHEN@", strings.ReplaceAll(p.when, "@KEPT@", kept), "@OFF@", p.off, "@GONE@", p.gone,
		"@BIN@", quoted(binary), "@FEED@_", p.feed+"_", "@FEED@exec ", run,
	)
}

// signed is a shim with its parts filled in, and its hash.
func signed(shim string, parts ...string) string {
	text := strings.NewReplacer(parts...).Replace(shim)
	return strings.Replace(text, "@HASH@", digest(text), 1)
}

// quoted is a word of sh.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// digest is the hash of a shim without its marker's line.
func digest(text string) string {
	var rest strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, marker) {
			rest.WriteString(line)
		}
	}
	sum := sha256.Sum256([]byte(rest.String()))
	return hex.EncodeToString(sum[:8])
}

// origin says whose a hook file is.
type origin string

// The origins.
const (
	absent   origin = ""
	ours     origin = "ours"   // a shim of this or another version
	edited   origin = "edited" // a shim that somebody has changed
	stranger origin = "stranger"
)

// whose tells the origin of a file by its content.
func whose(text string) origin {
	for line := range strings.Lines(text) {
		if hash, ok := strings.CutPrefix(line, marker); ok {
			if strings.TrimSpace(hash) == digest(text) {
				return ours
			}
			return edited
		}
	}
	return stranger
}
