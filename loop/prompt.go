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

// maxFar is how many files are shown that nothing recent mentions, so that a
// prompt in a large repository is no longer than in a small one.
const maxFar = 40

// maxOmitted is how many files a prompt lists as not shown. Others must not be
// overwritten either, but a long list would take up the space for files.
const maxOmitted = 10

// tell decides what the role is shown in this step: no more than the
// configuration allows, with room left for the conversation. If not everything
// fits, it leaves out files first, and then what is merely helpful. The choice
// stands for the whole step, so that each prompt begins with the one before it.
func (l *Loop) tell(ctx context.Context, s *step) error {
	s.told = s.brief
	if s.model.Works {
		s.tellAgent()
		return nil
	}
	s.told.Planning = agents.Planning(s.project.Settings.LLM.Plan)
	for _, name := range sortedKeys(s.dirty) {
		s.told.OffLimits = append(s.told.OffLimits, agents.OffLimit{Path: name, Why: userWork(s.dirty[name])})
	}
	files, err := l.candidates(ctx, s)
	if err != nil {
		return err
	}
	unread := s.told.Omitted
	s.told.Omitted = nil
	most := s.project.Settings.LLM.MaxContext
	room := most - most/4
	want := 0
	for _, f := range files {
		want += agents.EstimateTokens(f.Content)
	}
	want = min(want, room/3)
	bare, err := s.opening()
	for _, shorten := range shortenings() {
		if err != nil || bare+want <= room {
			break
		}
		shorten(&s.told)
		bare, err = s.opening()
	}
	if err != nil {
		return err
	}
	if bare > room {
		return fmt.Errorf("%w: without any file the prompt comes to about %d tokens, and llm.max_context is %d, of which a quarter is for the conversation; raise it, or shorten %s",
			ErrNotReady, bare, most, s.project.Settings.Kata)
	}
	return s.fill(filling{files: files, unread: unread, left: room - bare, room: room})
}

// filling is what a prompt can be filled with, and how much space there is.
type filling struct {
	files      []agents.ShownFile
	unread     []string // paths that are not worth reading
	left, room int      // in tokens: for the files, and for the whole prompt
}

// fill adds the files that fit. How much space headings and fences take is
// found out by trying; without any files it always fits.
func (s *step) fill(f filling) error {
	b := &s.told
	for {
		b.Shown, b.Omitted = agents.SelectFiles(f.files, f.left)
		b.Omitted = append(b.Omitted, f.unread...)
		b.Omitted = b.Omitted[:min(len(b.Omitted), maxOmitted)]
		n, err := s.opening()
		over := n - f.room
		if over > 0 && len(b.Shown) == 0 {
			b.Omitted, over = nil, 0
		}
		if err != nil || over <= 0 {
			s.shown = map[string]bool{}
			for _, file := range b.Shown {
				s.shown[file.Path] = true
			}
			return err
		}
		f.left -= over
	}
}

// shortenings are what a prompt can do without, the least important first.
func shortenings() []func(*agents.Brief) {
	return []func(*agents.Brief){
		func(b *agents.Brief) { b.LastDiff = "" },
		func(b *agents.Brief) { b.LastCommit = clip(b.LastCommit, 1000) },
		func(b *agents.Brief) { b.Files = b.Files[:min(len(b.Files), 50)] },
		func(b *agents.Brief) { b.Facts.Tests = b.Facts.With(gates.StatusFailed) },
	}
}

// tellAgent decides what somebody is told who has all files: no file, and no list
// of them.
func (s *step) tellAgent() {
	s.told.Works, s.told.Planning, s.told.Files = true, agents.NoPlan, nil
	s.shown = map[string]bool{}
	for _, e := range s.project.Entries {
		s.shown[e.Path] = true
	}
	for _, name := range sortedKeys(s.dirty) {
		s.told.OffLimits = append(s.told.OffLimits, agents.OffLimit{Path: name, Why: userWork(s.dirty[name])})
	}
}

// opening is the length of the conversation's first prompt, in tokens.
func (s *step) opening() (int, error) {
	p, err := agents.Ask(s.told, []agents.Turn{{Task: agents.TaskEdit, Attempt: 1}})
	return length(p), err
}

// fit renders the conversation. Where it grows longer than llm.max_context, it
// loses the oldest refused answers, then output, then the plan.
func (s *step) fit() (agents.Prompt, error) {
	p, err := agents.Ask(s.told, s.talk)
	for _, shorten := range []func(*agents.Turn){
		func(t *agents.Turn) {
			if t.Task == agents.TaskEdit {
				leaveOut(t)
			}
		},
		func(t *agents.Turn) {
			if t.Feedback != nil {
				t.Feedback = &agents.Feedback{Findings: t.Feedback.Findings}
			}
		},
		leaveOut,
	} {
		for i := range s.talk {
			if err != nil || length(p) <= s.project.Settings.LLM.MaxContext {
				return p, err
			}
			shorten(&s.talk[i])
			p, err = agents.Ask(s.told, s.talk)
		}
	}
	return p, err
}

// leaveOut leaves an answer out; the question that is being asked has none.
func leaveOut(t *agents.Turn) {
	if t.Answer != "" {
		t.Answer = "(left out for lack of room)"
	}
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
func (l *Loop) candidates(ctx context.Context, s *step) ([]agents.ShownFile, error) {
	b := s.told
	left := 2 * s.project.Settings.LLM.MaxContext
	code, far := s.byImportance()
	for i, e := range code {
		if left <= 0 || i >= far+maxFar {
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
	s.told = b.Narrow(agents.Isolation(s.project.Settings.Isolation))
	files := s.told.Shown
	s.told.Shown = nil
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

// byImportance orders the project's code: first what the facts or the last steps
// mention, then what stands beside it, then the rest, from the index far on; and
// in each what the role may edit before what it may not.
func (s *step) byImportance() (code []gitx.Entry, far int) {
	said := []string{s.brief.LastDiff, s.recent}
	for _, x := range s.before.With(gates.StatusFailed) {
		said = append(said, x.File)
	}
	for _, d := range s.before.Diagnostics {
		said = append(said, d.File)
	}
	spoken := strings.Join(said, "\n")
	near := map[string]bool{}
	for _, e := range s.project.Entries {
		if strings.Contains(spoken, e.Path) {
			near[path.Dir(e.Path)] = true
		}
	}
	rank := func(e gitx.Entry) int {
		r := 0
		switch {
		case strings.Contains(spoken, e.Path):
		case near[path.Dir(e.Path)]:
			r = 2
		default:
			r = 4
		}
		if !s.editable(e.Path) {
			r++
		}
		return r
	}
	ranks := map[string]int{}
	for _, e := range s.project.Entries {
		switch kind := s.project.Language.Kind(e.Path); {
		case e.Mode != gitx.ModeFile && e.Mode != gitx.ModeExecutable, generated(e.Path):
		case kind == gates.KindSource || kind == gates.KindTest || kind == gates.KindSupport || kind == gates.KindConfig:
			ranks[e.Path] = rank(e)
			code = append(code, e)
		}
	}
	slices.SortStableFunc(code, func(a, b gitx.Entry) int { return ranks[a.Path] - ranks[b.Path] })
	far = slices.IndexFunc(code, func(e gitx.Entry) bool { return ranks[e.Path] > 1 })
	if far < 0 {
		far = len(code)
	}
	return code, far
}

// generated reports whether a file is written by a tool and of no interest to a
// reader.
func generated(name string) bool {
	base := path.Base(name)
	return strings.HasSuffix(base, ".lock") || base == "go.sum" || base == "package-lock.json"
}
