package loop

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/agents"
	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
)

const requirementsFile = gates.PlanDir + "/requirements.md"

// document is one of a plan's, in its folder.
type document struct {
	path, title string
	text        *string
}

func documents(p *agents.Plan) []document {
	return []document{
		{requirementsFile, "Requirements", &p.Requirements},
		{gates.PlanDir + "/test-list.md", "Tests", &p.Tests},
		{gates.PlanDir + "/architect-analysis.md", "Analysis", &p.Analysis},
	}
}

// planFirst has the kata planned, where there is no plan yet and something is left to plan;
// then HEAD moved. A plan is never revised: who wants another one deletes it.
func (l *Loop) planFirst(ctx context.Context, t turn) (bool, error) {
	if !l.taking || l.unplanned || t.plays != gates.Tester || t.dispute.why != "" || !t.project.Settings.Advised(config.Planner) || strings.TrimSpace(t.project.Kata) == "" {
		return false, nil
	}
	if in(t.project.Entries, requirementsFile) {
		return false, nil
	}
	measured, err := l.factsOfHead(ctx, &t)
	if err != nil {
		return false, err
	}
	a, err := l.architect(ctx, t, measured.Facts)
	if err != nil {
		return false, err
	}
	open := func(c agents.Criterion) bool { return !c.Whole }
	if len(a.Criteria) > 0 && !slices.ContainsFunc(a.Criteria, open) {
		return false, nil
	}
	return l.writePlan(ctx, t, a)
}

// planAt is the plan in HEAD's tree; of one that is too long, its beginning.
func (l *Loop) planAt(ctx context.Context, t turn) (p agents.Plan, err error) {
	for _, d := range documents(&p) {
		content, _, err := l.opts.Repo.Text(ctx, t.head.Tree, d.path)
		if err != nil {
			return p, err
		}
		*d.text = clip(readable(string(content)), maxPlanShown)
	}
	return p, nil
}

// maxPlanShown is how much of one document of a plan is shown, in bytes.
const maxPlanShown = 10 << 10

// architect is what a planner is shown: the code, in isolation only the tests.
func (l *Loop) architect(ctx context.Context, t turn, now gates.Facts) (a agents.Architect, err error) {
	a = agents.Architect{Material: agents.Material{Step: t.number(), Kata: t.project.Kata}, Facts: now, TestsOnly: t.strictly()}
	if a.Criteria, err = l.criteria(ctx, t.position, now); err != nil {
		return a, err
	}
	for _, e := range t.project.Entries {
		kind := t.project.Language.Kind(e.Path)
		tests := kind == gates.KindTest || kind == gates.KindSupport || kind == gates.KindConfig
		if !tests && (a.TestsOnly || kind != gates.KindSource) || neverShown(e) {
			continue
		}
		if len(a.Shown) == maxDiffed {
			a.Omitted = append(a.Omitted, e.Path)
			continue
		}
		text, ok, err := l.text(ctx, e)
		if err != nil {
			return a, err
		}
		if ok {
			a.Shown = append(a.Shown, agents.ShownFile{Path: e.Path, Content: text})
		}
	}
	a.Extend, err = l.guide(ctx, t, config.Planner)
	return a, err
}

func (l *Loop) writePlan(ctx context.Context, t turn, a agents.Architect) (bool, error) {
	who, err := l.advisedBy(t, config.Planner)
	if err != nil {
		return false, err
	}
	log := newStepLog(ctx, who, time.Now(), l.opts.Redact)
	asked := &adviser{turn: who, task: agents.TaskPlanKata, log: log, attempt: 1, question: &a}
	plan, why, err := consult(ctx, l, asked, a.ParsePlan)
	var done Accepted
	if err == nil && why == "" {
		done, why, err = l.commitPlan(ctx, asked, plan)
	}
	log.end(asked.usage, done, err)
	l.record(l.journal.save(log))
	if err != nil {
		return false, stopFor(err)
	}
	if why != "" {
		l.unplanned = true
		l.note("the planner (%s) brought no plan, and the run goes on without: %s", who.model.Name, readable(l.opts.Redact(why)))
		return false, nil
	}
	l.note("the planner (%s) wrote %s: %s", who.model.Name, gates.PlanDir, done.Commit.Short())
	return true, nil
}

// commitPlan commits a plan, outside the loop; why says what gates or the user's own work object.
func (l *Loop) commitPlan(ctx context.Context, a *adviser, p agents.Plan) (done Accepted, why string, err error) {
	var edits []gitx.TreeEdit
	var paths []string
	for _, d := range documents(&p) {
		paths = append(paths, d.path)
		if *d.text == "" {
			continue
		}
		if !strings.HasPrefix(*d.text, "# ") {
			*d.text = "# " + d.title + "\n\n" + *d.text
		}
		edits = append(edits, gitx.TreeEdit{Path: d.path, Content: []byte(l.opts.Redact(*d.text))})
	}
	dirty, err := l.dirtyAt(ctx, a.turn, paths)
	if err != nil {
		return done, "", err
	}
	if names := sortedKeys(dirty); len(names) > 0 {
		return done, names[0] + ": " + userWork(dirty[names[0]]), nil
	}
	tree, err := l.opts.Repo.WriteTree(ctx, a.head.Tree, edits)
	if err != nil {
		return done, "", err
	}
	j, err := l.opts.Checker.Judge(ctx, check.Proposal{Parent: a.head.Commit, Tree: tree, Agent: true, Strict: true, Message: l.planMessage(a, edits)})
	if err != nil {
		return done, "", err
	}
	if !j.Verdict.Accepted() {
		return done, strings.Join(gates.Tell(j.Verdict.Findings), "; "), nil
	}
	done, err = l.makeCommit(ctx, a.turn, tree, j.Message)
	if err != nil {
		return done, "", err
	}
	done.Attempts, done.Tokens = 1, a.usage
	return done, "", l.land(ctx, a.turn, done)
}

// planMessage is the message of a plan's commit. It takes no step.
func (l *Loop) planMessage(a *adviser, edits []gitx.TreeEdit) string {
	m := commitmsg.Message{Subject: "docs(plan): say what the kata asks for"}
	m.Sections = []commitmsg.Section{
		{Title: "Context", Items: []string{"Role: Planner", fmt.Sprintf("Before step: %d", a.number())}},
		{Title: "Rationale", Items: []string{"there was no plan"}},
		{Title: "Diff summary", Items: gates.Each(edits, func(e gitx.TreeEdit) string { return e.Path + ": by the planner" })},
		{Title: "Verification", Items: []string{"nothing but documents of the plan changes"}},
	}
	m.Trailers = []commitmsg.Trailer{
		{Key: gates.KeyRole, Value: string(config.Planner)},
		{Key: gates.KeyModel, Value: l.opts.Redact(a.model.Name)},
		{Key: gates.KeyTokens, Value: a.usage.String()},
	}
	return m.String()
}
