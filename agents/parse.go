package agents

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

// ParseEditPlan reads a model's answer. It is lenient about what surrounds the
// plan – prose, a code fence, a block of reasoning – and about trailing commas
// and a missing commit, and strict about everything else. The error is always a
// *PlanError. A plan that parses is well-formed, not safe: CheckPaths is next.
func ParseEditPlan(answer string) (EditPlan, error) {
	object, err := wanted{
		keys: []string{"edits", "done", "need"}, remedy: remedyOne,
		begins: []string{"plan", "need", "edits", "commit", "notes", "dispute", "done", "criterion", "covered"},
	}.find(answer)
	if err != nil {
		return EditPlan{}, planError(err)
	}
	var wire wirePlan
	strict := json.NewDecoder(strings.NewReader(object))
	strict.DisallowUnknownFields()
	if err := strict.Decode(&wire); err != nil {
		return EditPlan{}, planError(err)
	}
	wire.Dispute = strings.TrimSpace(wire.Dispute)
	wire.Need = slices.DeleteFunc(wire.Need, func(name string) bool { return strings.TrimSpace(name) == "" })
	if problems := wire.problems(); len(problems) > 0 {
		return EditPlan{}, &PlanError{Problems: problems}
	}
	return wire.plan(), nil
}

func planError(err error) *PlanError {
	if plan, ok := errors.AsType[*PlanError](err); ok {
		return plan
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return typeProblem(wrong)
	}
	return refuse("", remedyOne, "JSON that is no edit plan: %v", err)
}

// wirePlan is an edit plan as it stands in JSON.
type wirePlan struct {
	EditPlan
	Edits []wireEdit `json:"edits"`
}

// wireEdit is an edit whose content may be missing.
type wireEdit struct {
	Edit
	Content *string `json:"content"`
}

// acceptance is "covered" of an acceptance test.
const acceptance gates.Extent = "acceptance"

// problems lists what is wrong with a plan that is well-formed JSON.
func (w wirePlan) problems() []gates.Finding {
	disputes := w.Dispute != ""
	switch {
	case w.asks():
		return nil
	case disputes && (len(w.Edits) > 0 || w.Done):
		return refuse("dispute", `give edits and "dispute": null, or a dispute and neither edits nor "done"`, "a dispute, and something else").Problems
	case len(w.Edits) == 0 && !w.Done && !disputes:
		return refuse("edits", `give at least one edit, or "done": true if your role has nothing left to do`, "no edits, and not done").Problems
	case len(w.Edits) > 0 && w.Done:
		return refuse("done", `give edits and "done": false, or "done": true and no edits; "done" never means that the answer is finished`, "edits, and done").Problems
	case w.Covered != "" && w.Covered != gates.Part && w.Covered != gates.Whole && w.Covered != acceptance:
		return refuse("covered", `say "part" or "whole", or null without a criterion`, "the unknown word %q", oneLine(string(w.Covered), 40)).Problems
	case len(w.Edits) > maxEdits:
		return refuse("edits", "propose a smaller step", "%d edits, more than the limit of %d", len(w.Edits), maxEdits).Problems
	}
	var out []gates.Finding
	first := map[string]int{}
	for i, e := range w.Edits {
		at := fmt.Sprintf("edits[%d]", i)
		out = append(out, e.problems(at)...)
		j, twice := first[e.Path]
		if twice && (!e.Action.part() || !w.Edits[j].Action.part()) {
			out = append(out, refuse(at+".path", `give a whole file once, with its final content; only "append" and "replace" may repeat`, "%q again, already in edits[%d]", oneLine(e.Path, maxItem), j).Problems...)
		}
		first[e.Path] = i
	}
	return out
}

// asks reports whether a plan asks for something and proposes nothing.
func (w wirePlan) asks() bool {
	return len(w.Need) > 0 && len(w.Edits) == 0 && !w.Done && w.Dispute == ""
}

// problems lists what is wrong with one edit, considered alone.
func (e wireEdit) problems(at string) []gates.Finding {
	var p *PlanError
	switch {
	case e.Path == "":
		p = refuse(at+".path", "name the file, relative to the repository's root", "no path")
	case e.Action != Upsert && e.Action != Delete && !e.Action.part():
		p = refuse(at+".action", `use "upsert", "append", "replace" or "delete"`, "the unknown action %q", oneLine(string(e.Action), 40))
	case e.Action != Delete && e.Content == nil:
		p = refuse(at+".content", "give what is to be written", "no content for %q", oneLine(e.Path, maxItem))
	case e.Action == Replace && e.Old == "":
		p = refuse(at+".old", "copy the passage that is to be replaced from the file", "no old text for %q", oneLine(e.Path, maxItem))
	case e.Action != Replace && e.Old != "":
		p = refuse(at+".old", `leave it out, or use "replace"`, "old text for the action %q", string(e.Action))
	case e.Action == Delete && e.Content != nil && *e.Content != "":
		p = refuse(at, `use "upsert" to write the file, or leave the content out to delete it`, "content for a file to be deleted")
	case e.Content != nil && len(*e.Content) > maxFileBytes:
		p = refuse(at+".content", "propose a smaller file", "%d bytes, more than the limit of %d", len(*e.Content), maxFileBytes)
	case e.Content != nil && strings.ContainsRune(*e.Content, 0):
		p = refuse(at+".content", "write text files only", "a NUL byte")
	case e.Content != nil && strings.ContainsRune(*e.Content, '\b'):
		p = refuse(at+".content", `for a backslash and a b write \\b; JSON takes \b for one character, the backspace`, "a backspace")
	default:
		return nil
	}
	return p.Problems
}

// plan is the plan with its edits.
func (w wirePlan) plan() EditPlan {
	p := w.EditPlan
	if !w.asks() {
		p.Need = nil // who proposes something could do without
	}
	if p.Acceptance = p.Covered == acceptance; p.Acceptance {
		p.Covered = ""
	}
	for _, e := range w.Edits {
		if e.Content != nil {
			e.Edit.Content = *e.Content
		}
		p.Edits = append(p.Edits, e.Edit)
	}
	return p
}
