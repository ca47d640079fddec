package config

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/nearest"
	"github.com/git-tdd/git-tdd/llm"
)

// ErrNoModel says that a role has no model to ask.
var ErrNoModel = errors.New("no model")

// Model is the model of a role and how to reach it.
type Model struct {
	Endpoint    llm.Endpoint // without the key
	KeyEnv      string       // variable with the key; empty: none is sent
	Name        string       // as the endpoint knows it
	Temperature *float64     // nil: none is sent
	Spec        string       // as the settings name it, for instance "openai:gpt-4.1-mini"
}

// Model returns the model of a role; a custom role without one uses that of the
// role it plays. The error wraps ErrNoModel if a person makes the role's steps
// or if the role is not known.
func (s Settings) Model(role gates.Role) (Model, error) {
	r := s.Roles[role]
	switch {
	case s.Plays(role) == "" && !s.Advised(role):
		return Model{}, fmt.Errorf("%w: %s is no role of these settings", ErrNoModel, printable(string(role)))
	case r.ByHuman():
		return Model{}, fmt.Errorf("%w: a person makes the steps of %s", ErrNoModel, role)
	case r.ByAgent():
		return Model{}, fmt.Errorf("%w: an agent makes the steps of %s", ErrNoModel, role)
	case r.Model == "" && r.Plays != "" && r.Plays != role:
		played := s.Roles[r.Plays]
		r.Model, r.Temperature = played.Model, cmp.Or(r.Temperature, played.Temperature)
	}
	if r.Model == "" || r.Model == Human {
		return Model{}, fmt.Errorf("%w: write roles.%s.model", ErrNoModel, role)
	}
	m := Model{
		Endpoint: llm.Endpoint{BaseURL: s.LLM.BaseURL}, KeyEnv: s.LLM.APIKeyEnv,
		Name: r.Model, Temperature: r.Temperature, Spec: r.Model,
	}
	if name, model, ok := strings.Cut(r.Model, ":"); ok {
		if p, configured := s.LLM.Providers[name]; configured {
			m.Endpoint = llm.Endpoint{Name: name, BaseURL: p.BaseURL}
			m.KeyEnv, m.Name = p.APIKeyEnv, model
		}
	}
	return m, nil
}

// Plays returns the role whose rules apply to a role: itself for the three of
// the default rotation, [gates.Keeper] for one with rules of its own, empty for an
// unknown role.
func (s Settings) Plays(role gates.Role) gates.Role {
	if role.BuiltIn() {
		return role
	}
	if r := s.Roles[role]; r.Plays != "" || !r.own() {
		return r.Plays
	}
	return gates.Keeper
}

// Next returns the role whose turn it is after a step: the one after it in the
// rotation, or after the role with the same rules; the first if there is
// neither.
func (s Settings) Next(after gates.Role) gates.Role {
	i := slices.Index(s.Rotation, after)
	if rules := s.Plays(after); i < 0 && rules != "" {
		i = slices.IndexFunc(s.Rotation, func(r gates.Role) bool { return s.Plays(r) == rules })
	}
	return s.Rotation[(i+1)%len(s.Rotation)]
}

// NamesModels reports whether the settings name a model, or where to reach one. Where
// they do not, the defaults stand, which only `git tdd run` uses.
func (s Settings) NamesModels() bool {
	usual := Default()
	return !slices.Equal(s.Grants(), usual.Grants()) || slices.ContainsFunc(slices.Collect(maps.Values(s.Roles)), func(r Role) bool {
		return r.Model != "" && r.Model != Human && r.Model != usual.Roles[gates.Tester].Model
	})
}

// Endpoints lists every address that a key or a prompt may be sent to, sorted.
func (s Settings) Endpoints() []string {
	return s.providers(func(p Provider) string { return p.BaseURL })
}

// KeyEnvs lists every variable from which a key is taken, sorted.
func (s Settings) KeyEnvs() []string {
	return s.providers(func(p Provider) string { return p.APIKeyEnv })
}

// Grants lists which variable's value goes to which address, as "NAME address",
// sorted. An approval must cover these: the two lists of Endpoints and KeyEnvs
// stay the same when two providers swap their keys.
func (s Settings) Grants() []string {
	return s.providers(func(p Provider) string { return strings.TrimSpace(p.APIKeyEnv + " " + p.BaseURL) })
}

func (s Settings) providers(of func(Provider) string) []string {
	out := []string{of(Provider{BaseURL: s.LLM.BaseURL, APIKeyEnv: s.LLM.APIKeyEnv})}
	for p := range maps.Values(s.LLM.Providers) {
		out = append(out, of(p))
	}
	slices.Sort(out)
	return slices.DeleteFunc(slices.Compact(out), func(v string) bool { return v == "" })
}

// InTheClear names the keys that would be sent unencrypted to another machine, one sentence each.
func (s Settings) InTheClear() []string {
	var out []string
	for _, grant := range s.Grants() {
		key, address, found := strings.Cut(grant, " ")
		u, err := url.Parse(address)
		if !found || err != nil || u.Scheme != "http" {
			continue
		}
		if ip, _ := netip.ParseAddr(u.Hostname()); !ip.IsLoopback() && u.Hostname() != "localhost" {
			out = append(out, fmt.Sprintf("the key in %s travels unencrypted to %s; write https", key, address))
		}
	}
	return out
}

// Advisers take no steps and have no turn. A planner writes down what a kata asks for
// before its first step; a reviewer reads what the gates have accepted before it is
// committed.
const (
	Planner  gates.Role = "planner"
	Reviewer gates.Role = "reviewer"
)

// Advisers are the roles that take no steps.
func Advisers() []gates.Role { return []gates.Role{Planner, Reviewer} }

// Advised reports whether the project has an adviser: it names a model for it.
func (s Settings) Advised(role gates.Role) bool {
	return slices.Contains(Advisers(), role) && s.Roles[role].Model != ""
}

// Asked are the roles that are played by somebody: those of the rotation, and the
// advisers that the project has.
func (s Settings) Asked() []gates.Role {
	return slices.Concat(s.Rotation, slices.DeleteFunc(Advisers(), func(role gates.Role) bool { return !s.Advised(role) }))
}

// checkAdviser refuses what an adviser cannot do.
func (r *reader) checkAdviser(s Settings, name gates.Role) {
	role, path := s.Roles[name], "roles."+string(name)
	takes := "the " + string(name) + " takes no steps"
	switch {
	case role.Plays != "":
		r.object(path+".plays", fault{seen: takes, remedy: "leave plays out, or give your own role another name"})
	case role.Model == Human:
		r.object(path+".model", fault{seen: takes + ", so no person can", remedy: "name a model"})
	case role.Agent.Given():
		r.object(path+".agent", fault{seen: takes + ", so no agent can", remedy: "leave agent out, and name a model"})
	case role.Model == "":
		r.object(path+".model", fault{seen: "no model", remedy: "write model: and who is to be the " + string(name) + ", or leave the role out"})
	default:
		r.checkModel(role.Model, path)
	}
}

// Rules returns the rules of a role that is none of the three and plays none of
// them; the zero value for any other role.
func (s Settings) Rules(role gates.Role) gates.Rules {
	if r := s.Roles[role]; s.Plays(role) == gates.Keeper {
		return gates.Rules{Type: r.Type, Paths: r.Paths, Gate: r.Gate}
	}
	return gates.Rules{}
}

// OwnRole returns the role with rules of its own to which a conventional type
// belongs; empty if there is none.
func (s Settings) OwnRole(conventional string) gates.Role {
	role, _ := gates.Find(slices.Sorted(maps.Keys(s.Roles)), func(role gates.Role) bool {
		return conventional != "" && s.Rules(role).Type == conventional
	})
	return role
}

// TypesOf lists the conventional types of a role's commits, the usual one first.
func (s Settings) TypesOf(role gates.Role) []string {
	if rules := s.Rules(role); rules.Type != "" {
		return []string{rules.Type}
	}
	return gates.TypesOf(s.Plays(role))
}

// Expected is what a role is expected to do at a position, in the form of the
// message that it will write.
func (s Settings) Expected(at gates.Position, role gates.Role) string {
	if rules := s.Rules(role); rules.Type != "" {
		return rules.Expected()
	}
	return at.Expected(s.Plays(role))
}

// own reports whether anything of a role says that it has rules of its own.
func (r Role) own() bool { return r.Type != "" || r.Gate != "" || len(r.Paths) > 0 }

// ownTypes are the types that no built-in role has. A chore stays what it is: the
// way to change the policy, outside the loop whoever's turn it is.
func ownTypes() []string { return []string{"docs", "style", "ci", "build"} }

// ownType checks the type of a role's commits.
func ownType(typ string) string {
	if role := gates.RoleOf(typ); role != "" {
		return "write one of " + strings.Join(ownTypes(), ", ") + ": " + typ + " is the " + string(role) + "'s"
	}
	return oneOf(ownTypes()...)(typ)
}

// checkKeeper holds a role with rules of its own to what such a role needs.
func (r *reader) checkKeeper(s Settings, name gates.Role) {
	role, path := s.Roles[name], "roles."+string(name)
	for _, key := range []string{"type", "paths", "gate"} {
		given := map[string]bool{"type": role.Type != "", "paths": len(role.Paths) > 0, "gate": role.Gate != ""}[key]
		switch {
		case given && name.BuiltIn():
			r.object(path+"."+key, fault{seen: "another rule for a built-in role", remedy: "leave it out, and declare a role of another name"})
		case given && role.Plays != "":
			r.object(path+"."+key, fault{seen: "a rule beside those of the " + string(role.Plays), remedy: "leave plays out, or this"})
		case !given && role.own() && !name.BuiltIn() && role.Plays == "":
			r.object(path+"."+key, fault{seen: "a role with rules of its own, and nothing here", remedy: map[string]string{
				"type": "write type: and one of " + strings.Join(ownTypes(), ", "), "paths": `write paths: ["docs/**"], or what it may change`,
				"gate": "write gate: stay-green, or same-tests for a role that works on code",
			}[key]})
		}
	}
	if s.Plays(name) != gates.Keeper {
		return
	}
	if role.Prompt == "" && !role.ByHuman() {
		r.object(path+".prompt", fault{seen: "a role that nothing is known of, and no text for it", remedy: "write prompt: FILE, a document of this tree that says what the role does"})
	}
	if first := s.OwnRole(role.Type); first != name && first != "" {
		r.object(path+".type", fault{seen: "the type " + role.Type + ", which is the " + string(first) + "'s", remedy: "give each role a type of its own"})
	}
}

// keeping checks which gate judges a role of its own.
func keeping(gate string) string {
	known := []string{string(gates.KeepsGreen), string(gates.KeepsTests)}
	if slices.Contains(known, gate) {
		return ""
	}
	if near := nearest.Of(gate, known); near != "" {
		return "write " + near
	}
	return "write " + strings.Join(known, " or ") + ": no other gate judges a role by itself"
}
