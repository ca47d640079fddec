#!/bin/sh
# Tests install.sh for real: builds, installs below temporary prefixes, asks git
# and man for what was installed, and takes it away again. Needs go, git, man.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP

GOCACHE=$(go env GOCACHE)
GOMODCACHE=$(go env GOMODCACHE)
HOME=$work/home
export GOCACHE GOMODCACHE HOME GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null MANPAGER=cat PAGER=cat
unset MANPATH
mkdir "$HOME"

count=0
fail() {
	printf 'not ok: %s\n' "$*" >&2
	[ ! -f "$work/out" ] || sed 's/^/    /' "$work/out" >&2
	exit 1
}
ok() {
	count=$((count + 1))
	printf 'ok %d - %s\n' "$count" "$*"
}
# run CODE ARGUMENTS… runs install.sh and demands its exit code.
run() {
	want=$1
	shift
	code=0
	sh "$root/install.sh" "$@" >"$work/out" 2>&1 </dev/null || code=$?
	[ "$code" = "$want" ] || fail "install.sh $*: exit $code, want $want"
}
said() { grep -Fq -- "$1" "$work/out" || fail "it does not say: $1"; }
# files DIR lists everything below a folder.
files() { (cd "$1" && find . | sort); }

command -v man >/dev/null || fail "man is not installed (apt-get install man-db)"

# Built from this clone, at the default place.
run 0
said "export PATH=\"$HOME/.local/bin:\$PATH\""
PATH=$HOME/.local/bin:$PATH
export PATH
git tdd --version >"$work/out" || fail "git does not find the program"
case $(cat "$work/out") in *development*) fail "the version is not the clone's" ;; esac
git tdd --help >"$work/out" 2>&1 || fail "git tdd --help opens no page"
grep -q 'EXIT STATUS' "$work/out" || fail "git tdd --help shows another page"
for shell in bash-completion/completions/git-tdd zsh/site-functions/_git-tdd fish/vendor_conf.d/git-tdd.fish; do
	grep -q verify "$HOME/.local/share/$shell" || fail "no completions in $shell"
done
ok "builds, installs, and git finds program and page, shells the completions"

# Again: the same result, and the hint about PATH is gone.
files "$HOME/.local" >"$work/before"
run 0
if grep -q 'export PATH' "$work/out"; then fail "it speaks of PATH though PATH is right"; fi
files "$HOME/.local" | cmp -s - "$work/before" || fail "a second installation leaves other files"
ok "is idempotent"

built=$HOME/.local/bin/git-tdd
cp "$built" "$work/git-tdd"

# A binary, below a prefix with a space, given as a relative path.
(cd "$work" && mkdir "a b" && sh "$root/install.sh" --binary git-tdd --prefix "a b/c" >"$work/out" 2>&1) || fail "--binary"
"$work/a b/c/bin/git-tdd" --version >/dev/null || fail "the copied binary does not run"
touch "$work/a b/c/bin/other"
run 0 --uninstall --prefix "$work/a b/c"
[ "$(files "$work/a b/c")" = ".
./bin
./bin/other" ] || fail "uninstalling left or took something else: $(files "$work/a b/c")"
run 0 --uninstall --prefix "$work/a b/c"
said 'nothing to uninstall'
ok "installs a binary below a prefix with a space, and uninstalls exactly that"

# Somebody else's file is neither replaced nor removed.
mkdir -p "$work/taken/bin"
echo mine >"$work/taken/bin/git-tdd"
run 1 --binary "$work/git-tdd" --prefix "$work/taken"
said 'was not installed by this script'
run 0 --uninstall --prefix "$work/taken"
[ "$(files "$work/taken")" = ".
./bin
./bin/git-tdd" ] || fail "a refused installation left something"
[ "$(cat "$work/taken/bin/git-tdd")" = mine ] || fail "a stranger's file was changed"
mkdir -p "$work/dir/bin/git-tdd"
run 1 --binary "$work/git-tdd" --prefix "$work/dir"
run 0 --binary "$work/git-tdd" --prefix "$work/changed"
echo changed >"$work/changed/bin/git-tdd"
run 0 --uninstall --prefix "$work/changed"
said "left $work/changed/bin/git-tdd"
[ "$(cat "$work/changed/bin/git-tdd")" = changed ] || fail "a changed file was removed"
ok "never touches a file that it did not install"

# What fails leaves nothing.
echo 'exit 0' >"$work/no-program"
run 1 --binary "$work/no-program" --prefix "$work/bad"
said 'nothing was installed'
[ "$(files "$work/bad")" = . ] || fail "a refused binary left something: $(files "$work/bad")"
run 1 --binary "$work/absent" --prefix "$work/bad"
said 'is no file'
run 1 --prefix
run 1 --nonsense
said 'unknown argument'
mkdir "$work/few"
for tool in sh cat dirname grep sed tr cksum mktemp mkdir mv cp rm rmdir chmod sort git; do
	ln -s "$(command -v "$tool")" "$work/few/$tool"
done
code=0
PATH=$work/few sh "$root/install.sh" --prefix "$work/bad" >"$work/out" 2>&1 || code=$?
[ "$code" = 1 ] || fail "without go: exit $code"
said 'go is not on PATH'
: >"$work/file"
run 1 --binary "$work/git-tdd" --prefix "$work/file"
ok "fails with a reason and leaves nothing"

# A rename that fails half way through brings the old state back.
real_mv=$(command -v mv)
mkdir "$work/shim"
cat >"$work/shim/mv" <<END
#!/bin/sh
case \$* in *"/bin/git-tdd") exit 1 ;; esac
exec $real_mv "\$@"
END
chmod +x "$work/shim/mv"
code=0
PATH=$work/shim:$PATH sh "$root/install.sh" --binary "$work/git-tdd" --prefix "$work/half" >"$work/out" 2>&1 || code=$?
[ "$code" = 1 ] || fail "with a failing mv: exit $code"
[ "$(files "$work/half")" = . ] || fail "half installed: $(files "$work/half")"
run 0 --binary "$work/git-tdd" --prefix "$work/half"
cksum "$work/half/bin/git-tdd" "$work/half/share/man/man1/git-tdd.1" >"$work/sums"
PATH=$work/shim:$PATH sh "$root/install.sh" --binary "$work/git-tdd" --prefix "$work/half" >"$work/out" 2>&1 && fail "a failing mv was not noticed"
cksum "$work/half/bin/git-tdd" "$work/half/share/man/man1/git-tdd.1" | cmp -s - "$work/sums" || fail "an old installation was spoilt"
run 0 --binary "$work/git-tdd" --prefix "$work/half"
run 0 --uninstall --prefix "$work/half"
[ "$(files "$work/half")" = . ] || fail "left behind: $(files "$work/half")"
ok "is never half installed"

run 0 --uninstall
[ "$(files "$HOME/.local")" = . ] || fail "left behind: $(files "$HOME/.local")"
ok "uninstalls from the default place"
printf 'install.sh: %d stories passed\n' "$count"
