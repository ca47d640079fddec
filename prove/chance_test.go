package prove_test

import (
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/prove"
)

// An old test that fails with the change and passes when it is run again fails by chance.
// Of one that fails each time, but on the base too when that is run again, nothing can be
// said; any other is the change's fault.
func TestChange_chance(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "sh")
	for name, c := range map[string]struct {
		fails string // the condition under which the old test fails
		want  prove.Verdict
	}{
		"once": {"test $v = 1 && test $n = 1", prove.Proven},
		// From the second run with the change on, which the base's first may come after.
		"on both sides":  {"test $v = 1 || test \"$(grep -s x state/1 | wc -l)\" -gt 1", prove.NotJudged},
		"with it always": {"test $v = 1", prove.Unproven},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			repo, change := changeOf(t, gittest.Files{
				"before/.tdd.yaml": "language: {name: shell, test: [t/**], source: [src/**], build_dirs: [state]}\n" +
					"ci: {test_cmd: [sh, all.sh], report: tap}\n",
				"before/all.sh": "n=0\nfor f in t/*; do n=$((n+1)); sh $f && echo \"ok $n - $f\" || { echo \"not ok $n - $f\"; bad=1; }; done\n" +
					"echo \"1..$n\"\ntest -z \"$bad\"\n",
				"before/src/value": "0\n", "after/src/value": "1\n", "after/t/new": "test \"$(cat src/value)\" -gt 0\n",
				"before/t/old": "v=$(cat src/value)\nmkdir -p state\necho x >>state/$v\nn=$(wc -l <state/$v)\nif " + c.fails + "; then exit 1; fi\n",
			})
			r := of(t, repo, prove.Quick, change)
			chance := strings.Contains(strings.Join(r.Unknown, "\n"), "why t/old failed")
			if r.Verdict != c.want || chance != (c.want == prove.Proven) {
				t.Errorf("%s (%s), not known: %q; want %s", r.Verdict, r.Why, r.Unknown, c.want)
			}
		})
	}
}
