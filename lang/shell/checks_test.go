package shell

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/syntax"
)

// Each line of a test, and what it becomes when it expects something else and when its
// sense is turned round; nothing where that cannot be done.
func TestChecks(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][2]string{
		`[ "$status" -eq 0 ]`:                  {`[ "$status" -eq 41 ]`, `if [ "$status" -eq 0 ]; then false; fi`},
		`[ "$output" = "a b" ] # why`:          {`[ "$output" = "a b~tdd" ] # why`, `if [ "$output" = "a b" ]; then false; fi # why`},
		`[[ $output == *foo* ]];`:              {`[[ $output == *foo*~tdd ]];`, `if [[ $output == *foo* ]]; then false; fi;`},
		`[[ "$output" =~ ^[0-9]+x ]]`:          {`[[ "$output" =~ tdd~^[0-9]+x ]]`, `if [[ "$output" =~ ^[0-9]+x ]]; then false; fi`},
		`[ "${lines[0]}" = "" ]`:               {`[ "${lines[0]}" = "~tdd" ]`, `if [ "${lines[0]}" = "" ]; then false; fi`},
		"diff - out <<EOF\na\nEOF":             {"diff - out <<EOF\n~tdda\nEOF", ""},
		`[ "$a" = "$b" ]`:                      {"", `if [ "$a" = "$b" ]; then false; fi`},
		`[ "${#lines[@]}" -ge 3 ]`:             {`[ "${#lines[@]}" -ge 1073741827 ]`, `if [ "${#lines[@]}" -ge 3 ]; then false; fi`},
		`[ 3 -lt "$n" ]`:                       {`[ 1073741827 -lt "$n" ]`, `if [ 3 -lt "$n" ]; then false; fi`},
		`(( n <= 3 ))`:                         {`(( n <= -1073741821 ))`, `if (( n <= 3 )); then false; fi`},
		`[ "$(cut '"a')" = a ]`:                {`[ "$(cut '"a')" = a~tdd ]`, `if [ "$(cut '"a')" = a ]; then false; fi`},
		`[ "$(a "$(b ")")" c)" = "d e" ]`:      {`[ "$(a "$(b ")")" c)" = "d e~tdd" ]`, `if [ "$(a "$(b ")")" c)" = "d e" ]; then false; fi`},
		`[ -f "$dir/a" ]`:                      {"", `if [ -f "$dir/a" ]; then false; fi`},
		`[ "$a" != "x" ]`:                      {"", `if [ "$a" != "x" ]; then false; fi`},
		`test "$a" = x && test "$b" = y`:       {`test "$a" = x~tdd && test "$b" = y`, `if test "$a" = x && test "$b" = y; then false; fi`},
		`assert_output --partial 'a b'`:        {`assert_output --partial 'a b~tdd'`, `if assert_output --partial 'a b'; then false; fi`},
		`assert_equal "$(sum 2 3)" 5`:          {`assert_equal "$(sum 2 3)" 46`, `if assert_equal "$(sum 2 3)" 5; then false; fi`},
		`assert_success`:                       {"", `if assert_success; then false; fi`},
		`assert_failure 2`:                     {`assert_failure 43`, `if assert_failure 2; then false; fi`},
		`refute_line "x"`:                      {"", `if refute_line "x"; then false; fi`},
		`echo "$output" | grep -q "a b"`:       {`echo "$output" | grep -q "a b~tdd"`, `if echo "$output" | grep -q "a b"; then false; fi`},
		`grep -qv x file`:                      {"", `if grep -qv x file; then false; fi`},
		`diff <(echo a) out`:                   {"", `if diff <(echo a) out; then false; fi`},
		`run -3 tool --x`:                      {`run -44 tool --x`, ""},
		`run --separate-stderr ! tool`:         {"", `run --separate-stderr -0 tool`},
		`[ "$output" = "one` + "\n" + `two" ]`: {`[ "$output" = "one` + "\n" + `two~tdd" ]`, `if [ "$output" = "one` + "\n" + `two" ]; then false; fi`},
	} {
		// a command follows, so that none is the last
		content := "@test \"a\" {\n  run tool\n  " + line + "\n  cd /\n}\n"
		var altered, negated []syntax.Edit
		for _, c := range checks(content, gates.KindTest) {
			if c.Test != "a" || c.Guard {
				t.Errorf("%s: %+v", line, c)
			}
			altered, negated = append(altered, c.Altered...), append(negated, c.Negated...)
		}
		for i, edits := range [][]syntax.Edit{altered, negated} {
			wanted := content
			if want[i] != "" {
				wanted = strings.Replace(content, line, want[i], 1)
			}
			if got := syntax.Apply(content, edits); got != wanted {
				t.Errorf("%s:\n%swant:\n%s", line, got, wanted)
			}
		}
	}
}

// What frames or prepares a test decides nothing, a command of the test's own guards
// what follows, and the only one that there is decides.
func TestChecks_guards(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"  cd x\n  echo y > z\n  local a=1\n  run tool\n":                      "",
		"  tool --init\n  run tool\n  [ \"$status\" -eq 0 ]\n":                 "guard: tool --init; [ \"$status\" -eq 0 ]",
		"  git init -q\n  tool --version\n":                                    "guard: git init -q; tool --version",
		"  ! tool\n  run x\n":                                                  "! tool", // whatever it asks
		"  run x\n  ! tool\n":                                                  "! tool",
		"  if [ -n \"$CI\" ]; then\n    skip\n  fi\n  [ -n \"$A\" ] || skip\n": "",
		"  for i in 1 2; do\n    [ \"$i\" -gt 0 ]\n  done\n":                   "[ \"$i\" -gt 0 ]",
		"  case x in\n    y) true ;;\n    z)\n      tool ;;\n  esac\n":         "tool",
		"  cat > a <<'EOF'\nassert_output x\n[ 1 = 2 ]\nEOF\n  run x\n":        "",
	} {
		content := "@test 'a' {\n" + body + "}\n"
		var got []string
		for _, c := range checks(content, gates.KindTest)[1:] {
			said := content[c.At.Start:c.At.End]
			if c.Guard {
				said = "guard: " + said
			}
			got = append(got, said)
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%s%q, want %q", body, got, want)
		}
	}
}

// A helper's checks are its own, and of a call the last value that is written out.
func TestChecks_helpers(t *testing.T) {
	t.Parallel()
	const content = `is() {
  [ "$1" = "$2" ]
}

setup() { cd "$BATS_TEST_TMPDIR"; }

function one { # @test
  is "$(sum 2 3)" 5
}

@test "on one line" { is "$(sum 1)" "x y"; }
`
	var got []string
	for _, c := range checks(content, gates.KindTest) {
		if c.Altered != nil {
			got = append(got, c.Test+": "+syntax.Apply(content, c.Altered)[c.At.Start:c.At.End])
		} else if c.Negated != nil {
			got = append(got, c.Test+"! "+content[c.At.Start:c.At.End])
		}
	}
	want := `! [ "$1" = "$2" ]|one: is "$(sum 2 3)" 4|on one line: is "$(sum 1)" "x y~`
	if strings.Join(got, "|") != want {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "|"), want)
	}
}

// Each line of a source, and what a mutant makes of it; nothing where there is none.
func TestMutants(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`if [ "$1" -lt 2 ]; then`:          `if ! { [ "$1" -lt 2 ]; }; then`,
		`elif grep -q x "$f"; then`:        `elif ! { grep -q x "$f"; }; then`,
		`[ "$a" = b ] && return 0`:         `[ "$a" = b ] && return 1`,
		`[[ $a == b ]] || usage`:           `[[ $a != b ]] || usage`,
		`return 3 # why`:                   `return 0 # why`,
		`n=$((a + b))`:                     `n=$((a - b))`,
		`(( n >= 3 ))`:                     `(( n < 3 ))`,
		`echo $(( $1 * $2 ))`:              `echo $(( $1 + $2 ))`,
		`echo "$(( $1 * $2 ))"`:            `echo "$(( $1 * $2 ))~tdd"`,
		`printf '%s\n' "$x"`:               `printf '%s\n~tdd' "$x"`,
		`local greeting="Hello, $1"`:       `local greeting="Hello, $1~tdd"`,
		`limit=10`:                         `limit=51`,
		`--quiet) quiet=word ;;`:           `--quiet) quiet=word~tdd ;;`,
		`1 | 21) printf '%dst\n' "$1" ;;`:  `1 | 21) printf '%dst\n~tdd' "$1" ;;`,
		`-h|--help)`:                       `-h~tdd|--help)`,
		`"$x"|*.txt) echo a >&2 ;;`:        "",
		`sort -u "$1"`:                     `: sort -u "$1"`,
		`one() { echo 1; }`:                `one() { echo 42; }`,
		`echo "wrong" >&2`:                 "",
		`set -euo pipefail`:                "",
		`source lib.sh`:                    "",
		`while read -r line; do`:           "",
		`one() {`:                          "",
		`done`:                             "",
		`}`:                                "",
		`# return 0`:                       "",
		`echo "$x" | tr a-z A-Z | sort -r`: `echo "$x~tdd" | tr a-z A-Z | sort -r`,
	} {
		first, _ := syntax.MostTelling(mutants(line + "\n"))
		got := ""
		for _, m := range first {
			got = strings.TrimSuffix(syntax.Apply(line+"\n", []syntax.Edit{m.Edit}), "\n")
		}
		if got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

func TestNarrow(t *testing.T) {
	t.Parallel()
	tests := []gates.Test{{ID: "test/a.bats::adds [2]"}, {ID: "test/b.bats::x#2"}}
	for argv, want := range map[string]string{
		"bats -r test":              `bats --filter ^(adds \[2\]|x) test/a.bats test/b.bats`,
		"npx bats --tap test other": `npx bats --tap --filter ^(adds \[2\]|x) test/a.bats test/b.bats`,
		"bats -j 4 test":            "",
		"make test":                 "",
	} {
		if got := strings.Join(narrow(strings.Fields(argv), tests), " "); got != want {
			t.Errorf("%s: %s, want %s", argv, got, want)
		}
	}
	if got := narrow([]string{"bats", "test"}, []gates.Test{{File: "test/a.bats"}}); strings.Join(got, " ") != "bats test/a.bats" {
		t.Errorf("a file: %q", got)
	}
}

func TestCode(t *testing.T) {
	t.Parallel()
	if got, want := code("#!/bin/sh\n# a comment\n\nx='# no' # one\n  y=2  \n"), "x='# no'\n  y=2"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A status of 0 guards what a test compares, and decides where nothing else does.
func TestChecks_status(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"  run a\n  [ \"$status\" -eq 0 ]\n  [ \"$output\" = x ]\n": "true false",
		"  run a\n  [[ $status == 0 ]]\n":                           "false",
		"  run a\n  assert_success\n  assert_output x\n":            "true false",
		"  run a\n  [ \"$status\" -eq 1 ]\n":                        "false",
		"  tool x\n  run a\n  assert_success\n":                     "true false",
	} {
		var got []string
		for _, c := range checks("@test 'a' {\n"+body+"}\n", gates.KindTest)[1:] {
			got = append(got, strconv.FormatBool(c.Guard))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s%q, want %q", body, got, want)
		}
	}
}

func TestNear(t *testing.T) {
	t.Parallel()
	const text = "sum() {\n  echo $(($1 + $2))\n  echo \"Hello, $1\" # why\n  echo no >&2\n}\nload() {\n  line=\"${1%%#*}\"\n  tar \"$1\" || die \"no $1\"\n  [ -n \"$1\" ] || { a || b; }\n  \"$@\" 2>&1 | sed s/^/_/\n  \"$1\" || exit 1\n  cat \"$1\" | cat\n}\n"
	var got []string
	for _, m := range near(text) {
		got = append(got, strings.Split(syntax.Apply(text, []syntax.Edit{m.Edit}), "\n")[m.Line-1])
	}
	want := []string{"  echo ~$(($1 + $2))", `  echo "~Hello, $1" # why`, `  echo "Hello, $1" | tr 'a-zA-Z' 'A-Za-z' # why`}
	want = slices.Insert(want, 2, `  line="${1%#*}"`, `  tar "$1" || :`, `  (set -o pipefail; "$@" 2>&1 | sed s/^/_/)`, `  "$1" || :`)
	if !slices.Equal(got, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func FuzzChecks(f *testing.F) {
	f.Add("@test 'a' {\n  run x\n  [ \"$status\" -eq 0 ]\n}\nf() { echo 1; }\ncat <<A\nx\nA\n")
	f.Fuzz(func(_ *testing.T, text string) {
		for _, c := range checks(text, gates.KindTest) {
			syntax.Apply(text, append(c.Altered, c.Negated...))
			_ = text[c.At.Start:c.At.End] + text[c.Body.Start:c.Body.End]
		}
		for _, m := range mutants(text) {
			syntax.Apply(text, []syntax.Edit{m.Edit})
		}
		near(text)
		code(text)
	})
}
