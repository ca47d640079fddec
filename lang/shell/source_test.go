package shell

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/projecttest"
)

const testSource = `#!/usr/bin/env bats
# @test "not this" {
setup() {
  load test_helper
  limit=3
}

@test "adds größe \"two\"" { # @test "nor this" {
  cat >in <<-END
	[ 1 -eq 2 ]
	@test "no" {
	END
  run ./calc "a # b" 'c "d'
  [ "$status" -eq 0 ]
  if [ -n "$slow" ]; then
    [[ $output == "3" ]] &&
      true
  fi
  x="${#lines[@]}" # [ 1 ]
}
@test 'single' {
  skip "later"
  ! grep -q x <<<"$output"
}
named_by_function() { # @test
  assert_output "4"
}
`

func TestDeclared(t *testing.T) {
	t.Parallel()
	if got := page().Declared(testSource); !slices.Equal(got, []string{`adds größe "two"`, "single", "named_by_function"}) {
		t.Errorf("%q", got)
	}
}

func TestAssertions(t *testing.T) {
	t.Parallel()
	projecttest.Want(t, "assertions", strings.Join(page().Assertions(testSource), "\n"), `limit=3
run ./calc "a # b" 'c "d'
[ "$status" -eq 0 ]
if [ -n "$slow" ]; then [[ $output == "3" ]] && true
x="${#lines[@]}"
skip "later"
! grep -q x <<<"$output"
assert_output "4"`)
}

func FuzzSource(f *testing.F) {
	f.Add(testSource)
	f.Add("cat <<A <<B\na\nA\n'\"")
	f.Fuzz(func(t *testing.T, text string) {
		bare, masked := page().Mask(text)
		if len(bare) != len(text) || len(masked) != len(text) {
			t.Fatal("lengths differ")
		}
		page().Declared(text)
		page().Assertions(text)
	})
}

func FuzzStream(f *testing.F) {
	f.Add("1..2\nsuite /a.bats\nbegin 1 a\nok 1 a\nbegin 2 b\nnot ok 2 b\n# (in test file a.bats, line 3)\n# a.bats: line 3: x: command not found\n", "", 1)
	f.Add("1..1\nsuite a\nnot ok 1 setup_file failed\n# a: line 3: syntax error near\n", "Duplicate test name(s) in file \"a\"", 1)
	f.Fuzz(func(t *testing.T, stream, output string, exit int) {
		r := newStream(&testrun.Places{Dir: "/nowhere", Language: Language()})
		if err := r.read(strings.NewReader(stream)); err != nil {
			t.Fatal(err)
		}
		got := r.verdict(testrun.Ended{Run: testrun.Run{Exit: exit, Argv: []string{"x"}, Output: output}})
		if got.Outcome == "passed" && (exit != 0 || r.judged < r.planned) {
			t.Fatal("passed without proof")
		}
	})
}
