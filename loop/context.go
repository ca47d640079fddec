package loop

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/agents"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun/scan"
)

// maxShown is the size above which a file is not shown to a model, in bytes.
const maxShown = 512 << 10

// maxRanked is how many files are read to be ranked.
const maxRanked = 250

// How near a file is to the step; between touched and beside lies how many
// commits ago it changed.
const (
	broken  = iota // the failing test, or an error or a stack trace that points there
	spelled        // has to do with a name that the kata spells out, as few files have
	needed         // imported by those, or declares a name of theirs or of the criterion; or likewise by what is needed
	touched
	beside = 50 // in a folder with one of those
	far    = 51
)

// candidates reads the files that a role may be shown, those that it needs most first,
// and narrows the brief to what the role may know.
func (l *Loop) candidates(ctx context.Context, s *step) ([]agents.ShownFile, error) {
	n := need{step: s, places: s.places()}
	if err := l.read(ctx, &n); err != nil {
		return nil, err
	}
	b := s.told
	for _, m := range n.ranked() {
		if m.rank >= beside && s.aside(m.path) {
			continue
		}
		_, dirty := s.dirty[m.path]
		b.Shown = append(b.Shown, agents.ShownFile{
			Path: m.path, Kind: s.project.Language.Kind(m.path), Content: m.text, Excerpt: n.excerpt(m), Editable: s.editable(m.path) && !dirty,
			Far: m.rank >= beside,
		})
	}
	if s.strictly() {
		hidden, err := l.secret(ctx, s)
		if err != nil {
			return nil, err
		}
		b = b.Narrow().Withhold(hidden...)
	}
	s.told = b
	files := s.told.Shown
	s.told.Shown = nil
	return files, nil
}

// aside reports whether a file says nothing to a role unless something speaks of it: it is a
// text, or agents may not touch it.
func (t turn) aside(name string) bool {
	return t.plays != gates.Keeper && (path.Ext(name) == ".md" || t.project.Language.Kind(name) == gates.KindOther ||
		gates.Protected(t.project.Protected(), name))
}

// read reads the files that may be shown, and finds what the failing tests execute if that is
// more than fits.
func (l *Loop) read(ctx context.Context, n *need) error {
	code, size := n.code(), 0
	for _, m := range code[:min(len(code), maxRanked)] {
		text, ok, err := l.text(ctx, m.entry)
		if err != nil {
			return err
		}
		if !ok && len(n.told.Omitted) < maxOmitted {
			n.told.Omitted = append(n.told.Omitted, m.path)
		}
		if ok {
			m.text, m.names = text, scan.Names(text)
			n.files = append(n.files, m)
			size += len(text)
		}
	}
	if n.plays != gates.Implementor || n.ready != nil || size <= n.project.Settings.LLM.MaxContext*bytesOfToken/2 {
		return nil
	}
	return l.reach(ctx, n.step)
}

// text reads a file; ok is false where a model is not shown it: it is too large,
// no text, written by a tool, or has a secret in it, which the model could not
// write back.
func (l *Loop) text(ctx context.Context, e gitx.Entry) (text string, ok bool, err error) {
	obj, err := l.opts.Repo.Info(ctx, string(e.ID))
	if err != nil || obj.Size > maxShown {
		return "", false, err
	}
	if obj, err = l.opts.Repo.Object(ctx, string(e.ID)); err != nil {
		return "", false, err
	}
	text = string(obj.Content)
	return text, len(text) <= maxShown && !strings.ContainsRune(text, 0) && !madeByTool(text) && l.opts.Redact(text) == text, nil
}

// mayShow reports whether a model may be shown all sides of a change.
func (l *Loop) mayShow(ctx context.Context, sides ...*gitx.Entry) (bool, error) {
	for _, e := range sides {
		switch {
		case e == nil:
			continue
		case neverShown(*e):
			return false, nil
		}
		if _, ok, err := l.text(ctx, *e); err != nil || !ok {
			return false, err
		}
	}
	return true, nil
}

// failing are the tests of the red that fail, and the open acceptance tests: what failed
// before is no part of the step. An implementor is told of all, if none of these fails.
func (s *step) failing() []gates.Test {
	all := s.before.With(gates.StatusFailed)
	ours := slices.DeleteFunc(slices.Clone(all), func(t gates.Test) bool {
		return !s.isOpen(t.ID) && !slices.ContainsFunc(s.history.Step.Red, func(r gates.Red) bool { return r.ID == t.ID })
	})
	if len(ours) == 0 && s.plays == gates.Implementor {
		return all
	}
	return ours
}

// failingFiles are where the failing tests stand, and where errors point.
func (s *step) failingFiles() []string {
	out := gates.Each(s.failing(), func(t gates.Test) string { return t.File })
	out = append(out, gates.Each(s.before.Diagnostics, func(d gates.Diagnostic) string { return d.File })...)
	for _, red := range s.history.Step.Red {
		if red.ByFile() && !s.before.Green() {
			out = append(out, red.ID)
		}
	}
	return slices.DeleteFunc(out, func(name string) bool { return name == "" })
}

// reach finds what the failing tests execute, where that can be measured; for a role in
// isolation otherwise what their files mention by name, and what stands beside them.
func (l *Loop) reach(ctx context.Context, s *step) error {
	if l.ranIn != s.head.Tree {
		lines, err := executed(ctx, s)
		if err == nil && len(lines) == 0 && s.strictly() {
			lines, err = l.mentioned(ctx, s)
		}
		if err != nil {
			return err
		}
		l.ranIn, l.ran = s.head.Tree, lines
	}
	s.ran = l.ran
	return nil
}

// executed are the lines that the failing tests execute, by file; none where that is not known.
func executed(ctx context.Context, s *step) (map[string][]int, error) {
	out, tests := map[string][]int{}, s.failing()
	if len(tests) == 0 || s.before.Outcome != gates.Failed {
		return out, nil
	}
	files, err := s.project.CoveredBy(ctx, s.head.Tree, tests)
	for _, f := range files {
		if f.Reached > 0 {
			out[f.Path] = f.Ran
		}
	}
	return out, err
}

// mentioned are the sources that the failing tests' files mention by name, and
// those beside them.
func (l *Loop) mentioned(ctx context.Context, s *step) (map[string][]int, error) {
	out, words, folders := map[string][]int{}, map[string]bool{}, map[string]bool{}
	for _, name := range s.failingFiles() {
		text, _, err := l.opts.Repo.Text(ctx, s.head.Tree, name)
		if err != nil {
			return nil, err
		}
		folders[path.Dir(name)] = true
		for _, word := range wordPattern().FindAllString(string(text), -1) {
			words[strings.ToLower(word)] = true
		}
	}
	for _, e := range s.project.Entries {
		if s.project.Language.Kind(e.Path) == gates.KindSource && (words[strings.ToLower(stem(e.Path))] || folders[path.Dir(e.Path)]) {
			out[e.Path] = nil
		}
	}
	return out, nil
}

// wordPattern finds what a file's name could be mentioned by.
var wordPattern = lazyregexp.New(`[\pL\pN_-]{3,}`)
