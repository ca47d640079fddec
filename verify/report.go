package verify

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
)

// Verdict is the verdict on one commit, or on a whole report.
type Verdict string

// The verdicts.
const (
	Held     Verdict = "held"
	Refused  Verdict = "refused"
	Unjudged Verdict = "unjudged"
)

// Proof is one commit of a range.
type Proof struct {
	Commit   gitx.ID         `json:"commit"`
	Step     int             `json:"step,omitempty"`
	Role     gates.Role      `json:"role,omitempty"`
	Subject  string          `json:"subject"`
	Phase    gates.Phase     `json:"phase,omitempty"` // what an inferred step was
	Claim    string          `json:"claim,omitempty"` // what the trailers say
	Seen     string          `json:"seen"`            // what was measured; empty if nothing had to be
	Verdict  Verdict         `json:"verdict"`
	Findings []gates.Finding `json:"findings,omitempty"`
	Notes    []gates.Finding `json:"notes,omitempty"` // what a gate could not tell; no reason to refuse
	// Places are the files of the tests that findings name and, under the empty name, a
	// file of the change: for reports in which everything needs a file.
	Places map[string]string `json:"places,omitempty"`
	// Partial is set if no more was asked of the worth of tests than a hook had asked here.
	Partial bool `json:"partial,omitempty"`
}

// Doubt says why a commit that held may not be what it seems; empty if nothing does.
func (p Proof) Doubt() string {
	note, ok := gates.Find(p.Notes, func(f gates.Finding) bool { return f.Doubt })
	if !ok || p.Verdict != Held {
		return ""
	}
	return note.Path + " can tell that it is tested"
}

// Told lists the gates that would have refused the commit, if the policy did not only tell.
func (p Proof) Told() []string { return gates.Verdict{Notes: p.Notes}.Told() }

// Report is the proofs of a range, the oldest commit first.
type Report struct {
	Commits  []Proof `json:"commits"`
	Measured int     `json:"measured"` // trees that had to be measured
	Note     string  `json:"note,omitempty"`
	Shard    *Shard  `json:"shard,omitempty"` // nil if the report is complete
}

// Partial is how many commits were asked only as far as a hook did.
func (r Report) Partial() int { return r.count(func(p Proof) bool { return p.Partial }) }

// Count is how many commits have a verdict.
func (r Report) Count(v Verdict) int { return r.count(func(p Proof) bool { return p.Verdict == v }) }

// Doubtful is how many commits held, but may not be what they seem.
func (r Report) Doubtful() int { return r.count(func(p Proof) bool { return p.Doubt() != "" }) }

// LetThrough is how many commits held although a gate would have refused them.
func (r Report) LetThrough() int { return r.count(func(p Proof) bool { return len(p.Told()) > 0 }) }

func (r Report) count(is func(Proof) bool) int {
	return len(slices.DeleteFunc(slices.Clone(r.Commits), func(p Proof) bool { return !is(p) }))
}

// Verdict is refused if a commit was refused, or otherwise unjudged if one was unjudged.
func (r Report) Verdict() Verdict {
	for _, v := range []Verdict{Refused, Unjudged} {
		if r.Count(v) > 0 {
			return v
		}
	}
	return Held
}

// Shard says which part of which range a report is about.
type Shard struct {
	Number int    `json:"number"` // from 1
	Of     int    `json:"of"`
	Range  string `json:"range"` // a digest of all commits of the range
}

// ParseShard reads "2/5".
func ParseShard(text string) (Shard, error) {
	var s Shard
	if _, err := fmt.Sscanf(text, "%d/%d", &s.Number, &s.Of); err != nil || s.String() != text || s.Number < 1 || s.Of < s.Number {
		return s, fmt.Errorf("a shard is written i/n with 1 ≤ i ≤ n, not %q", text)
	}
	return s, nil
}

// String is the shard in the form that ParseShard reads.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Number, s.Of) }

// Cut returns the shard's part of a range, and the shard with the range's
// digest. Adjacent commits stay together, so that builds stay warm.
func (s Shard) Cut(ids []gitx.ID) ([]gitx.ID, Shard) {
	words := gates.Each(ids, func(id gitx.ID) string { return string(id) })
	sum := sha256.Sum256([]byte(strings.Join(words, "\n")))
	s.Range = hex.EncodeToString(sum[:])
	return part(ids, s.Number-1, s.Of), s
}

// part is the i-th of n parts of a list, counted from 0.
func part[T any](list []T, i, n int) []T { return list[i*len(list)/n : (i+1)*len(list)/n] }

// ErrShards says that reports do not add up to one range.
var ErrShards = errors.New("these are not the shards of one range")

// Merge joins the reports of all shards of a range, in any order. It fails with
// ErrShards if one is missing, duplicated, or about another range.
func Merge(reports []Report) (Report, error) {
	reports = slices.Clone(reports)
	for i, r := range reports {
		if r.Shard == nil {
			return Report{}, fmt.Errorf("%w: report %d is of no shard", ErrShards, i+1)
		}
	}
	slices.SortStableFunc(reports, func(a, b Report) int { return a.Shard.Number - b.Shard.Number })
	whole := Report{Commits: []Proof{}}
	for i, r := range reports {
		switch first := reports[0].Shard; {
		case r.Shard.Of != first.Of || r.Shard.Range != first.Range:
			return Report{}, fmt.Errorf("%w: shard %s is of another range than shard %s", ErrShards, r.Shard, first)
		case r.Shard.Of != len(reports):
			return Report{}, fmt.Errorf("%w: there are %d reports, and %d shards", ErrShards, len(reports), r.Shard.Of)
		case r.Shard.Number != i+1:
			return Report{}, fmt.Errorf("%w: shard %d/%d is missing", ErrShards, i+1, r.Shard.Of)
		}
		whole.Commits = append(whole.Commits, r.Commits...)
		whole.Measured += r.Measured
		whole.Note = max(whole.Note, r.Note)
	}
	if len(reports) == 0 {
		return Report{}, fmt.Errorf("%w: there is none", ErrShards)
	}
	ids := gates.Each(whole.Commits, func(p Proof) gitx.ID { return p.Commit })
	if _, s := (Shard{Number: 1, Of: 1}).Cut(ids); s.Range != reports[0].Shard.Range {
		return Report{}, fmt.Errorf("%w: their commits are not those of the range", ErrShards)
	}
	return whole, nil
}
