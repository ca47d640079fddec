package check

import (
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/facts"
	"github.com/git-tdd/git-tdd/internal/envvar"
	"github.com/git-tdd/git-tdd/sandbox"
	"github.com/git-tdd/git-tdd/testrun"
)

// Author says whose code is measured.
type Author string

// The authors.
const (
	Person   Author = ""         // whoever commits here
	Agent    Author = "agent"    // a model, or a coding agent
	Somebody Author = "somebody" // it was not seen being committed here
)

// contain says whether commands run within walls.
func (c *Checker) contain(policy config.Contain) facts.Contain {
	switch {
	case policy == config.ContainOff || policy == config.ContainAgents && c.opts.Author == Person:
		return facts.Free
	case policy == config.ContainAgents && c.opts.Author == Somebody:
		return facts.Within
	}
	return facts.Strictly
}

// walls are what a project lets its commands reach.
func (c *Checker) walls(w config.Workbench) testrun.Walls {
	return testrun.Walls{Network: sandbox.Network(w.Network), Read: c.places(w.Read), Write: c.places(w.Write), Own: c.opts.Own}
}

// places are paths of the configuration on this machine.
func (c *Checker) places(paths []string) []string {
	out := make([]string, 0, len(paths))
	for _, path := range paths {
		out = append(out, config.Outside(path, c.opts.Repo.Top, envvar.Get(c.opts.Environ, "HOME")))
	}
	return out
}
