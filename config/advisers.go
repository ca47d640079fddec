package config

import (
	"slices"

	"github.com/git-tdd/git-tdd/gates"
)

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
	out := slices.Clone(s.Rotation)
	for _, role := range Advisers() {
		if s.Advised(role) {
			out = append(out, role)
		}
	}
	return out
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
