package main

import (
	"maps"
	"slices"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/trust"
)

// promptSubject is what an approval of a repository's own words for its roles
// covers: each file and its content. It stands apart from that of the commands,
// because a change to words does not keep anything from being measured. ok is
// false if there are none.
func promptSubject(repo *gitx.Repo, project *check.Project) (s trust.Subject, ok bool) {
	ids := map[string]gitx.ID{}
	for _, e := range project.Entries {
		ids[e.Path] = e.ID
	}
	s.Repository = repo.CommonDir
	for _, role := range slices.Sorted(maps.Keys(project.Settings.Roles)) {
		prompt := project.Settings.Roles[role].Prompt
		for _, p := range [][]string{{"extended by", prompt.Extend}, {"replaced by", prompt.Replace}} {
			if path := p[1]; path != "" {
				s.Commands = append(s.Commands, []string{"prompt", "of the " + string(role), p[0], path, string(ids[path])})
			}
		}
	}
	return s, len(s.Commands) > 0
}

// permitPrompts refuses words that the user has not approved.
func (p *program) permitPrompts(repo *gitx.Repo) func(*check.Project) error {
	return func(project *check.Project) error {
		s, ok := promptSubject(repo, project)
		if !ok {
			return nil
		}
		store, err := p.trustStore()
		if err != nil {
			return err
		}
		approved, err := store.Approved(s)
		if err == nil && !approved {
			err = &untrustedError{what: "texts for roles", top: repo.Place(), tree: project.Tree, runs: s.Commands}
		}
		return err
	}
}

// words looks at a repository's own texts for its roles.
func (d *doctor) words() {
	s, some := promptSubject(d.repo, d.project)
	if !some {
		return
	}
	if err := d.p.permitPrompts(d.repo)(d.project); err != nil {
		d.say("prompts", ill, err.Error(), "read them with `git tdd trust --show`, approve them with `git tdd trust`")
		return
	}
	d.say("prompts", well, count(len(s.Commands), "text")+" for roles approved", "")
}
