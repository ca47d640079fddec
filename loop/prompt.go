package loop

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/agents"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
)

// maxShown is the size above which a file is not shown to a model, in bytes.
const maxShown = 128 << 10

// maxOmitted is how many files a prompt names as not shown. No other may be
// overwritten either, and a long list would take the room of files.
const maxOmitted = 30

// prompt makes one question of a step, no longer than the configuration allows.
// Where all does not fit, files go first, then what only helps.
func (l *Loop) prompt(ctx context.Context, t *turn, b agents.Brief, task string) (agents.Prompt, error) {
	b, files, err := l.candidates(ctx, t, b)
	if err != nil {
		return agents.Prompt{}, err
	}
	unread := b.Omitted
	b.Omitted = nil
	room := t.project.Settings.LLM.MaxContext
	want := 0
	for _, f := range files {
		want += agents.EstimateTokens(f.Content)
	}
	want = min(want, room/3)
	bare, err := render(b, t.plan, task)
	for _, shorten := range shortenings() {
		if err != nil || length(bare)+want <= room {
			break
		}
		shorten(&b)
		bare, err = render(b, t.plan, task)
	}
	if err != nil {
		return bare, err
	}
	left := room - length(bare)
	if left < 0 {
		return bare, fmt.Errorf("%w: without any file the prompt comes to about %d tokens, and llm.max_context is %d; raise it, or shorten %s",
			ErrNotReady, length(bare), room, t.project.Settings.Kata)
	}
	return fill(t, b, filling{files: files, unread: unread, left: left, room: room, task: task})
}

// filling is what there is to fill a prompt with, and how much room.
type filling struct {
	files      []agents.ShownFile
	unread     []string // paths that there is no use in reading
	left, room int      // in tokens: for the files, and for the whole prompt
	task       string
}

// fill adds the files that fit. What a heading and a fence take is found out by
// trying; at the latest without any file it fits.
func fill(t *turn, b agents.Brief, f filling) (agents.Prompt, error) {
	for {
		b.Shown, b.Omitted = agents.SelectFiles(f.files, f.left)
		b.Omitted = append(b.Omitted, f.unread...)
		b.Omitted = b.Omitted[:min(len(b.Omitted), maxOmitted)]
		p, err := render(b, t.plan, f.task)
		over := length(p) - f.room
		if over > 0 && len(b.Shown) == 0 {
			b.Omitted, over = nil, 0
			p, err = render(b, t.plan, f.task)
		}
		if err != nil || over <= 0 {
			t.seen = map[string]bool{}
			for _, s := range b.Shown {
				t.seen[s.Path] = true
			}
			return p, err
		}
		f.left -= over
	}
}

// shortenings are what a prompt can do without, the most dispensable first.
func shortenings() []func(*agents.Brief) {
	return []func(*agents.Brief){
		func(b *agents.Brief) { b.LastDiff = "" },
		func(b *agents.Brief) {
			if b.Feedback != nil {
				short := *b.Feedback
				short.PreviousAnswer = ""
				b.Feedback = &short
			}
		},
		func(b *agents.Brief) { b.LastCommit = clip(b.LastCommit, 1000) },
		func(b *agents.Brief) { b.Files = b.Files[:min(len(b.Files), 50)] },
		func(b *agents.Brief) { b.Facts.Tests = b.Facts.With(gates.StatusFailed) },
	}
}

func render(b agents.Brief, plan, task string) (agents.Prompt, error) {
	if task == agents.TaskPlan {
		return agents.PlanPrompt(b)
	}
	return agents.EditPrompt(b, plan)
}

// length is about how many tokens a prompt has.
func length(p agents.Prompt) int {
	n := 0
	for _, m := range p.Messages {
		n += agents.EstimateTokens(m.Content)
	}
	return n
}

// candidates reads the files that a role may be shown, the most telling first,
// and narrows the brief to what the role may know. Reading ends where there
// cannot be room for more.
func (l *Loop) candidates(ctx context.Context, t *turn, b agents.Brief) (agents.Brief, []agents.ShownFile, error) {
	left := 2 * t.project.Settings.LLM.MaxContext
	for _, e := range byImportance(t, &b) {
		if left <= 0 {
			b.Omitted = append(b.Omitted, e.Path)
			continue
		}
		text, ok, err := l.text(ctx, e.ID)
		if err != nil {
			return b, nil, err
		}
		if !ok {
			b.Omitted = append(b.Omitted, e.Path)
			continue
		}
		left -= agents.EstimateTokens(text)
		_, dirty := t.dirty[e.Path]
		b.Shown = append(b.Shown, agents.ShownFile{
			Path: e.Path, Kind: t.project.Language.Kind(e.Path), Content: text, Editable: editable(t, e.Path) && !dirty,
		})
	}
	b = b.Narrow(agents.Isolation(t.project.Settings.Isolation))
	files := b.Shown
	b.Shown = nil
	return b, files, nil
}

// text reads a file; ok is false where a model is not shown it: it is too large,
// no text, or has a secret in it, which the model could not write back.
func (l *Loop) text(ctx context.Context, id gitx.ID) (text string, ok bool, err error) {
	obj, err := l.opts.Repo.Object(ctx, string(id))
	if err != nil {
		return "", false, err
	}
	text = string(obj.Content)
	return text, len(text) <= maxShown && !strings.ContainsRune(text, 0) && l.opts.Redact(text) == text, nil
}

// byImportance orders the code of the project: what the facts and the last
// diff speak of, what the plan names, then the rest, tests before sources for
// whoever writes tests.
func byImportance(t *turn, b *agents.Brief) []gitx.Entry {
	said := []string{t.plan, b.LastDiff}
	for _, x := range t.before.Facts.With(gates.StatusFailed) {
		said = append(said, x.File)
	}
	for _, d := range t.before.Facts.Diagnostics {
		said = append(said, d.File)
	}
	spoken := strings.Join(said, "\n")
	rank := func(e gitx.Entry) int {
		r := 0
		if !strings.Contains(spoken, e.Path) {
			r += 2
		}
		if !editable(t, e.Path) {
			r++
		}
		return r
	}
	ranks := map[string]int{}
	var code []gitx.Entry
	for _, e := range t.project.Entries {
		switch kind := t.project.Language.Kind(e.Path); {
		case e.Mode != gitx.ModeFile && e.Mode != gitx.ModeExecutable, generated(e.Path):
		case kind == gates.KindSource || kind == gates.KindTest || kind == gates.KindSupport || kind == gates.KindConfig:
			ranks[e.Path] = rank(e)
			code = append(code, e)
		}
	}
	slices.SortStableFunc(code, func(a, b gitx.Entry) int { return ranks[a.Path] - ranks[b.Path] })
	return code
}

// generated reports whether a file is written by a tool and tells a reader
// nothing.
func generated(name string) bool {
	base := path.Base(name)
	return strings.HasSuffix(base, ".lock") || base == "go.sum" || base == "package-lock.json"
}
