package gates

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

func sizeGate() Gate {
	return Gate{
		Name: "size", Who: "all in the loop", Judges: func(c *Case) bool { return c.inLoop() },
		Doc: `A step stays within its role's budget of files and lines (added plus deleted),
set by gates.size; a cycle within those of tester and implementor together.

Why: small steps are what makes the cycle work, and a large one hides what it
does.

To satisfy it: do less in this step, or raise gates.size in a commit of its own.`,
		Static: func(c *Premise) []Finding {
			budget, ok := c.Policy.Size[c.Role]
			if !ok {
				budget = c.Policy.SizeOf(c.Plays)
			}
			if tests := c.Policy.SizeOf(Tester); c.Cycle {
				budget.Files, budget.Lines = budget.Files+tests.Files, budget.Lines+tests.Lines
			}
			lines := 0
			for _, f := range c.Change.Files {
				lines += f.Source.Total() + f.Test.Total()
			}
			var out []Finding
			over := func(what string, seen, most int) {
				if most > 0 && seen > most {
					out = append(out, objection(fmt.Sprintf("the change touches %d %s; the budget of the %s is %d", seen, what, c.Role, most),
						"do less in this step"))
				}
			}
			over("files", len(c.Change.Files), budget.Files)
			over("lines", lines, budget.Lines)
			return out
		},
	}
}

func protectedGate() Gate {
	return Gate{
		Name: "protected", Who: "all", Judges: always,
		Doc: `An agent never touches .git, hooks, .tdd.yaml, the kata, CI files, the settings
of editors, dev containers and coding agents, .env files, lock files, wrappers
(gradlew, mvnw), the runner configuration of other languages, or what
gates.protected lists, and adds no symbolic link or submodule. Nobody changes
.tdd.yaml in a step of the loop: the rules a commit is judged by are those of
its parent, and a change to them is a commit of its own.

Why: what steers the machine must not be steered by it.

To satisfy it: leave the path as it was; change policy in a chore: commit.`,
		Static: func(c *Premise) []Finding {
			var out []Finding
			for _, f := range c.Change.Files {
				for _, side := range []*File{f.Old, f.New} {
					if why, bad := forbidden(c, side); bad {
						out = append(out, Finding{Path: side.Path, Seen: why, Remedy: "leave this path as it was"})
						break
					}
				}
			}
			return out
		},
	}
}

// IsPolicy reports whether a path is that of the rules.
func IsPolicy(path string) bool {
	return strings.EqualFold(path, ".tdd.yaml") || strings.EqualFold(path, "tdd.yaml")
}

func forbidden(c *Premise, f *File) (why string, bad bool) {
	switch {
	case f == nil:
		return "", false
	case c.inLoop() && IsPolicy(f.Path):
		return "a step of the loop changes the policy", true
	case !c.Agent:
		return "", false
	case f.Mode == modeSymlink || f.Mode == modeSubmodule:
		return "an agent may not add or change a symbolic link or a submodule", true
	case c.plans() && ofPlan(f):
		return "", false
	case Protected(c.Protected, f.Path):
		return "this path is protected from agents", true
	}
	return "", false
}

// Protected reports whether agents must not touch a path: it matches one of the
// patterns, lies below one, or steers something in any repository
// ([alwaysProtected]). Case is ignored, because some file systems ignore it. A malformed
// pattern is taken literally.
func Protected(patterns []string, path string) bool {
	path = strings.ToLower(path)
	return slices.ContainsFunc(alwaysProtected(patterns), func(pattern string) bool {
		pattern = strings.TrimSuffix(strings.ToLower(pattern), "/")
		return pattern != "" && (pattern == path ||
			doublestar.MatchUnvalidated(pattern, path) || doublestar.MatchUnvalidated(pattern+"/**", path))
	})
}
