package config

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/nearest"
)

// crossCheck checks settings against each other. It does not report the same
// problem twice.
func (r *reader) crossCheck(s Settings, known []string) {
	for _, name := range slices.Sorted(maps.Keys(s.LLM.Providers)) {
		if s.LLM.Providers[name].BaseURL == "" {
			r.object("llm.providers."+name+".base_url", fault{seen: "no address", remedy: "write base_url: https://…"})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Roles)) {
		if slices.Contains(Advisers(), name) {
			r.checkAdviser(s, name)
			continue
		}
		r.checkRole(s, name)
	}
	r.checkLanguage(s, known)
	r.checkProjects(s, known)
	for _, role := range s.Rotation {
		if slices.Contains(Advisers(), role) {
			r.object("rotation", fault{seen: "the " + string(role) + ", which takes no turn", remedy: "leave it out; roles." + string(role) + ".model is all that it needs"})
			continue
		}
		if s.Plays(role) == "" && !r.troubled["roles."+string(role)] {
			r.object("rotation", unknownRole(s, role))
		}
	}
}

// checkLanguage requires everything that only the project can say about an
// unknown language.
func (r *reader) checkLanguage(s Settings, known []string) {
	l := s.Language
	bare := l.Bare()
	switch {
	case r.troubled["language"]: // that comes first
	case l.Name == "" && !bare:
		r.object("language.name", fault{seen: "no name", remedy: "write name: and the language's name"})
	case l.Name == "" || slices.Contains(known, l.Name):
	case bare:
		r.object("language.name", fault{
			seen:   "the text " + strconv.Quote(l.Name),
			remedy: oneOf(known...)(l.Name) + ", or describe the language: name, test, source",
		})
	case len(l.Test) == 0:
		r.object("language.test", fault{seen: "no pattern of tests", remedy: "write test: [tests/**], or where they are"})
	case len(l.Source) == 0:
		r.object("language.source", fault{seen: "no pattern of sources", remedy: "write source: [src/**], or where they are"})
	case len(s.CI.TestCmd) == 0:
		r.object("ci.test_cmd", fault{seen: "no command for a language that is not known", remedy: "write test_cmd: [PROGRAM, ARGUMENT]"})
	}
}

func (r *reader) checkRole(s Settings, name gates.Role) {
	role, path := s.Roles[name], "roles."+string(name)
	r.checkKeeper(s, name)
	switch {
	case name.BuiltIn() && role.Plays != "" && role.Plays != name:
		r.object(path+".plays", fault{seen: "another role's rules", remedy: "leave plays out: " + string(name) + " plays itself"})
	case s.Plays(name) == "":
		wrong := unknownRole(s, name)
		wrong.seen = "a role of your own without rules"
		r.object(path+".plays", wrong)
	}
	switch agent := role.Agent; {
	case !role.ByAgent() && !reflect.DeepEqual(agent, Agent{}):
		r.object(path+".agent", fault{seen: "no agent", remedy: "write agent: {preset: claude}, or agent: {cmd: [PROGRAM, ARGUMENT]}"})
	case role.ByAgent() && s.Isolation == IsolationStrict:
		r.object("isolation", fault{seen: "strict, but " + string(name) + " is played by an agent, which has all files", remedy: "write isolation: open, or give the role a model"})
	}
	r.checkModel(role.Model, path)
}

// checkModel requires a model where a provider is named.
func (r *reader) checkModel(name, path string) {
	if provider, model, ok := strings.Cut(name, ":"); ok && model == "" {
		r.object(path+".model", fault{seen: "no model after the colon", remedy: "write " + printable(provider) + ":MODEL"})
	}
}

func unknownRole(s Settings, role gates.Role) fault {
	known := []string{string(gates.Tester), string(gates.Implementor), string(gates.Refactorer)}
	for name, r := range s.Roles {
		if r.Plays != "" && name != role {
			known = append(known, string(name))
		}
	}
	slices.Sort(known)
	remedy := "write roles: {" + string(role) + ": {plays: tester}}, or the role whose rules it keeps; or rules of its own: type, paths, gate, prompt"
	if near := nearest.Of(string(role), known); near != "" {
		remedy = "write " + near + ", or give a role of your own the rules of another with plays"
	}
	return fault{seen: "the role " + string(role) + " has no rules", remedy: remedy}
}

// object reports a problem, unless this setting or a group it belongs to is
// already known to be wrong.
func (r *reader) object(path string, f fault) {
	if r.troubled[path] {
		return
	}
	for p := path; p != ""; p = parent(p) {
		if r.wrong[p] {
			return
		}
	}
	r.complain(path, f)
}
