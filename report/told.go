package report

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
)

// Told is what hooks said of a history whose rules only tell, as its trailers have it.
type Told struct {
	Range    string     `json:"range"`
	Commits  int        `json:"commits"` // made while a gate only told
	Told     int        `json:"told"`    // of those, the ones that would have been refused
	Unjudged int        `json:"unjudged"`
	Gates    []GateTold `json:"gates"`
}

// GateTold is one gate of it.
type GateTold struct {
	Gate    string  `json:"gate"`
	Told    int     `json:"told"`
	Seconds float64 `json:"seconds"` // that its measurements took, as far as they are on record here
}

// ReadTold counts what was told in a history. It runs no command of the repository.
func ReadTold(ctx context.Context, o Options) (Told, error) {
	t := Told{Range: o.Range}
	for _, g := range gates.All() {
		t.Gates = append(t.Gates, GateTold{Gate: g.Name})
	}
	for _, id := range o.Commits {
		c, err := o.Repo.Commit(ctx, string(id))
		if err != nil {
			return t, err
		}
		if telling, err := tells(ctx, o, c); err != nil || !telling {
			if err != nil {
				return t, err
			}
			continue
		}
		t.count(commitmsg.Parse(c.Message))
		if project, err := o.Checker.Outline(ctx, c.Tree); err == nil {
			t.charge(ctx, project, c)
		}
	}
	return t, nil
}

// tells reports whether the rules of a commit, which are its parent's, only tell.
func tells(ctx context.Context, o Options, c gitx.Commit) (bool, error) {
	if len(c.Parents) == 0 {
		return false, nil
	}
	before, err := o.Repo.Commit(ctx, string(c.Parents[0]))
	if err != nil {
		return false, nil //nolint:nilerr // a shallow clone ends here
	}
	rules, err := o.Checker.Settings(ctx, before.Tree)
	return err == nil && len(rules.Settings.Gates.Telling()) > 0, ctx.Err()
}

// count counts what one commit says.
func (t *Told) count(m commitmsg.Message) {
	t.Commits++
	said, told := m.Get(gates.KeyTold)
	switch {
	case !told:
		return
	case said == gates.ToldUnjudged:
		t.Unjudged++
		return
	}
	t.Told++
	names := strings.Split(said, ", ")
	for i, g := range t.Gates {
		if slices.Contains(names, g.Gate) {
			t.Gates[i].Told++
		}
	}
}

// charge adds what judging a commit took to the gates that needed it: the run of its
// tests to that of its role, and what its tests are worth to hollow.
func (t *Told) charge(ctx context.Context, p *check.Project, c gitx.Commit) {
	ran := map[gates.Role]string{gates.Tester: "red", gates.Implementor: "green", gates.Refactorer: "same-tests", "": "stay-green"}
	header, _ := commitmsg.ParseHeader(commitmsg.Parse(c.Message).Subject)
	run, worth := p.Cost(ctx, c.Tree)
	for gate, took := range map[string]time.Duration{ran[gates.RoleOf(header.Type)]: run, "hollow": worth} {
		i := slices.IndexFunc(t.Gates, func(g GateTold) bool { return g.Gate == gate })
		t.Gates[i].Seconds += took.Seconds()
	}
}
