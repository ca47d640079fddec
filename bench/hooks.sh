#!/usr/bin/env bash
# What hooks add to a whole `git commit`, side by side in one run of hyperfine:
#
#   bench/hooks.sh [RUNS]
#
# In one and the same repository, copied: no hooks; git-tdd with the facts of
# both trees on record; git-tdd in a repository without .tdd.yaml; husky with
# commitlint; lefthook running true. The last two only where they are on PATH.
# Needs Go, git and hyperfine. The machine decides the absolute figures; the
# table at the end sets them against their bars, and does not fail.
# shellcheck disable=SC2016 # what stands in single quotes is for another shell
set -euo pipefail

readonly runs="${1:-60}"
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
dir="$(mktemp -d)"
trap 'rm -rf "$dir"' EXIT
export HOME="$dir/home" GIT_CONFIG_NOSYSTEM=1
unset XDG_CACHE_HOME XDG_STATE_HOME XDG_CONFIG_HOME "${!GIT_TDD@}"

has() { command -v "$1" >/dev/null 2>&1; }
has hyperfine || { echo "bench/hooks.sh: hyperfine is not on PATH" >&2 && exit 1; }

# The build needs the caches of the real home.
real="$(getent passwd "$(id -u)" | cut -d: -f6)"
(cd "$root" && HOME="${real:-$HOME}" CGO_ENABLED=0 go build -trimpath -tags urfave_cli_no_docs -ldflags "-s -w" -o "$dir/bin/git-tdd" ./cmd/git-tdd)
PATH="$dir/bin:$PATH"

mkdir -p "$HOME" "$dir/none/tests"
git config --global user.name A
git config --global user.email a@example.org
git config --global gc.auto 0
git config --global maintenance.auto false

# A project whose suite takes no time, one red step, and the answer to it staged.
cd "$dir/none"
git init -q
printf 'language: generic\nci: {test_cmd: [sh, tests/all.sh]}\n' >.tdd.yaml
printf 'add() { echo 0; }\n' >add.sh
printf '. ./add.sh\n[ "$(add 0 0)" = 0 ]\n' >tests/all.sh
for n in $(seq 200); do printf 'text %d\n' "$n" >"file$n.txt"; done
printf '{"scripts": {}}\n' >package.json
printf "pre-commit:\n  commands:\n    yes:\n      run: \"true\"\n" >lefthook.yml
printf 'module.exports = {extends: ["@commitlint/config-conventional"]}\n' >commitlint.config.js
git add . && git commit -qm 'chore: start'
start="$(git rev-parse HEAD)"
for name in tdd bare husky lefthook; do cp -r . "$dir/$name"; done

# ready DIR stages the change that is committed again and again.
ready() {
	cd "$dir/$1"
	printf 'add() { echo $(($1 + $2)); }\n' >add.sh
	git add add.sh
}

cd "$dir/tdd"
git tdd trust >/dev/null && git tdd hooks install >/dev/null
printf '[ "$(add 1 2)" = 3 ]\n' >>tests/all.sh
git commit -qam 'test: sum two numbers' 2>/dev/null
red="$(git rev-parse HEAD)"
cd "$dir/bare"
git rm -q .tdd.yaml && git commit -qm 'chore: no settings' && git tdd hooks install >/dev/null
plain="$(git rev-parse HEAD)"

commands=()
# measure NAME PARENT adds a variant: the branch goes back, the index stays.
measure() {
	ready "$1"
	commands+=(--command-name "$1" --prepare "git -C $dir/$1 reset -q --soft $2" "git -C $dir/$1 commit -qm 'feat: sum'")
}
measure none "$start"
measure bare "$plain"
measure tdd "$red"
if has lefthook; then
	# The program itself, not npm's way to it through node.
	for native in "$(dirname "$(readlink -f "$(command -v lefthook)")")"/../../lefthook-*/bin; do
		[ ! -x "$native/lefthook" ] || PATH="$native:$PATH"
	done
	(cd "$dir/lefthook" && lefthook install >/dev/null)
	measure lefthook "$start"
fi
if has husky && has commitlint; then
	cd "$dir/husky" && husky >/dev/null
	printf 'commitlint --edit "$1"\n' >.husky/commit-msg
	# Where a project has it: commitlint looks for its rules from the project.
	modules="$(dirname "$(dirname "$(readlink -f "$(command -v husky)")")")"
	ln -s "$modules" node_modules
	measure husky "$start"
fi

# Everything once: what is measured is a commit whose facts are on record.
git -C "$dir/tdd" commit -qm 'feat: sum' 2>/dev/null
hyperfine --warmup 3 --runs "$runs" --export-csv "$dir/out.csv" --style none --shell none "${commands[@]}" >/dev/null 2>"$dir/err" || { cat "$dir/err" >&2; exit 1; }

# hyperfine's CSV, in seconds: 1 name, 4 median, 5 and 6 CPU, 7 minimum. Other
# work on the machine moves medians most, and CPU time least.
awk -F, '
	NR > 1 { ms[$1] = $4 * 1000; least[$1] = $7 * 1000; cpu[$1] = ($5 + $6) * 1000 }
	function line(what, name, note) {
		printf "  %-26s %7.1f ms  (fastest %7.1f, CPU %7.1f)   %s\n", what, ms[name], least[name], cpu[name], note
	}
	function added(name) { return sprintf("+%.1f (+%.1f)", ms[name] - ms["none"], least[name] - least["none"]) }
	END {
		printf "hooks: a whole git commit, median of %d\n", runs
		line("no hooks", "none", "")
		line("git-tdd, no .tdd.yaml", "bare", added("bare") "  bar: +10")
		line("git-tdd, facts on record", "tdd", added("tdd") "  bar: +35")
		if ("lefthook" in ms)
			line("lefthook running true", "lefthook", sprintf("git-tdd / lefthook: %.2f  bar: 1.5", ms["tdd"] / ms["lefthook"]))
		if ("husky" in ms)
			line("husky + commitlint", "husky", sprintf("git-tdd adds %.3f of what they add  bar: 0.25", (ms["tdd"] - ms["none"]) / (ms["husky"] - ms["none"])))
	}' runs="$runs" "$dir/out.csv"
