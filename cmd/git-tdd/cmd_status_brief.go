package main

import (
	"github.com/git-tdd/git-tdd/gates"
)

// brief is what `git tdd status --json` prints: what an agent needs for its next
// step, in a thousand bytes.
type brief struct {
	Branch        string       `json:"branch"` // empty if HEAD is detached
	Commit        string       `json:"commit"` // empty if the branch is unborn
	Ready         bool         `json:"ready"`  // whether a step can be taken
	Why           string       `json:"why,omitempty"`
	Next          *nextStep    `json:"next,omitempty"`
	Action        *briefAction `json:"action,omitempty"` // nil if there is nothing to do, or something to mend first
	Complete      bool         `json:"complete,omitempty"`
	Hooks         string       `json:"hooks,omitempty"`     // what to do where commits pass unguarded, as in a fresh clone
	Unguarded     bool         `json:"unguarded,omitempty"` // HEAD was committed with the hooks switched off
	Claimed       bool         `json:"claimed,omitempty"`   // the last step's tree was never measured here
	Tests         string       `json:"tests,omitempty"`     // of HEAD, if they are on record
	Failing       []string     `json:"failing,omitempty"`   // the first of them
	Contradiction string       `json:"contradiction,omitempty"`
	Interrupted   bool         `json:"interrupted,omitempty"`
	LastFailure   string       `json:"last_failure,omitempty"`
	Telling       []string     `json:"telling,omitempty"` // the gates that let through what they would refuse
}

// nextStep is a step that is still to be taken.
type nextStep struct {
	Number int `json:"step"`
	Cycle  int `json:"cycle"`
}

// briefAction is an action without its patterns.
type briefAction struct {
	Role     gates.Role  `json:"role"`
	Phase    gates.Phase `json:"phase"`
	Types    []string    `json:"types"`
	Expected string      `json:"expected"`
	Or       string      `json:"or,omitempty"` // another commit that may come next
	// May says how much of each kind of file the role may change, and Only which
	// paths, where it has paths of its own.
	May    map[gates.Kind]gates.Reach `json:"may,omitempty"`
	Only   []string                   `json:"only,omitempty"`
	Commit []string                   `json:"commit"`
}

// named is how many failing tests a brief names.
const named = 3

func (s status) brief() brief {
	b := brief{
		Branch: s.Branch, Commit: s.Commit, Ready: s.Ready, Why: s.Why, Complete: s.Complete, Hooks: s.Hooks, Unguarded: s.Unguarded,
		Claimed: s.Claimed, Contradiction: s.Contradiction, Interrupted: s.Interrupted, LastFailure: s.LastFailure, Telling: s.Telling,
	}
	if s.Next != nil {
		b.Next = &nextStep{s.Next.Number, s.Next.Cycle}
	}
	if s.Facts != nil {
		b.Tests = gates.TestsText(*s.Facts)
		for _, t := range s.Facts.With(gates.StatusFailed) {
			if len(b.Failing) < named {
				b.Failing = append(b.Failing, t.ID)
			}
		}
	}
	if a := s.Action; a != nil {
		b.Action = &briefAction{Role: a.Role, Phase: a.Phase, Types: a.Types, Expected: a.Expected, Or: a.Or, May: map[gates.Kind]gates.Reach{}, Only: a.own, Commit: a.Commit}
		for _, r := range a.Paths {
			if r.Kind != gates.KindOther {
				b.Action.May[r.Kind] = r.May
			}
		}
	}
	return b
}
