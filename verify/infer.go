package verify

import (
	"context"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
)

// Infer judges the commits of a history without trailers: each as the step that
// its message names, or that its change and the facts suggest. Anything else in
// a message does not count against it. If no role fits, the findings are those
// for the most likely one. The commits are judged one after another, because
// each determines where the next one stands; their trees are measured in
// parallel before that.
func Infer(ctx context.Context, o Options, ids []gitx.ID) (Report, error) {
	i, measured := inference{o: o}, 0
	if o.Jobs > 1 { // each by itself, which measures what most of them need
		o.OnProof, o.prove = nil, func(ctx context.Context, checker *check.Checker, id gitx.ID) (Proof, error) {
			alone := inference{o: i.o}
			return alone.prove(ctx, checker, id)
		}
		report, err := Run(ctx, o, ids)
		if err != nil {
			return report, err
		}
		measured = report.Measured
	}
	o.OnProof, o.Jobs, o.prove = i.o.OnProof, 1, i.prove
	report, err := Run(ctx, o, ids)
	report.Measured += measured
	return report, err
}

// inference goes through a history and keeps track of where it stands.
type inference struct {
	o       Options
	checker *check.Checker
	pos     gates.Position
}

func (i *inference) prove(ctx context.Context, checker *check.Checker, id gitx.ID) (Proof, error) {
	i.checker = checker
	commit, err := i.o.Repo.Commit(ctx, string(id))
	if err != nil {
		return Proof{}, err
	}
	proof := Proof{Commit: id, Subject: commitmsg.Parse(commit.Message).Subject, Verdict: Held}
	j, outside, err := i.judge(ctx, commit)
	if err != nil {
		return i.o.failed(ctx, proof, err)
	}
	proof.settle(j)
	if proof.Role = j.Case.Plays; proof.Verdict == Held {
		proof.Phase = j.Step.Phase
	}
	if proof.Seen == "" && outside.After.Facts.Outcome != "" {
		proof.Seen = gates.TestsText(outside.After.Facts)
	}
	i.advance(commit.ID, j, outside)
	if i.pos.Commit == string(commit.ID) {
		proof.Step = i.pos.Step.Number
	}
	return proof, nil
}

// judge judges a commit in the likeliest of the roles that explain it, or otherwise
// in the likeliest of all. Its facts alone, outside the loop, say which these are.
func (i *inference) judge(ctx context.Context, commit gitx.Commit) (j, outside check.Judgement, err error) {
	if outside, err = i.as(ctx, commit, "", gates.Ordinary, true); err != nil {
		return j, outside, err
	}
	roles := candidates(commit, commitmsg.Parse(commit.Message).Subject, outside)
	if roles[0] != "" && outside.Case.Before.Outcome == gates.Broken && i.pos.Step.Phase != gates.PhaseRed {
		if outside.After.Facts.Outcome == gates.Broken {
			return neverRan(outside), outside, nil
		}
		roles = []gates.Role{""} // a tree that could not run is a start like any other
	}
	for n, role := range roles {
		next, err := i.as(ctx, commit, role, special(role, outside), false)
		if err != nil {
			return j, outside, err
		}
		if n == 0 || next.Verdict.Accepted() {
			j = next
		}
		if j.Verdict.Accepted() {
			break
		}
	}
	switch {
	case roles[0] != gates.Implementor || j.Verdict.Accepted() || outside.Case.OnRed():
	case !grows(outside):
		err = i.unseen(ctx, commit, &j)
	case len(roles) > 1:
		j, err = i.apart(ctx, commit, outside, j)
	}
	return j, outside, err
}

// apart takes a commit of tests and code that no role explains for one outside the
// loop if its tests pass without its code, and its code is a refactoring under them:
// they are a characterization, and ask for none of it.
func (i *inference) apart(ctx context.Context, commit gitx.Commit, outside, j check.Judgement) (check.Judgement, error) {
	d, err := i.checker.Derive(ctx, check.Apart{Parent: commit.Parents[0], Tree: commit.Tree})
	if err != nil {
		return j, err
	}
	tests, err := i.checker.JudgePinned(ctx, d)
	if err != nil || !tests.Verdict.Accepted() {
		return j, err
	}
	code, err := i.checker.JudgeWhole(ctx, d, d.Red, gates.Ordinary)
	if err != nil || !code.Verdict.Accepted() {
		return j, err
	}
	outside.Verdict = gates.Verdict{Judged: true, Notes: code.Verdict.Notes}
	return outside, nil
}

// unseen tells of a commit that is called new behaviour, for which no test failed, and
// that would have held as a refactoring.
func (i *inference) unseen(ctx context.Context, commit gitx.Commit, j *check.Judgement) error {
	tidied, err := i.as(ctx, commit, gates.Refactorer, gates.Ordinary, false)
	if err == nil && tidied.Verdict.Accepted() {
		j.Verdict.Notes = append(j.Verdict.Notes, gates.Finding{
			Gate: "verify", Note: true, Seen: "no test sees what this commit changed: as a refactoring it would have held",
			Remedy: "if it changes what the code does, write the test that fails without it; if not, its type is refactor:",
		})
	}
	return err
}

// special is what makes a step special, as its facts show it: tests that pass at once
// pin down what is there.
func special(role gates.Role, outside check.Judgement) gates.Special {
	if role == gates.Tester && !outside.Case.OnRed() && !reddens(outside) && grows(outside) {
		return gates.Characterization
	}
	return gates.Ordinary
}

// neverRan leaves a commit without a verdict whose tests ran neither before nor
// after it, for no red of this history.
func neverRan(j check.Judgement) check.Judgement {
	j.Verdict = gates.Verdict{Findings: []gates.Finding{{
		Gate: "verify", Seen: "the tests ran neither before this commit nor after it, so nothing shows what it did", Unjudged: true,
		Remedy: "let them run as they did then: with the tools and the environment of that time (workbench.env, workbench.setup_cmd)",
	}}}
	return j
}

// as judges a commit as if its message named a role, what makes it special, and nothing else.
func (i *inference) as(ctx context.Context, commit gitx.Commit, role gates.Role, outcome gates.Special, plain bool) (check.Judgement, error) {
	typ := map[gates.Role]string{gates.Tester: "test", gates.Implementor: "feat", gates.Refactorer: "refactor", "": "chore"}[role]
	pos := i.pos
	p := check.Proposal{Tree: commit.Tree, Message: check.MessageOf(typ+": what was done", outcome), Position: &pos, Plain: plain, Brief: true, Strict: true}
	return i.checker.Judge(ctx, p.On(commit.Parents))
}

// advance moves on: by the step, if it was one; otherwise by the facts, which
// outrank anybody's intentions.
func (i *inference) advance(id gitx.ID, j, outside check.Judgement) {
	if j.Verdict.Accepted() {
		if j.Step.Number > 0 {
			i.pos = gates.Position{Commit: string(id), Step: j.Step}
		}
		return
	}
	after := outside.After.Facts
	if !after.Finished() || after.Outcome == "" {
		return
	}
	was, now := outside.Case.OnRed(), reddens(outside)
	if was && now {
		return // still the same red, or one more
	}
	s := i.pos.Following(j.Case.Role, j.Case.Plays)
	if s.Phase = gates.PhaseGreen; now {
		s.Phase = gates.PhaseRed
	}
	s.Tests = gates.TestsText(after)
	i.pos = gates.Position{Commit: string(id), Step: s}
}

// candidates lists the roles that a commit may have played, the most likely
// first; an empty one if it was outside the loop. What it did to the tests says more
// than which files it touched, and a chore that adds code with its tests is not
// a chore. What no role explains may have been outside the loop all the same, as
// long as it did not change code and its tests together.
func candidates(commit gitx.Commit, subject string, outside check.Judgement) []gates.Role {
	tests, sources := touches(outside.Case.Change)
	grown := grows(outside)
	role, said := says(subject)
	typed := role != "" && gates.RoleOf(typeOf(subject)) == role
	switch {
	case len(commit.Parents) > 1, len(commit.Parents) == 0 && outside.Verdict.Accepted(), !outside.Verdict.Judged:
		return []gates.Role{""}
	case typed && !tests && !sources:
		return []gates.Role{""} // a fix of what is no part of the loop
	case typed && !tests && !outside.Case.Change.AltersCode():
		return []gates.Role{gates.Refactorer} // of words
	case role == gates.Tester && typed && !sources && !grown && !reddens(outside):
		return []gates.Role{gates.Refactorer} // of tests
	case role != "":
		return []gates.Role{role}
	case said && (!grown || !sources), !tests && !sources:
		return []gates.Role{""}
	case outside.Case.OnRed() && (sources || !reddens(outside)):
		return []gates.Role{gates.Implementor}
	case tests && reddens(outside):
		return []gates.Role{gates.Tester}
	case grown && addsCode(outside.Case.Change):
		return []gates.Role{gates.Implementor, gates.Refactorer, gates.Tester}
	case grown:
		return []gates.Role{gates.Tester, gates.Refactorer, ""}
	case tests && sources && outside.Case.Change.AltersCode():
		return []gates.Role{gates.Refactorer, gates.Implementor, gates.Tester}
	}
	return []gates.Role{gates.Refactorer, gates.Implementor, gates.Tester, ""}
}

// touches reports whether a change touches tests, and whether sources.
func touches(change gates.Change) (tests, sources bool) {
	for _, f := range change.Files {
		tests = tests || f.TouchesTest()
		sources = sources || f.Kind() == gates.KindSource && f.Source.Total() > 0
	}
	return tests, sources
}

// grows reports whether a commit adds tests or assertions.
func grows(outside check.Judgement) bool {
	return outside.Case.Change.MoreAssertions() > 0 || len(outside.After.Facts.Tests) > len(outside.Case.Before.Tests)
}

// says reads the role that a subject names: by a conventional type, in any
// case, or by the colour of the step; no role if it names a type outside the
// loop. A plain word, without a colon, brackets or capitals, does not count.
func says(subject string) (role gates.Role, ok bool) {
	word := typeOf(subject)
	role, colour := map[string]gates.Role{"red": gates.Tester, "green": gates.Implementor, "refactoring": gates.Refactorer}[word]
	if !colour {
		role = gates.RoleOf(word)
	}
	return role, role != "" || slices.Contains([]string{"docs", "chore", "style", "ci", "build", "revert"}, word) // a word before a colon need not be a type
}

// typeOf is the word of a subject that may be a type or a colour, in lower case; empty if there is none.
func typeOf(subject string) string {
	header, err := commitmsg.ParseHeader(subject)
	if err == nil {
		return strings.ToLower(header.Type)
	}
	first, _, _ := strings.Cut(strings.TrimSpace(subject), " ")
	word := strings.Trim(first, "[]():")
	if word == first && word != strings.ToUpper(word) {
		return ""
	}
	return strings.ToLower(word)
}

// addsCode reports whether a change brings sources more than comments and layout. What
// only takes code away brings nothing that the tests beside it could ask for.
func addsCode(change gates.Change) bool {
	return slices.ContainsFunc(change.Files, func(f gates.FileChange) bool {
		return f.Kind() == gates.KindSource && !f.Inert && f.Source.Added > 0
	})
}

// reddens reports whether more tests fail after a commit than before.
func reddens(outside check.Judgement) bool {
	after := outside.After.Facts
	return after.Outcome == gates.Broken ||
		len(after.With(gates.StatusFailed)) > len(outside.Case.Before.With(gates.StatusFailed)) ||
		after.Outcome == gates.Failed && (outside.Case.OnRed() || outside.Case.Before.Outcome == gates.Passed)
}
