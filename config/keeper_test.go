package config_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
)

const documenter = `
rotation: [tester, implementor, refactorer, documenter]
roles:
  documenter: {model: small, type: docs, paths: ["docs/**", README.md], gate: stay-green, prompt: roles/documenter.md}
`

func TestRoleWithRulesOfItsOwn(t *testing.T) {
	t.Parallel()
	s := parse(t, documenter)
	rules := s.Rules("documenter")
	if s.Plays("documenter") != gates.Keeper || rules.Type != "docs" || rules.Gate != gates.KeepsGreen || !slices.Equal(rules.Paths, []string{"docs/**", "README.md"}) {
		t.Errorf("it plays %s by %+v", s.Plays("documenter"), rules)
	}
	for typ, want := range map[string]gates.Role{"docs": "documenter", "style": "", "test": "", "": ""} {
		if got := s.OwnRole(typ); got != want {
			t.Errorf("%q is %q's", typ, got)
		}
	}
	if got := s.TypesOf("documenter"); !slices.Equal(got, []string{"docs"}) {
		t.Errorf("its types are %v", got)
	}
	if s.Next(gates.Refactorer) != "documenter" || s.Next("documenter") != gates.Tester {
		t.Error("it has no turn of its own")
	}
	if s.Rules(gates.Tester).Type != "" || s.Rules("nobody").Type != "" {
		t.Error("a role without rules of its own has some")
	}
	for path, want := range map[string]bool{"docs/a/b.md": true, "README.md": true, "src/README.md": false, "docsx/a": false, "NOTES.md": false} {
		if rules.Covers(path) != want {
			t.Errorf("%s: %v", path, !want)
		}
	}
	again := parse(t, string(config.Render(s)))
	if got := again.Rules("documenter"); got.Type != rules.Type || !slices.Equal(got.Paths, rules.Paths) {
		t.Errorf("written and read again it is %+v", got)
	}
}

func TestRolesThatCannotBe(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ roles, want string }{
		"a built-in name":         {`tester: {type: docs}`, "roles.tester.type: another rule for a built-in role"},
		"paths for a built-in":    {`implementor: {paths: ["**"]}`, "roles.implementor.paths: another rule for a built-in role"},
		"gate for a built-in":     {`refactorer: {gate: stay-green}`, "roles.refactorer.gate: another rule for a built-in role"},
		"another role's type":     {`x: {type: feat, paths: [a], gate: stay-green, prompt: p.md}`, "roles.x.type: the text \"feat\"; write one of docs, style, ci, build: feat is the implementor's"},
		"the type of policy":      {`x: {type: chore, paths: [a], gate: stay-green, prompt: p.md}`, "roles.x.type: the text \"chore\""},
		"no type":                 {`x: {paths: [a], gate: stay-green, prompt: p.md}`, "roles.x.type: a role with rules of its own, and nothing here"},
		"no paths":                {`x: {type: docs, gate: stay-green, prompt: p.md}`, "roles.x.paths: a role with rules of its own"},
		"empty paths":             {`x: {type: docs, paths: [], gate: stay-green, prompt: p.md}`, "roles.x.paths: a role with rules of its own"},
		"no gate":                 {`x: {type: docs, paths: [a], prompt: p.md}`, "roles.x.gate: a role with rules of its own"},
		"another gate":            {`x: {type: docs, paths: [a], gate: red, prompt: p.md}`, "roles.x.gate: the text \"red\""},
		"a mistyped gate":         {`x: {type: docs, paths: [a], gate: stay-gren, prompt: p.md}`, "write stay-green"},
		"no prompt":               {`x: {type: docs, paths: [a], gate: stay-green}`, "roles.x.prompt: a role that nothing is known of"},
		"plays beside its rules":  {`x: {plays: tester, type: docs, paths: [a], gate: stay-green, prompt: p.md}`, "roles.x.type: a rule beside those of the tester"},
		"a type that is taken":    {`{x: {type: docs, paths: [a], gate: stay-green, prompt: p.md}, y: {type: docs, paths: [b], gate: stay-green, prompt: q.md}}`, "roles.y.type: the type docs, which is the x's"},
		"the name of a rulebook":  {`keeper: {type: docs, paths: [a], gate: stay-green, prompt: p.md}`, "give the role another name"},
		"it plays the rulebook":   {`x: {plays: keeper}`, "roles.x.plays"},
		"a pattern that is wrong": {`x: {type: docs, paths: ["[a"], gate: stay-green, prompt: p.md}`, "roles.x.paths"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := "roles:\n  " + tc.roles + "\n"
			if strings.HasPrefix(tc.roles, "{") {
				file = "roles: " + tc.roles + "\n"
			}
			got := strings.Join(problems(t, file), "\n")
			if !strings.Contains(got, tc.want) {
				t.Errorf("got\n%s\nwant %s", got, tc.want)
			}
		})
	}
}
