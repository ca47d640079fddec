package gates

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// Extent says how much of an acceptance criterion the passing tests cover once
// those of a step pass. A step that does not say counts as whole.
type Extent string

// The extents.
const (
	Part  Extent = "part"
	Whole Extent = "whole"
)

// criterionPattern is the value of a Tdd-Criterion trailer: "2", "2 (part)".
var criterionPattern = lazyregexp.New(`^([0-9]{1,9})(?: \((part|whole)\))?$`)

// Criteria reads the acceptance criteria that a commit says it serves, and how far
// it says that they are covered.
func Criteria(m commitmsg.Message) (ids []int, covered map[int]Extent) {
	for _, v := range m.All(KeyCriterion) {
		found := criterionPattern().FindStringSubmatch(v)
		if found == nil {
			continue
		}
		id, _ := strconv.Atoi(found[1])
		ids = append(ids, id)
		if found[2] != "" {
			if covered == nil {
				covered = map[int]Extent{}
			}
			covered[id] = Extent(found[2])
		}
	}
	return ids, covered
}

// unlisted refuses a criterion that the kata does not list, where it lists any.
func unlisted(c *Premise) (out []Finding) {
	ids, _ := Criteria(c.Message)
	for _, id := range ids {
		if len(c.Listed) > 0 && !slices.Contains(c.Listed, id) {
			out = append(out, objection(fmt.Sprintf("%s is %d, but the kata lists %s", KeyCriterion, id, strings.Trim(fmt.Sprint(c.Listed), "[]")),
				"name one that it lists (git tdd status), add this one to the kata, or leave the trailer out"))
		}
	}
	return out
}
