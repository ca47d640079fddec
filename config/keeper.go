package config

import (
	"maps"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/nearest"
)

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
	for _, name := range slices.Sorted(maps.Keys(s.Roles)) {
		if conventional != "" && s.Rules(name).Type == conventional {
			return name
		}
	}
	return ""
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
