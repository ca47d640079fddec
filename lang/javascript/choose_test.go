package javascript

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/testrun"
)

func TestChoose(t *testing.T) {
	t.Parallel()
	usual := testrun.Commands{Test: []string{"npm", "test"}, Check: []string{"tsc"}}
	for _, c := range []struct{ manifest, test, check string }{
		{`{"scripts": {"test": "jest"}, "devDependencies": {"typescript": "5"}}`, "npm test", "tsc"},
		{`{"scripts": {"test": "c8 ava"}}`, "npm test", ""},
		{`{"scripts": {"test": "xo && ava && tsd"}}`, "npx --no-install ava", "npx --no-install -c xo && tsd"},
		{`{"scripts": {"test": "xo && c8 --100 ava -v && tsd"}}`, "npx --no-install ava -v", "npx --no-install -c xo && tsd"},
		{`{"scripts": {"lint": "eslint 'a b'", "types": "tsc", "test": "pnpm lint && pnpm run types && pnpm vitest run"}}`, "npx --no-install vitest run", "npx --no-install -c eslint 'a b' && tsc"},
		{`{"scripts": {"test": "run-s lint unit", "lint": "xo", "unit": "cross-env A=b mocha \"test/**/*.js\""}}`, "env A=b npx --no-install mocha test/**/*.js", "npx --no-install -c xo"},
		{`{"scripts": {"test": "mocha", "posttest": "npm run lint", "lint": "xo"}}`, "npx --no-install mocha", "npx --no-install -c xo"},
		{`{"scripts": {"test": "npm run lint && borp --timeout 9 && tstyche", "lint": "eslint ."}}`, "npx --no-install borp --timeout 9", "npx --no-install -c eslint . && tstyche"},
		// What does more than one thing after the other stays as it is.
		{`{"scripts": {"test": "xo && vitest run --coverage --coverage.provider=v8 src"}}`, "npx --no-install vitest run src", "npx --no-install -c xo"},
		{`{"scripts": {"test": "xo | tee log && ava"}}`, "npm test", ""},
		{`{"scripts": {"test": "xo & ava"}}`, "npm test", ""},
		{`{"scripts": {"test": "npm run test"}}`, "npm test", ""},
		{`{"scripts": {"test": "xo && ./run.sh"}}`, "npm test", ""},
		{`{"scripts": {"test": "echo \"Error: no test specified\" && exit 1"}, "devDependencies": {"vitest": "4"}}`, "npx --no-install vitest run", ""},
		{`{}`, "node --test", ""},
		{`{"scripts": 3}`, "npm test", "tsc"},
	} {
		got := choose(testrun.Sources{Read: func(string) string { return c.manifest }}, usual).Commands
		if strings.Join(got.Test, " ") != c.test || strings.Join(got.Check, " ") != c.check {
			t.Errorf("%s:\n%q, %q", c.manifest, got.Test, got.Check)
		}
	}
}

func FuzzChoose(f *testing.F) {
	f.Add(`xo && c8 ava "x y" && tsd`)
	f.Fuzz(func(t *testing.T, script string) {
		m := manifest{Scripts: map[string]string{"test": script}}
		commands, _ := m.tested()
		if slices.ContainsFunc(commands, func(c []string) bool { return len(c) == 0 }) {
			t.Fatal("an empty command")
		}
		for _, c := range commands {
			if runs(c) != "" {
				bare(c)
			}
		}
	})
}
