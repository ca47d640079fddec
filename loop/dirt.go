package loop

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-tdd/git-tdd/agents"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
)

// dirt finds the user's uncommitted work where this role could write; if all is dirty, the step stops.
func (l *Loop) dirt(ctx context.Context, t turn) (map[string]gitx.State, error) {
	mine := slices.DeleteFunc(slices.Clone(t.project.Entries), func(e gitx.Entry) bool { return !t.editable(e.Path) })
	dirty, err := l.opts.Repo.Dirty(ctx, mine)
	if err != nil || len(dirty) == 0 {
		return dirty, err
	}
	if len(dirty) == len(mine) {
		return dirty, &gitx.CollisionError{State: dirty}
	}
	l.note("your uncommitted changes are left alone; the %s may not edit %s", t.role, join(sortedKeys(dirty), 3))
	return dirty, nil
}

// lookAgain looks at the paths of a plan: the user goes on working while a model thinks.
func (l *Loop) lookAgain(ctx context.Context, s *step, plan agents.EditPlan) ([]gates.Finding, error) {
	dirty, err := l.dirtyAt(ctx, s.turn, gates.Each(plan.Edits, func(e agents.Edit) string { return e.Path }))
	var problems []gates.Finding
	for _, name := range sortedKeys(dirty) {
		s.dirty[name] = dirty[name]
		problems = append(problems, gates.Finding{
			Gate: "plan", Path: name, Seen: userWork(dirty[name]), Remedy: "leave it as it is; do the step without this file",
		})
	}
	return problems, err
}

// dirtyAt finds the user's uncommitted work at some paths, untracked files too.
func (l *Loop) dirtyAt(ctx context.Context, t turn, paths []string) (map[string]gitx.State, error) {
	tracked := slices.DeleteFunc(slices.Clone(t.project.Entries), func(e gitx.Entry) bool { return !slices.Contains(paths, e.Path) })
	fresh := slices.DeleteFunc(slices.Clone(paths), func(name string) bool { return in(tracked, name) })
	return l.opts.Repo.Dirty(ctx, tracked, fresh...)
}

// in reports whether a path is among some entries.
func in(entries []gitx.Entry, path string) bool {
	return slices.ContainsFunc(entries, func(e gitx.Entry) bool { return e.Path == path })
}

func userWork(state gitx.State) string {
	return fmt.Sprintf("the user has uncommitted work there (%s)", state)
}

// offLimits says which paths an answer must leave alone, and why. It may change files that were
// shown, and add to the end of those of its role, which overwrites nothing.
func (l *Loop) offLimits(s *step, edits []agents.Edit) func(path string) (string, bool) {
	patterns := s.project.Protected()
	overwrites := func(path string) bool {
		appends := func(e agents.Edit) bool {
			return e.Path == path && e.Action == agents.Append && s.editable(path) && s.allows(path)
		}
		return in(s.project.Entries, path) && !slices.ContainsFunc(edits, appends)
	}
	return func(path string) (string, bool) {
		if gates.Protected(patterns, path) || l.opts.Checker.Foreign(s.project.Language, path) {
			return "this path is protected from agents", true
		}
		if state, ok := s.dirty[path]; ok {
			return userWork(state), true
		}
		if _, shown := s.shown[path]; !shown && !s.told.Works && overwrites(path) {
			return "it was not shown to you, so that you cannot know what you would overwrite (no code, too large, with a secret in it, or without room under llm.max_context); `need` asks for it", true
		}
		return "", false
	}
}
