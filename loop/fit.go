package loop

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/agents"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/llm"
	"github.com/git-tdd/git-tdd/testrun/scan"
)

// maxOmitted is how many files a prompt lists as not shown.
const maxOmitted = 10

// tell decides what the role is shown in this step: no more than the
// configuration allows, with room left for the conversation. If not everything
// fits, it leaves out files first, and then what is merely helpful. The choice
// stands for the whole step, so that each prompt begins with the one before it.
func (l *Loop) tell(ctx context.Context, s *step) error {
	s.told = s.brief
	if s.plays != gates.Keeper {
		s.tellOwn()
	}
	s.told.OffLimits = gates.Each(sortedKeys(s.dirty), func(name string) agents.OffLimit { return agents.OffLimit{Path: name, Why: userWork(s.dirty[name])} })
	if s.model.Works {
		s.told.Works, s.told.Files = true, nil // it has them all
		return nil
	}
	files, err := l.candidates(ctx, s)
	if err != nil {
		return err
	}
	unread := s.told.Omitted
	s.told.Omitted = nil
	most := s.project.Settings.LLM.MaxContext
	room := most - most/8
	want := 0
	for _, f := range files {
		want += llm.Tokens(f.Content)
	}
	want = min(want, room/3)
	bare, err := s.opening()
	for _, shorten := range []func(*agents.Brief){ // what a prompt can do without, the least important first
		func(b *agents.Brief) { b.LastDiff = "" },
		func(b *agents.Brief) { b.Plan = agents.Plan{} },
		func(b *agents.Brief) { b.LastCommit = clip(b.LastCommit, 1000) },
		func(b *agents.Brief) { b.Facts.Tests = b.Facts.With(gates.StatusFailed) },
	} {
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
		return fmt.Errorf("%w: without any file the prompt comes to about %d tokens, and llm.max_context is %d, of which an eighth is for the conversation; raise it, or shorten %s",
			ErrNotReady, bare, most, s.project.Settings.Kata)
	}
	return s.fill(filling{files: files, unread: unread, left: room - bare, room: room})
}

// tellOwn tells how many tests failed before the step, and not which.
func (s *step) tellOwn() {
	ours, f := s.failing(), &s.told.Facts
	f.Tests = slices.DeleteFunc(slices.Clone(f.Tests), func(t gates.Test) bool {
		return t.Status == gates.StatusFailed && !slices.ContainsFunc(ours, func(o gates.Test) bool {
			part, ok := strings.CutPrefix(o.ID, t.ID) // a test may hold others
			return ok && (part == "" || strings.ContainsRune("/:", rune(part[0])))
		})
	})
	s.told.Known = gates.TallyOf(s.before).Failed - gates.TallyOf(*f).Failed
}

// filling is what a prompt can be filled with, and how much space there is.
type filling struct {
	files      []agents.ShownFile
	unread     []string // paths that are not worth reading
	left, room int      // in tokens: for the files, and for the whole prompt
}

// outlines are those of the first files that are not shown, within a small share of the prompt.
func (f filling) outlines(omitted []string) map[string][]string {
	const share = 10 // of the prompt
	left, out := f.room/share, map[string][]string{}
	for _, file := range f.files {
		if !slices.Contains(omitted, file.Path) {
			continue
		}
		lines := scan.Outline(file.Content)
		if left -= llm.Tokens(strings.Join(lines, "\n")); left < 0 {
			break
		}
		out[file.Path] = lines
	}
	return out
}

// fill adds the files that fit; what headings and fences take is found out by trying.
func (s *step) fill(f filling) error {
	b := &s.told
	for {
		b.Shown, b.Omitted = agents.SelectFiles(f.files, f.left)
		slices.SortFunc(b.Shown, s.steadier)
		b.Omitted = append(b.Omitted, f.unread...)
		b.Omitted = b.Omitted[:min(len(b.Omitted), maxOmitted)]
		b.Outlines = f.outlines(b.Omitted)
		n, err := s.opening()
		over := n - f.room
		if over > 0 && len(b.Shown) == 0 {
			b.Omitted, b.Outlines, over = nil, nil, 0
		}
		if err != nil || over <= 0 {
			s.shown = map[string]bool{}
			for _, file := range b.Shown {
				s.shown[file.Path] = file.InPart
			}
			return err
		}
		f.left -= over
	}
}

// steadier puts a file first that has not changed lately, and then goes by path, so that
// prompts of different roles begin alike. Tests come last: they grow at their end.
func (s *step) steadier(a, b agents.ShownFile) int {
	late := func(f agents.ShownFile) int {
		if _, changed := s.changed[f.Path]; !changed {
			return 0
		} else if f.Kind == gates.KindTest {
			return 2
		}
		return 1
	}
	return cmp.Or(late(a)-late(b), cmp.Compare(a.Path, b.Path))
}

// opening is the length of the conversation's first prompt, in tokens.
func (s *step) opening() (int, error) {
	p, err := agents.Ask(s.told, []agents.Turn{{Task: agents.TaskEdit, Attempt: 1}})
	return llm.Length(p.Messages), err
}

// fit renders the conversation. If it is too long, it loses old refused answers, then output, then the plan.
func (s *step) fit() (agents.Prompt, error) {
	p, err := agents.Ask(s.told, s.talk)
	for _, shorten := range []func(*agents.Turn){
		func(t *agents.Turn) {
			if t.Task != agents.TaskWork {
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
			if err != nil || llm.Length(p.Messages) <= s.project.Settings.LLM.MaxContext {
				return p, err
			}
			shorten(&s.talk[i])
			p, err = agents.Ask(s.told, s.talk)
		}
	}
	return p, err
}

func leaveOut(t *agents.Turn) {
	if t.Answer != "" {
		t.Answer = "(left out for lack of room)"
	}
}
