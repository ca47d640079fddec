package loop

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/agents"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/llm"
	"github.com/git-tdd/git-tdd/testrun/scan"
)

// What a role may ask for at once, how many files are searched for names, and of how
// many parts of a prompt one is left for the answers that follow.
const (
	maxNeeds    = 20
	maxSearched = 5000
	forAnswers  = 8
)

// wanted is what a role asks to be shown before it answers.
type wanted struct {
	*step
	agents.More
	names map[string]string // of declarations, each as it was asked for, which may say where: "Table.to_text"
	files []agents.ShownFile
	needs string // all that is asked for, as words
}

// more looks up what a role asks for: files by their paths, declarations by their names.
func (l *Loop) more(ctx context.Context, s *step, needs []string) (*agents.More, error) {
	w := wanted{step: s, names: map[string]string{}, needs: strings.Join(needs, " ")}
	for _, need := range needs[:min(len(needs), maxNeeds)] {
		e, found := s.named(need)
		if !found {
			w.names[need[strings.LastIndexAny(need, ".:#")+1:]] = need
			continue
		}
		text, why, err := l.readFor(ctx, s, e)
		if err != nil {
			return nil, err
		}
		if why != "" {
			w.refuse(need, why)
			continue
		}
		w.add(e.Path, text, false)
	}
	if more := len(needs) - maxNeeds; more > 0 {
		w.refuse(fmt.Sprintf("the last %d", more), fmt.Sprintf("at most %d are looked up", maxNeeds))
	}
	if err := l.declaring(ctx, &w); err != nil {
		return nil, err
	}
	prompt, err := s.fit()
	if err != nil {
		return nil, err
	}
	most := s.project.Settings.LLM.MaxContext
	w.give(most - most/forAnswers - llm.Length(prompt.Messages))
	return &w.More, nil
}

func (w *wanted) add(name, text string, part bool) {
	_, dirty := w.dirty[name]
	w.files = append(w.files, agents.ShownFile{
		Path: name, Kind: w.project.Language.Kind(name), Content: text, InPart: part, Editable: w.editable(name) && !dirty,
	})
}

func (w *wanted) refuse(need, why string) {
	w.Refused = append(w.Refused, agents.OffLimit{Path: need, Why: why})
}

// named is the one file of the project that a path, or its end, names.
func (s *step) named(name string) (gitx.Entry, bool) {
	var found []gitx.Entry
	for _, e := range s.project.Entries {
		if e.Path == name {
			return e, true
		}
		if strings.HasSuffix(e.Path, "/"+name) {
			found = append(found, e)
		}
	}
	if len(found) != 1 {
		return gitx.Entry{}, false
	}
	return found[0], true
}

// readFor reads a file that a role asks for, or says why it is not shown.
func (l *Loop) readFor(ctx context.Context, s *step, e gitx.Entry) (text, why string, err error) {
	part, known := s.shown[e.Path]
	switch {
	case !s.allows(e.Path):
		return "", "your role may not see it, in isolation", nil
	case known && !part:
		return "", "it is shown above", nil
	case neverShown(e):
		return "", "no model is shown it: it is no plain file, written by a tool, or of a kind that holds secrets", nil
	}
	text, ok, err := l.text(ctx, e)
	if !ok {
		why = "no model is shown it: it is too large, no text, written by a tool, or has a secret in it"
	}
	return text, why, err
}

// declaring adds the declarations that bear the names; where those say where they stand,
// of the files that know of that, if there are any.
func (l *Loop) declaring(ctx context.Context, w *wanted) error {
	anywhere := func(string, string) bool { return true }
	for _, right := range []func(need, text string) bool{says, anywhere} {
		if err := l.declaringAt(ctx, w, right); err != nil {
			return err
		}
	}
	for _, name := range sortedKeys(w.names) {
		w.refuse(w.names[name], "no file of the project that you may see is called so or declares it")
	}
	return nil
}

// says reports whether a text has all words of what is asked for.
func says(need, text string) bool {
	words := scan.Words(text)
	return !slices.ContainsFunc(wordPattern().FindAllString(need, -1), func(word string) bool { return !words[strings.ToLower(word)] })
}

// declaringAt adds the declarations that bear the names in files where that is right, and
// leaves those names that are missing.
func (l *Loop) declaringAt(ctx context.Context, w *wanted, right func(need, text string) bool) error {
	n := need{step: w.step, places: w.places()}
	code, missing := n.code(), maps.Clone(w.names)
	for _, m := range code[:min(len(code), maxSearched)] {
		if len(w.names) == 0 {
			break
		}
		text, ok, err := l.text(ctx, m.entry)
		if err != nil {
			return err
		}
		found := false
		part := scan.Excerpt(text, func(b scan.Block) bool {
			asked := func(name string) bool {
				need, keep := w.names[name]
				if keep = keep && right(need, m.path+"\n"+text); keep {
					delete(missing, name)
				}
				return keep
			}
			keep := asked(b.Name) || slices.ContainsFunc(b.Within, asked)
			found = found || keep
			return keep
		})
		if ok && found && !slices.ContainsFunc(w.files, func(f agents.ShownFile) bool { return f.Path == m.path }) {
			w.add(m.path, part, true)
		}
	}
	w.names = missing
	return nil
}

// shorter is a file with those declarations whole that have most to do with the step, as far
// as there is room for them, in tokens; as it is if there are none.
func (w *wanted) shorter(f agents.ShownFile, room int) agents.ShownFile {
	m := &material{path: f.Path, text: f.Content, names: scan.Names(f.Content)}
	n := need{step: w.step, places: w.places(), files: []*material{m}}
	n.name()
	room = max(0, room) * bytesOfToken
	n.choose(cmp.Or(n.aim(), n.brief.LastDiff)+" "+w.needs, room, room)
	if len(m.chosen) > 0 {
		f.Content, f.InPart = n.excerpt(m), true
	}
	return f
}

// give shows what the role may know and there is room for, in tokens.
func (w *wanted) give(room int) {
	const heading = 40 // tokens of a heading and its fences
	b := w.brief
	b.Shown = w.files
	if w.strictly() {
		b = b.Narrow()
	}
	for _, f := range w.files {
		cost := llm.Tokens(f.Path+f.Content) + heading
		if cost > room {
			f = w.shorter(f, room-heading)
			cost = llm.Tokens(f.Path+f.Content) + heading
		}
		switch {
		case !slices.ContainsFunc(b.Shown, func(k agents.ShownFile) bool { return k.Path == f.Path }):
			w.refuse(f.Path, "your role may not see it, in isolation")
		case cost > room:
			w.refuse(f.Path, fmt.Sprintf("too long: about %d tokens, and there is room for %d", cost, max(0, room)))
		default:
			room -= cost
			part, known := w.shown[f.Path]
			w.shown[f.Path] = f.InPart && (part || !known)
			w.Shown = append(w.Shown, f)
		}
	}
}
