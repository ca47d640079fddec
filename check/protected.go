package check

import (
	"slices"

	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
)

// Protected lists the patterns of paths that agents must not touch in this
// project.
func (p *Project) Protected() []string {
	out := []string{p.Settings.Kata}
	for _, role := range p.Settings.Roles {
		out = append(out, role.Prompt) // none protects nothing
	}
	if p.Settings.Advised(config.Planner) {
		out = append(out, gates.PlanDir+"/**")
	}
	return append(out, p.Settings.Gates.Protected...)
}

// Foreign reports whether a path is the runner configuration of another language
// than the project's: some other tool would obey it.
func (c *Checker) Foreign(own testrun.Language, path string) bool {
	return own.Kind(path) == gates.KindOther && slices.ContainsFunc(c.opts.Languages, func(l testrun.Language) bool {
		return l.Name != own.At(path).Name && l.Kind(path) == gates.KindConfig
	})
}

// foreign lists the paths of a change that are foreign.
func (c *Checker) foreign(own testrun.Language, change gates.Change) []string {
	paths := gates.Each(change.Sides(), func(side *gates.File) string { return side.Path })
	return slices.DeleteFunc(paths, func(path string) bool { return !c.Foreign(own, path) })
}
