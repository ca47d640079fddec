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

// maxOmitted is how many files a prompt lists as not shown. Others must not be
// overwritten either, but a long list would take up the space for files.
const maxOmitted = 30

// prompt puts a question into words, within the length that the configuration
// allows, and returns which files it shows whole. If not everything fits, it
// leaves out files first, and then what is merely helpful.
func (l *Loop) prompt(ctx context.Context, s *step, q question) (agents.Prompt, map[string]bool, error) {
	files, err := l.candidates(ctx, s, &q)
	if err != nil {
		return agents.Prompt{}, nil, err
	}
	unread := q.brief.Omitted
	q.brief.Omitted = nil
	room := s.project.Settings.LLM.MaxContext
	want := 0
	for _, f := range files {
		want += agents.EstimateTokens(f.Content)
	}
	want = min(want, room/3)
	bare, err := q.render()
	for _, shorten := range shortenings() {
		if err != nil || length(bare)+want <= room {
			break
		}
		shorten(&q.brief)
		bare, err = q.render()
	}
	if err != nil {
		return bare, nil, err
	}
	left := room - length(bare)
	if left < 0 {
		return bare, nil, fmt.Errorf("%w: without any file the prompt comes to about %d tokens, and llm.max_context is %d; raise it, or shorten %s",
			ErrNotReady, length(bare), room, s.project.Settings.Kata)
	}
	return q.fill(filling{files: files, unread: unread, left: left, room: room})
}

// filling is what a prompt can be filled with, and how much space there is.
type filling struct {
	files      []agents.ShownFile
	unread     []string // paths that are not worth reading
	left, room int      // in tokens: for the files, and for the whole prompt
}

// fill adds the files that fit. How much space headings and fences take is
// found out by trying; without any files it always fits.
func (q question) fill(f filling) (agents.Prompt, map[string]bool, error) {
	b := &q.brief
	for {
		b.Shown, b.Omitted = agents.SelectFiles(f.files, f.left)
		b.Omitted = append(b.Omitted, f.unread...)
		b.Omitted = b.Omitted[:min(len(b.Omitted), maxOmitted)]
		p, err := q.render()
		over := length(p) - f.room
		if over > 0 && len(b.Shown) == 0 {
			b.Omitted, over = nil, 0
			p, err = q.render()
		}
		if err != nil || over <= 0 {
			shown := map[string]bool{}
			for _, s := range b.Shown {
				shown[s.Path] = true
			}
			return p, shown, err
		}
		f.left -= over
	}
}

// shortenings are what a prompt can do without, the least important first.
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

func (q question) render() (agents.Prompt, error) {
	if q.task == agents.TaskPlan {
		return agents.PlanPrompt(q.brief)
	}
	return agents.EditPrompt(q.brief, q.plan)
}

// length is an estimate of the tokens in a prompt.
func length(p agents.Prompt) int {
	n := 0
	for _, m := range p.Messages {
		n += agents.EstimateTokens(m.Content)
	}
	return n
}

// candidates reads the files that a role may be shown, the most relevant first,
// and narrows the brief to what the role may know. It stops reading once there
// cannot be space for more.
func (l *Loop) candidates(ctx context.Context, s *step, q *question) ([]agents.ShownFile, error) {
	b := q.brief
	left := 2 * s.project.Settings.LLM.MaxContext
	for _, e := range s.byImportance(q) {
		if left <= 0 {
			b.Omitted = append(b.Omitted, e.Path)
			continue
		}
		text, ok, err := l.text(ctx, e.ID)
		if err != nil {
			return nil, err
		}
		if !ok {
			b.Omitted = append(b.Omitted, e.Path)
			continue
		}
		left -= agents.EstimateTokens(text)
		_, dirty := s.dirty[e.Path]
		b.Shown = append(b.Shown, agents.ShownFile{
			Path: e.Path, Kind: s.project.Language.Kind(e.Path), Content: text, Editable: s.editable(e.Path) && !dirty,
		})
	}
	q.brief = b.Narrow(agents.Isolation(s.project.Settings.Isolation))
	files := q.brief.Shown
	q.brief.Shown = nil
	return files, nil
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

// byImportance orders the project's code: first what the facts, the last diff
// or the plan mention, then the rest, and in both what the role may edit before
// what it may not.
func (s *step) byImportance(q *question) []gitx.Entry {
	said := []string{q.plan, q.brief.LastDiff}
	for _, x := range s.before.With(gates.StatusFailed) {
		said = append(said, x.File)
	}
	for _, d := range s.before.Diagnostics {
		said = append(said, d.File)
	}
	spoken := strings.Join(said, "\n")
	rank := func(e gitx.Entry) int {
		r := 0
		if !strings.Contains(spoken, e.Path) {
			r += 2
		}
		if !s.editable(e.Path) {
			r++
		}
		return r
	}
	ranks := map[string]int{}
	var code []gitx.Entry
	for _, e := range s.project.Entries {
		switch kind := s.project.Language.Kind(e.Path); {
		case e.Mode != gitx.ModeFile && e.Mode != gitx.ModeExecutable, generated(e.Path):
		case kind == gates.KindSource || kind == gates.KindTest || kind == gates.KindSupport || kind == gates.KindConfig:
			ranks[e.Path] = rank(e)
			code = append(code, e)
		}
	}
	slices.SortStableFunc(code, func(a, b gitx.Entry) int { return ranks[a.Path] - ranks[b.Path] })
	return code
}

// generated reports whether a file is written by a tool and of no interest to a
// reader.
func generated(name string) bool {
	base := path.Base(name)
	return strings.HasSuffix(base, ".lock") || base == "go.sum" || base == "package-lock.json"
}
