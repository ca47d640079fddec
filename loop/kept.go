package loop

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
)

// Kept is a refused attempt that is kept.
type Kept struct {
	Ref      string
	Step     int
	Role     gates.Role
	Number   int
	Findings []string // each one line
	On       gitx.ID  // the commit that it was to follow
}

// AllKept reads the attempts that are kept, ordered by step and number.
func AllKept(ctx context.Context, repo *gitx.Repo) ([]Kept, error) {
	refs, err := repo.Refs(ctx, AttemptRefs)
	if err != nil {
		return nil, err
	}
	all := []Kept{}
	for _, ref := range refs {
		k, ok := parseKept(ref)
		if !ok {
			continue
		}
		c, err := repo.Commit(ctx, string(ref.ID))
		if err != nil {
			return nil, err
		}
		if len(c.Parents) > 0 {
			k.On = c.Parents[0]
		}
		_, findings, _ := strings.Cut(c.Message, "\n\n") // not the body: findings look like trailers
		k.Findings = strings.FieldsFunc(findings, func(r rune) bool { return r == '\n' })
		all = append(all, k)
	}
	slices.SortStableFunc(all, func(a, b Kept) int {
		return cmp.Or(a.Step-b.Step, a.Number-b.Number)
	})
	return all, nil
}

// parseKept reads "refs/tdd/attempts/4-tester/2-1a2b3c4d"; /last is another name for one of them.
func parseKept(ref gitx.NamedRef) (Kept, bool) {
	step, rest, _ := strings.Cut(strings.TrimPrefix(ref.Name, AttemptRefs), "-")
	role, rest, _ := strings.Cut(rest, "/")
	number, _, _ := strings.Cut(rest, "-")
	k := Kept{Ref: ref.Name, Role: gates.Role(role)}
	var err, err2 error
	k.Step, err = strconv.Atoi(step)
	k.Number, err2 = strconv.Atoi(number)
	return k, err == nil && err2 == nil
}
