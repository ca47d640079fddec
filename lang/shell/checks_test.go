package shell

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
)

// TestChecks has a statement, what it is like with the value altered that it
// expects, and with its sense turned round; "-" where that cannot be done.
func TestChecks(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{`[ "$output" = "5" ]`, `[ "$output" = "46" ]`, `if [ "$output" = "5" ]; then false; fi`},
		{`[[ "$output" == "a b" ]]`, `[[ "$output" == "a b~tdd" ]]`, `if [[ "$output" == "a b" ]]; then false; fi`},
		{`[ "${lines[0]}" = five ] # why`, `[ "${lines[0]}" = five~tdd ] # why`, `if [ "${lines[0]}" = five ]; then false; fi # why`},
		{`[ "$status" -eq 3 ]`, `[ "$status" -eq 44 ]`, `if [ "$status" -eq 3 ]; then false; fi`},
		{`[ "$n" -lt 3 ]`, `[ "$n" -lt -99999999 ]`, `if [ "$n" -lt 3 ]; then false; fi`},
		{`[[ "$output" =~ ^[0-9]+$ ]]`, `[[ "$output" =~ tdd~^[0-9]+$ ]]`, `if [[ "$output" =~ ^[0-9]+$ ]]; then false; fi`},
		{`[ "$output" != "5" ]`, `-`, `if [ "$output" != "5" ]; then false; fi`},
		{`[ "$output" = "$want" ]`, `-`, `if [ "$output" = "$want" ]; then false; fi`},
		{`[ -f out.txt ]`, `-`, `if [ -f out.txt ]; then false; fi`},
		{`[ "$output" = "5" ] || false`, `[ "$output" = "46" ] || false`, `if [ "$output" = "5" ] || false; then false; fi`},
		{`assert_output "5"`, `assert_output "46"`, `if assert_output "5"; then false; fi`},
		{`assert_output --partial 'five'`, `assert_output --partial 'five~tdd'`, `if assert_output --partial 'five'; then false; fi`},
		{`assert_equal "$(sum 2 3)" 5`, `assert_equal "$(sum 2 3)" 46`, `if assert_equal "$(sum 2 3)" 5; then false; fi`},
		{`refute_output "5"`, `-`, `if refute_output "5"; then false; fi`},
		{`assert_output <<EOF` + "\nfive\nEOF", `assert_output <<EOF` + "\n~tddfive\nEOF", `-`},
		{`run -1 sum a b`, `run -42 sum a b`, `-`},
		{`run ! sum a b`, `-`, `run -0 sum a b`},
		{`grep -q 5 <<< "$output"`, `-`, `if grep -q 5 <<< "$output"; then false; fi`},
		{`sum 2 3 | grep -q 5`, `-`, `if sum 2 3 | grep -q 5; then false; fi`},
		{`is_odd 3`, `-`, `if is_odd 3; then false; fi`},
		{`export A=1`, `-`, `-`},
	} {
		text := "@test \"adds\" {\n  run sum 2 3\n  " + c[0] + "\n}\n"
		for i, edits := range []func(testrun.Check) []testrun.Edit{
			func(c testrun.Check) []testrun.Edit { return c.Altered }, func(c testrun.Check) []testrun.Edit { return c.Negated },
		} {
			var all []testrun.Edit
			for _, check := range checks(text, gates.KindTest) {
				if check.Test != "adds" || check.Guard {
					t.Errorf("%s: a check of %q, a guard: %v", c[0], check.Test, check.Guard)
				}
				all = append(all, edits(check)...)
			}
			want := strings.Replace(text, c[0], c[i+1], 1)
			if c[i+1] == "-" {
				want = text
			}
			if got := testrun.Apply(text, all); got != want && c[0] != `export A=1` {
				t.Errorf("%s: got %s, want %s", c[0], got, want)
			}
		}
	}
}

func TestChecks_guards(t *testing.T) {
	t.Parallel()
	const text = `setup() {
  load helper
}

assert_sum() {
  [ "$output" = "$1" ]
}

@test "adds" {
  run sum 2 3
  [ "$status" -eq 0 ]
  [ "$output" = "5" ]
}

@test "adds again" {
  run sum 2 4
  assert_sum 6
}

@test "knows odd ones" {
  run odd 3
  [ "$status" -eq 0 ]
}

function subtracts { # @test
  [ "$(difference 3 2)" -eq 1 ]
}
`
	var got []string
	for _, c := range checks(text, gates.KindTest) {
		got = append(got, fmt.Sprintf("%s: %s %v", c.Test, text[c.At.Start:c.At.End], c.Guard))
	}
	slices.Sort(got)
	want := []string{
		`: [ "$output" = "$1" ] false`,
		`adds again: assert_sum 6 false`,
		`adds: [ "$output" = "5" ] false`, `adds: [ "$status" -eq 0 ] true`,
		`knows odd ones: [ "$status" -eq 0 ] false`,
		`subtracts: [ "$(difference 3 2)" -eq 1 ] false`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestMutants(t *testing.T) {
	t.Parallel()
	const text = `#!/bin/bash
# echo "a comment"
sum() {
  local a=$1
  if [ "$a" -lt 0 ]; then
    echo "negative" >&2
    return 1
  fi
  c=$((a + b))
  echo "Sum: $c"
  echo $c
}
`
	var got []string
	for _, m := range mutants(text) {
		changed := testrun.Apply(text, []testrun.Edit{m.Edit})
		got = append(got, fmt.Sprintf("%d: %s", m.Line, strings.TrimSpace(strings.Split(changed, "\n")[m.Line-1])))
	}
	want := []string{`5: if ! [ "$a" -lt 0 ]; then`, "7: return 0", "9: c=$((a - b))", `10: echo "~Sum: $c"`, "11: echo ~$c"}
	if !slices.Equal(got, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestNear(t *testing.T) {
	t.Parallel()
	const text = "sum() {\n  echo $(($1 + $2))\n  echo \"Hello, $1\" # why\n  echo no >&2\n}\n"
	var got []string
	for _, m := range near(text) {
		got = append(got, strings.Split(testrun.Apply(text, []testrun.Edit{m.Edit}), "\n")[m.Line-1])
	}
	want := []string{"  echo ~$(($1 + $2))", `  echo "~Hello, $1" # why`, `  echo "Hello, $1" | tr 'a-zA-Z' 'A-Za-z' # why`}
	if !slices.Equal(got, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func FuzzEvidence(f *testing.F) {
	f.Add("@test 'a' {\n  [ \"$x\" = 5 ] && assert_output <<EOF\n}\nEOF\nf() {\n  run -1 x\n}")
	f.Fuzz(func(_ *testing.T, src string) {
		for _, c := range checks(src, gates.KindTest) {
			testrun.Apply(src, c.Altered)
			testrun.Apply(src, c.Negated)
		}
		mutants(src)
		near(src)
	})
}
