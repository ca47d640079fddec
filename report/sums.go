package report

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/loop"
)

// role is what a role did and used.
type role struct {
	Name, Class, Models string
	Steps, Refused      int
	In, Out             int // tokens
	Estimated           bool
}

// criterion is an acceptance criterion as the page lists it.
type criterion struct {
	ID         int
	Text, Says string
	Met        bool
	Steps      []link
}

// link leads to a commit.
type link struct{ Anchor, Text string }

// roles sums up what each role did, in the order of a cycle.
func roles(h History) []role {
	var out []role
	for _, c := range h.Commits {
		if c.Step.Number == 0 {
			continue
		}
		name := short(string(c.Step.Role), 30)
		at := slices.IndexFunc(out, func(r role) bool { return r.Name == name })
		if at < 0 {
			at = len(out)
			out = append(out, role{Name: name, Class: c.lane()})
		}
		r := &out[at]
		in, answer, estimated := tokensOf(c)
		r.Steps, r.Refused, r.In, r.Out = r.Steps+1, r.Refused+len(c.Attempts), r.In+in, r.Out+answer
		r.Estimated = r.Estimated || estimated
		if model := short(c.Step.Model, 60); model != "" && !slices.Contains(strings.Split(r.Models, ", "), model) {
			r.Models = short(strings.TrimPrefix(r.Models+", "+model, ", "), 120)
		}
	}
	return out[:min(len(out), 20)]
}

// tokensPattern is a Tdd-Tokens value.
var tokensPattern = lazyregexp.New(`^(\d{1,9}) in, (\d{1,9}) out( \(estimated\))?$`)

func tokensOf(c Commit) (in, out int, estimated bool) {
	m := tokensPattern().FindStringSubmatch(c.Step.Tokens)
	if m == nil {
		return 0, 0, false
	}
	in, _ = strconv.Atoi(m[1])
	out, _ = strconv.Atoi(m[2])
	return in, out, m[3] != ""
}

// refusals counts attempts by the gates that objected.
func refusals(h History) []row {
	attempts := slices.Concat(append(gates.Each(h.Commits, func(c Commit) []loop.Kept { return c.Attempts }), h.Pending)...)
	counts := map[string]int{}
	for _, k := range attempts {
		for _, gate := range Gates(k.Findings) {
			counts[gate]++
		}
	}
	most := slices.SortedFunc(maps.Keys(counts), func(a, b string) int { return cmp.Or(counts[b]-counts[a], strings.Compare(a, b)) })
	return gates.Each(most, func(gate string) row { return row{gate, strconv.Itoa(counts[gate])} })
}

// Gates lists the gates that some findings name, each once.
func Gates(findings []string) []string {
	known := append(gates.Each(gates.All(), func(g gates.Gate) string { return g.Name }), "plan") // an edit plan that cannot be applied
	var out []string
	for _, f := range findings {
		if gate, _, ok := strings.Cut(f, ": "); ok && slices.Contains(known, gate) && !slices.Contains(out, gate) {
			out = append(out, gate)
		}
	}
	if len(out) == 0 {
		return []string{"other"}
	}
	return out
}

// criterionOf says what speaks for a criterion.
func criterionOf(h History, c check.Criterion) criterion {
	v := criterion{ID: c.ID, Text: short(c.Text, 300), Met: c.State == check.Passing}
	for _, commit := range h.Commits {
		if slices.Contains(commit.Step.Criteria, c.ID) && len(v.Steps) < 10 {
			v.Steps = append(v.Steps, link{anchor(commit), "step " + strconv.Itoa(commit.Step.Number)})
		}
	}
	switch measured := h.Commits[len(h.Commits)-1].Facts != nil; {
	case v.Met:
		v.Says = short(strings.Join(c.Tests, ", "), 200)
	case c.Acceptance != "":
		v.Says = "failing: " + short(c.Acceptance, 200) + ", its acceptance test"
	case len(c.Tests) > 0:
		v.Says = "in part: " + short(strings.Join(c.Tests, ", "), 200)
	case len(v.Steps) > 0 && !measured:
		v.Says = "named; the last commit has not been measured here"
	case len(v.Steps) > 0:
		v.Says = "named, but no test for it passes yet"
	default:
		v.Says = "open"
	}
	if c.Cycles > 0 {
		v.Says += " · " + gates.Count(c.Cycles, "cycle")
	}
	return v
}

// pending is the attempts at the step after the last one.
func pending(h History) *commit {
	if len(h.Pending) == 0 {
		return nil
	}
	return &commit{
		Anchor: "next", Number: strconv.Itoa(h.Pending[0].Step), Phase: "open", Class: "other", Blocks: gates.Each(h.Pending, attempt),
		Subject: fmt.Sprintf("not taken yet, by the %s", short(string(h.Pending[0].Role), 30)), Aside: gates.Count(len(h.Pending), "attempt"),
	}
}

// lane is the kind of a commit, which decides its colour.
func (c Commit) lane() string { return cmp.Or(string(c.Phase), "other") }

func total(t gates.Tally) int { return t.Passed + t.Failed + t.Skipped }

// tally counts a commit's tests: by facts on record, and otherwise as the trailers claim.
func (c Commit) tally() gates.Tally {
	if c.Facts != nil {
		return gates.TallyOf(*c.Facts)
	}
	return gates.ParseTally(c.Step.Tests)
}

// ran is how long the commands of the project took, by facts on record.
func (c Commit) ran() time.Duration {
	if c.Facts == nil {
		return 0
	}
	return time.Duration(c.Facts.DurationMS) * time.Millisecond
}

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
	t := Told{Range: o.Range, Gates: gates.Each(gates.All(), func(g gates.Gate) GateTold { return GateTold{Gate: g.Name} })}
	for _, id := range o.Commits {
		c, err := o.Repo.Commit(ctx, string(id))
		if err != nil {
			return t, err
		}
		if len(c.Parents) == 0 {
			continue
		}
		rules, err := o.Checker.Settings(ctx, c.Parents[0]) // its rules are its parent's, which are not here where a shallow clone ends
		if err != nil || len(rules.Settings.Gates.Telling()) == 0 {
			continue
		}
		t.count(commitmsg.Parse(c.Message))
		if project, err := o.Checker.Outline(ctx, c.Tree); err == nil {
			t.charge(ctx, project, c)
		}
	}
	return t, ctx.Err()
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
