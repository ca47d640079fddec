#!/bin/sh
# Installs git-tdd, its man page and its completions, so that git and the shells find
# them: `git tdd`, `git tdd --help`, `git tdd ver<Tab>`. Needs no root. See usage below.
#
# Everything is built and checked beside its place first, then renamed into it,
# so what is installed is whole at every moment. A manifest remembers each file
# with its checksum: only what this script installed, unchanged, is replaced or
# removed.
set -eu

usage() {
	cat <<'END'
usage: sh install.sh [--prefix DIR] [--binary FILE]
       sh install.sh --uninstall [--prefix DIR]

Without --binary, builds git-tdd from this clone (needs Go).

  --prefix DIR   where to install: DIR/bin, DIR/share/man/man1, and completions for
                 bash, zsh and fish below DIR/share (default: ~/.local)
  --binary FILE  install this git-tdd instead of building one
  --uninstall    remove exactly what this script installed below the prefix
  --help         this text
END
}

say() { printf '%s\n' "$*"; }
fail() {
	printf 'install.sh: %s\n' "$*" >&2
	exit 1
}

prefix=
binary=
uninstall=
while [ $# -gt 0 ]; do
	case $1 in
	--prefix | --binary)
		if [ $# -lt 2 ] || [ -z "$2" ]; then fail "$1 needs a value; see --help"; fi
		if [ "$1" = --prefix ]; then prefix=$2; else binary=$2; fi
		shift
		;;
	--prefix=?*) prefix=${1#*=} ;;
	--binary=?*) binary=${1#*=} ;;
	--uninstall) uninstall=yes ;;
	-h | --help)
		usage
		exit 0
		;;
	*) fail "unknown argument $1; see --help" ;;
	esac
	shift
done

if [ -z "$prefix" ]; then
	[ -n "${HOME:-}" ] || fail "HOME is not set; say where to install with --prefix DIR"
	prefix=$HOME/.local
fi
case $prefix in
/*) ;;
*) prefix=$(pwd)/$prefix ;;
esac
prefix=${prefix%/}

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
bin=$prefix/bin/git-tdd
page=$prefix/share/man/man1/git-tdd.1
manifest=$prefix/share/git-tdd/installed
shells="bash zsh fish"

# completion SHELL is where a shell looks for completions, below the prefix.
completion() {
	case $1 in
	bash) echo share/bash-completion/completions/git-tdd ;;
	zsh) echo share/zsh/site-functions/_git-tdd ;;
	fish) echo share/fish/vendor_conf.d/git-tdd.fish ;; # completions of git itself load too late
	esac
}

# checksum FILE prints what the manifest keeps of a file: checksum and size.
checksum() { cksum <"$1" | tr -s '\t ' ' '; }

# ours FILE: it is there because this script put it there, and is unchanged.
ours() {
	[ -f "$1" ] && [ ! -L "$1" ] && [ -f "$manifest" ] &&
		grep -Fqx "file $(checksum "$1") ${1#"$prefix"/}" "$manifest"
}

# remove takes away what the manifest lists, the folders last.
remove() {
	if [ ! -f "$manifest" ]; then
		say "nothing to uninstall: there is no $manifest"
		return 0
	fi
	for rel in bin/git-tdd share/man/man1/git-tdd.1 $(for shell in $shells; do completion "$shell"; done); do
		file=$prefix/$rel
		if ours "$file"; then
			rm -f "$file"
			say "removed $file"
		elif [ -e "$file" ] || [ -L "$file" ]; then
			say "left $file: it is not the file that was installed"
		fi
	done
	made=$(grep '^dir ' "$manifest" || true)
	rm -f "$manifest"
	remove_dirs "$made"
}

# remove_dirs LINES takes away the folders of a manifest that are empty now.
remove_dirs() {
	printf '%s\n' "$1" | sed -n 's/^dir //p' | sort -r | while IFS= read -r dir; do
		rmdir "$prefix/$dir" 2>/dev/null || true # others' files stay
	done
}

if [ -n "$uninstall" ]; then
	[ -z "$binary" ] || fail "--uninstall and --binary exclude each other"
	remove
	exit 0
fi

# Nothing is written before all of this is known to be right.
[ -f "$here/man/git-tdd.1" ] || fail "$here/man/git-tdd.1 is missing; run install.sh where it lies, in a whole clone"
for file in "$bin" "$page"; do
	if { [ -e "$file" ] || [ -L "$file" ]; } && ! ours "$file"; then
		fail "$file is there and was not installed by this script (or has changed since); move it away, or choose another --prefix"
	fi
done
if [ -n "$binary" ]; then
	[ -f "$binary" ] || fail "$binary is no file"
else
	command -v go >/dev/null 2>&1 || fail "go is not on PATH; install Go (https://go.dev/dl), or give a built binary with --binary FILE"
	[ -f "$here/go.mod" ] || fail "$here is no clone of git-tdd; give a built binary with --binary FILE"
fi

staged_bin=
staged_page=
staged_list=
staged_words=
old_page=
cleanup() {
	for file in "$staged_bin" "$staged_page" "$staged_list" "$old_page" "$staged_words"; do
		[ -z "$file" ] || rm -rf "$file"
	done
	remove_dirs "$made_dirs" # after an installation none is empty
}
made_dirs=
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# folders that are made are noted, to be removed again by --uninstall.
make_dir() {
	rel=
	rest=$1/
	while [ -n "$rest" ]; do
		rel=$rel${rel:+/}${rest%%/*}
		rest=${rest#*/}
		if [ ! -d "$prefix/$rel" ]; then
			mkdir "$prefix/$rel" || fail "cannot make $prefix/$rel"
			made_dirs="${made_dirs}dir $rel
"
		fi
	done
}
mkdir -p "$prefix" || fail "cannot make $prefix"
make_dir bin
make_dir share/man/man1
make_dir share/git-tdd
for shell in $shells; do
	rel=$(completion "$shell")
	make_dir "${rel%/*}"
done

staged_bin=$(mktemp "$prefix/bin/.git-tdd.XXXXXX") || fail "cannot write to $prefix/bin"
staged_page=$(mktemp "$prefix/share/man/man1/.git-tdd.XXXXXX") || fail "cannot write to $prefix/share/man/man1"
staged_list=$(mktemp "$prefix/share/git-tdd/.installed.XXXXXX") || fail "cannot write to $prefix/share/git-tdd"

if [ -n "$binary" ]; then
	cp "$binary" "$staged_bin" || fail "cannot copy $binary; nothing was installed"
else
	version=$(git -C "$here" describe --tags --always --dirty 2>/dev/null) || version=development
	say "building git-tdd $version"
	(cd "$here" && CGO_ENABLED=0 go build -trimpath -tags urfave_cli_no_docs -ldflags "-s -w -X main.version=$version" -o "$staged_bin" ./cmd/git-tdd) ||
		fail "the build failed (see above); nothing was installed"
fi
chmod 755 "$staged_bin"
told=$("$staged_bin" --version 2>/dev/null) || fail "the program does not run on this machine; nothing was installed"
case $told in
"git tdd version "*) ;;
*) fail "${binary:-what was built} is not git-tdd; nothing was installed" ;;
esac
cp "$here/man/git-tdd.1" "$staged_page"
chmod 644 "$staged_page"

staged_words=$(mktemp -d "$prefix/share/git-tdd/.completions.XXXXXX") || fail "cannot write to $prefix/share/git-tdd"
words=
for shell in $shells; do
	rel=$(completion "$shell")
	"$staged_bin" completion "$shell" >"$staged_words/$shell" || fail "cannot write the completions of $shell; nothing was installed"
	chmod 644 "$staged_words/$shell"
	if { [ -e "$prefix/$rel" ] || [ -L "$prefix/$rel" ]; } && ! ours "$prefix/$rel"; then
		say "note: left $prefix/$rel, which this script did not install"
		rm -f "$staged_words/$shell"
		continue
	fi
	words="${words}file $(checksum "$staged_words/$shell") $rel
"
done

# The manifest knows the old and the new files while they change places: a run
# that is killed here is finished by the next one.
new_lines="file $(checksum "$staged_bin") bin/git-tdd
file $(checksum "$staged_page") share/man/man1/git-tdd.1
$words"
old_lines=
old_dirs=
if [ -f "$manifest" ]; then
	old_lines=$(grep '^file ' "$manifest" || true)
	old_dirs=$(grep '^dir ' "$manifest" || true)
fi
# write_manifest LINES puts a manifest in place.
write_manifest() {
	printf '%s\n%s%s\n' "$1" "$made_dirs" "$old_dirs" | grep . | sort -u >"$staged_list"
	chmod 644 "$staged_list"
	mv -f "$staged_list" "$manifest"
}
if [ -f "$page" ]; then
	old_page=$(mktemp "$prefix/share/man/man1/.git-tdd.XXXXXX")
	cp -p "$page" "$old_page"
fi
write_manifest "$old_lines
$new_lines" || fail "cannot write $manifest; nothing was installed"
if ! mv -f "$staged_page" "$page" || ! mv -f "$staged_bin" "$bin"; then
	if [ -n "$old_page" ]; then mv -f "$old_page" "$page"; else rm -f "$page"; fi
	[ -n "$old_lines" ] || rm -f "$manifest"
	fail "cannot put the files in place; nothing was changed"
fi
for shell in $shells; do
	[ ! -f "$staged_words/$shell" ] || mv -f "$staged_words/$shell" "$prefix/$(completion "$shell")"
done
staged_list=$(mktemp "$prefix/share/git-tdd/.installed.XXXXXX")
write_manifest "$new_lines"

say "installed $told"
say "  $bin"
say "  $page"
say "  completions for bash, zsh and fish; new shells have them"

# What may still be missing is said, with the line that mends it.
command -v git >/dev/null 2>&1 || say "note: git is not on PATH; git-tdd needs git 2.36 or newer"
case ":${PATH:-}:" in
*":$prefix/bin:"*)
	found=$(command -v git-tdd 2>/dev/null || true)
	[ "$found" = "$bin" ] || say "note: $found comes first on PATH and hides the new one"
	;;
*)
	say "note: $prefix/bin is not on PATH; add this line to your shell's profile:"
	say "  export PATH=\"$prefix/bin:\$PATH\""
	;;
esac
if command -v man >/dev/null 2>&1 && ! PATH="$prefix/bin:$PATH" man -w git-tdd >/dev/null 2>&1; then
	say "note: man does not find the page, which \`git tdd --help\` opens; add this line:"
	say "  export MANPATH=\"$prefix/share/man:\${MANPATH:-}\""
fi
case ${SHELL:-}:$prefix in
*/zsh:/usr | */zsh:/usr/local) ;;
*/zsh:*)
	say "note: for zsh to find its completions, add this line to ~/.zshrc, above compinit:"
	say "  fpath=($prefix/share/zsh/site-functions \$fpath)"
	;;
esac
say "next: git tdd demo"
