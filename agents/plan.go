package agents

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

// EditPlan is what a model proposes in one step: files, or parts of files, that
// it wants written, and words for the commit. None of it is trusted; it is
// applied, measured and judged.
type EditPlan struct {
	Edits  []Edit      `json:"edits"`
	Commit *CommitPart `json:"commit"` // nil if the model gave none
	Plan   string      `json:"plan"`   // in Markdown; empty if the model was not asked for one here
	Notes  string      `json:"notes"`
	// Dispute says why nobody can satisfy the open red. Such a plan has no edits.
	Dispute string `json:"dispute,omitempty"`
	// Need are the paths and names that the role asks to be shown before it answers. Such
	// a plan has nothing else.
	Need []string `json:"need,omitempty"`
	// Done says that the role has nothing left to do. Such a plan has no edits.
	Done bool `json:"done"`
	// Criterion is the id of the acceptance criterion served; 0 for none.
	Criterion int `json:"criterion,omitempty"`
	// Covered says whether passing tests cover all of it then; empty if unknown.
	Covered gates.Extent `json:"covered,omitempty"`
	// Acceptance says that the test is the acceptance test of the criterion.
	Acceptance bool `json:"-"`
}

// Answer is a plan as the model that made it could have written it.
func Answer(p EditPlan) string {
	text, _ := json.Marshal(EditPlan{Plan: p.Plan, Edits: append([]Edit{}, p.Edits...), Notes: p.Notes, Done: p.Done}) // texts alone: it cannot fail
	return string(text)
}

// Action is what an edit does with its path.
type Action string

// The actions of an edit.
const (
	Upsert  Action = "upsert"  // write the file, whether it exists or not
	Delete  Action = "delete"  // remove the file
	Append  Action = "append"  // add to the end of the file
	Replace Action = "replace" // put something else in the place of one passage
)

// part reports whether an action changes a part of a file. Several parts of one
// file may be changed, one after the other.
func (a Action) part() bool { return a == Append || a == Replace }

// Edit is one file of a plan, or one part of a file.
type Edit struct {
	Path    string `json:"path"` // slash-separated, relative to the repository's root
	Action  Action `json:"action"`
	Old     string `json:"old,omitempty"` // of Replace: the passage, which the file contains once
	Content string `json:"content"`       // the whole file, or what is put in, byte for byte; empty for Delete
}

// CommitPart is what the model says about its own change.
type CommitPart struct {
	Type        string     `json:"type"`
	Scope       string     `json:"scope"`
	Summary     string     `json:"summary"`
	Rationale   []string   `json:"rationale"`
	DiffSummary []DiffItem `json:"diff_summary"`
}

// DiffItem says what the model meant to do to one file.
type DiffItem struct {
	Path   string `json:"path"`
	Intent string `json:"intent"`
}

// What an answer may contain: generous for a step and small for a machine.
const (
	maxAnswerBytes = 4 << 20
	maxFileBytes   = 1 << 20
	maxEdits       = 100
)

// PlanError says why an answer cannot be used as an edit plan, in words that help the model
// that wrote it to repair it. The path of a problem is that of a file, or of a part of the
// answer: "edits[1].content"; empty for the whole of it.
type PlanError struct {
	Problems []gates.Finding
}

// Error lists every problem, one a line.
func (e *PlanError) Error() string {
	return "the answer is no usable edit plan: " + strings.Join(e.Lines(), "\n")
}

// Lines are the problems, each in one line.
func (e *PlanError) Lines() []string {
	return gates.Each(e.Problems, func(p gates.Finding) string {
		at := ""
		if p.Path != "" {
			at = oneLine(p.Path, maxItem) + ": "
		}
		return at + p.Seen + " – " + p.Remedy
	})
}

// refuse makes an error of a single problem.
func refuse(path, remedy, format string, args ...any) *PlanError {
	return &PlanError{Problems: []gates.Finding{{Gate: "plan", Path: path, Seen: fmt.Sprintf(format, args...), Remedy: remedy}}}
}
