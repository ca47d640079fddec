package verify_test

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/verify"
)

// Shards cover a range exactly once, and only all of them merge.
func TestShards(t *testing.T) {
	t.Parallel()
	for commits := range 12 {
		var ids []gitx.ID
		for i := range commits {
			ids = append(ids, gitx.ID(fmt.Sprintf("%040d", i)))
		}
		for of := 1; of < 15; of++ {
			var reports []verify.Report
			for n := of; n > 0; n-- {
				s, err := verify.ParseShard(fmt.Sprintf("%d/%d", n, of))
				gittest.Check(t, err)
				part, s := s.Cut(ids)
				r := verify.Report{Shard: &s, Measured: 1}
				for _, id := range part {
					r.Commits = append(r.Commits, verify.Proof{Commit: id, Verdict: verify.Held})
				}
				reports = append(reports, r)
			}
			whole, err := verify.Merge(reports)
			if err != nil || len(whole.Commits) != commits || whole.Measured != of || whole.Shard != nil {
				t.Fatalf("%d commits in %d shards: %+v, %v", commits, of, whole, err)
			}
			for i, p := range whole.Commits {
				if p.Commit != ids[i] {
					t.Fatalf("%d commits in %d shards: out of order", commits, of)
				}
			}
			if _, err := verify.Merge(reports[1:]); !errors.Is(err, verify.ErrShards) {
				t.Errorf("%d of %d shards merge: %v", of-1, of, err)
			}
		}
	}
}

func TestMerge_foreign(t *testing.T) {
	t.Parallel()
	shard := func(n, of int, digest string, ids ...gitx.ID) verify.Report {
		r := verify.Report{Shard: &verify.Shard{Number: n, Of: of, Range: digest}}
		for _, id := range ids {
			r.Commits = append(r.Commits, verify.Proof{Commit: id, Verdict: verify.Held})
		}
		return r
	}
	_, whole := (verify.Shard{Number: 1, Of: 2}).Cut([]gitx.ID{"a", "b"})
	for name, reports := range map[string][]verify.Report{
		"none": {}, "no shard": {{}}, "two ranges": {shard(1, 2, "x"), shard(2, 2, "y")},
		"doubled": {shard(1, 2, whole.Range, "a"), shard(1, 2, whole.Range, "a")},
		"swapped": {shard(1, 2, whole.Range, "b"), shard(2, 2, whole.Range, "a")},
		"shorter": {shard(1, 2, whole.Range, "a"), shard(2, 2, whole.Range)},
	} {
		if _, err := verify.Merge(reports); !errors.Is(err, verify.ErrShards) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := verify.Merge([]verify.Report{shard(2, 2, whole.Range, "b"), shard(1, 2, whole.Range, "a")}); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{"", "1", "0/2", "3/2", "1/2/3", " 1/2", "-1/2", "+1/2", "1/2x"} {
		if _, err := verify.ParseShard(bad); err == nil {
			t.Errorf("%q is taken for a shard", bad)
		}
	}
}

// All jobs together measure each tree once, even if records must not be used,
// and the verdicts are the same.
func TestRun_measuresOnce(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	ids := honestly(l).ids()
	first := l.run(4, check.UseRecord, ids)
	if first.Measured != 4 || first.Verdict() != verify.Held {
		t.Errorf("cold: %d measured, %+v", first.Measured, first)
	}
	for jobs, fresh := range map[int]check.Fresh{1: check.UseRecord, 2: check.Anew, 4: check.Anew} {
		again := l.run(jobs, fresh, ids)
		if want := map[check.Fresh]int{check.UseRecord: 0, check.Anew: 4}[fresh]; again.Measured != want {
			t.Errorf("%d jobs, %q: %d measured, want %d", jobs, fresh, again.Measured, want)
		}
		if !reflect.DeepEqual(again.Commits, first.Commits) {
			t.Errorf("%d jobs, %q: another verdict", jobs, fresh)
		}
	}
}
