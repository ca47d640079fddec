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
)

// maxShown is the size above which a file is not shown to a model, in bytes.
const maxShown = 128 << 10

// maxFar is how many files are shown that nothing recent mentions, so that a
// prompt in a large repository is no longer than in a small one.
const maxFar = 40

// How near a file is to the step; between touched and beside lies how many
// commits ago it changed.
const (
	broken  = iota // the failing test stands there, or an error points there
	reaches        // the failing test executes it, or mentions it
	touched
	beside = 50 // in a folder with one of those
	far    = 51
)

// candidates reads the files that a role may be shown, the nearest first, and
// narrows the brief to what the role may know. Those after the first maxFar
// distant ones are shown in outline at most.
func (l *Loop) candidates(ctx context.Context, s *step) ([]agents.ShownFile, error) {
	b := s.brief
	left := 2 * s.project.Settings.LLM.MaxContext
	code, distant := s.byNearness()
	for i, e := range code {
		if !s.allows(e.Path) {
			continue
		}
		if i >= distant+maxFar+maxOmitted || left <= 0 && len(b.Omitted) >= maxOmitted {
			break
		}
		text, ok, err := l.text(ctx, e)
		if err != nil {
			return nil, err
		}
		if !ok {
			b.Omitted = append(b.Omitted, e.Path)
			continue
		}
		_, dirty := s.dirty[e.Path]
		b.Shown = append(b.Shown, agents.ShownFile{
			Path: e.Path, Kind: s.project.Language.Kind(e.Path), Content: text, Editable: s.editable(e.Path) && !dirty,
			Distant: left <= 0 || i >= distant+maxFar,
		})
		left -= agents.EstimateTokens(text)
	}
	s.crowded = left <= 0 || len(code) > distant+maxFar
	offLimits := s.told.OffLimits
	hidden, err := l.secret(ctx, s)
	if err != nil {
		return nil, err
	}
	s.told = b.Narrow(agents.Isolation(s.project.Settings.Isolation)).Withhold(hidden...)
	s.told.OffLimits = offLimits
	files := s.told.Shown
	s.told.Shown = nil
	return files, nil
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
		case e.Mode != gitx.ModeFile && e.Mode != gitx.ModeExecutable, neverShown(e.Path):
			return false, nil
		}
		if _, ok, err := l.text(ctx, *e); err != nil || !ok {
			return false, err
		}
	}
	return true, nil
}

// byNearness orders the project's code by how near it is to the step: the
// failing test, what it reaches, what changed, the latest first, then what
// stands beside those, then the rest, from the index distant on; and in each what
// the role may edit before what it may not.
func (s *step) byNearness() (code []gitx.Entry, distant int) {
	ranks := s.nearness()
	folders := map[string]bool{}
	for name := range ranks {
		folders[path.Dir(name)] = true
	}
	rank := func(e gitx.Entry) int {
		r, near := ranks[e.Path]
		switch {
		case near:
		case folders[path.Dir(e.Path)]:
			r = beside
		default:
			r = far
		}
		if s.editable(e.Path) {
			return 2 * r
		}
		return 2*r + 1
	}
	of := map[string]int{}
	for _, e := range s.project.Entries {
		switch kind := s.project.Language.Kind(e.Path); {
		case e.Mode != gitx.ModeFile && e.Mode != gitx.ModeExecutable, neverShown(e.Path):
		case kind == gates.KindSource || kind == gates.KindTest || kind == gates.KindSupport || kind == gates.KindConfig, s.plays == gates.Keeper && s.editable(e.Path):
			of[e.Path] = rank(e)
			code = append(code, e)
		}
	}
	slices.SortStableFunc(code, func(a, b gitx.Entry) int { return of[a.Path] - of[b.Path] })
	distant = slices.IndexFunc(code, func(e gitx.Entry) bool { return of[e.Path] >= 2*beside })
	if distant < 0 {
		distant = len(code)
	}
	return code, distant
}

// nearness ranks the files that something about the step speaks of.
func (s *step) nearness() map[string]int {
	ranks := map[string]int{}
	for name, ago := range s.changed {
		ranks[name] = touched + min(ago, beside-touched-1)
	}
	for _, name := range s.reached {
		ranks[name] = reaches
	}
	for _, name := range s.failingFiles() {
		ranks[name] = broken
	}
	return ranks
}

// failingFiles are where the failing tests stand, and where errors point.
func (s *step) failingFiles() []string {
	var out []string
	for _, x := range s.before.With(gates.StatusFailed) {
		out = append(out, x.File)
	}
	for _, d := range s.before.Diagnostics {
		out = append(out, d.File)
	}
	for _, red := range s.history.Step.Red {
		if red.ByFile() && !s.before.Green() {
			out = append(out, red.ID)
		}
	}
	return slices.DeleteFunc(out, func(name string) bool { return name == "" })
}

// reach finds what the failing tests reach: what they execute, where that can be
// measured, and otherwise what their files mention by name, and what stands
// beside them.
func (l *Loop) reach(ctx context.Context, s *step) error {
	if l.reached.tree == s.head.Tree {
		s.reached = l.reached.files
		return nil
	}
	files, err := s.project.Reached(ctx, s.head.Tree, s.before.With(gates.StatusFailed))
	if err == nil && len(files) == 0 {
		files, err = l.mentioned(ctx, s)
	}
	s.reached, l.reached = files, reach{tree: s.head.Tree, files: files}
	return err
}

// reach is what the failing tests of a tree reach.
type reach struct {
	tree  gitx.ID
	files []string
}

// mentioned are the sources that the failing tests' files mention by name, and
// those beside them.
func (l *Loop) mentioned(ctx context.Context, s *step) (out []string, err error) {
	words, folders := map[string]bool{}, map[string]bool{}
	for _, name := range s.failingFiles() {
		text, _, err := l.opts.Repo.Text(ctx, s.head.Tree, name)
		if err != nil {
			return nil, err
		}
		folders[path.Dir(name)] = true
		for _, word := range wordPattern.FindAllString(string(text), -1) {
			words[strings.ToLower(word)] = true
		}
	}
	for _, e := range s.project.Entries {
		stem, _, _ := strings.Cut(path.Base(e.Path), ".")
		if s.project.Language.Kind(e.Path) == gates.KindSource && (words[strings.ToLower(stem)] || folders[path.Dir(e.Path)]) {
			out = append(out, e.Path)
		}
	}
	return out, nil
}

// wordPattern finds what a file's name could be mentioned by.
var wordPattern = lazyregexp.New(`[\pL\pN_-]{3,}`)

// neverShown reports whether the name of a file says that a tool wrote it, or that
// it holds secrets.
func neverShown(name string) bool {
	base := strings.ToLower(path.Base(name))
	return toolsPattern.MatchString(base) || secretPattern.MatchString(base)
}

var (
	toolsPattern  = lazyregexp.New(`\.lock$|^go\.sum$|-lock\.(json|ya?ml)$|^npm-shrinkwrap\.json$|[.-]min\.(js|css|mjs)$|\.map$|\.pb\.[a-z]+$|_pb2(_grpc)?\.pyi?$|\.g\.dart$|\.designer\.cs$`)
	secretPattern = lazyregexp.New(`^\.env(\.|$)|^\.(npmrc|netrc|pypirc|pgpass|htpasswd)$|^id_(rsa|dsa|ecdsa|ed25519)|\.(pem|key|p12|pfx|jks|keystore|kdbx|asc)$|^(credentials|secrets?)(\.(json|ya?ml|toml|ini|txt|env|properties|xml)|$)`)
)

// madeByTool reports whether a text says near its beginning that a tool wrote it,
// or is packed into lines that nobody writes.
func madeByTool(text string) bool {
	const widest = 5000 // bytes of a line
	head := text[:min(len(text), 2000)]
	if generatedPattern.MatchString(head) {
		return true
	}
	for line := range strings.Lines(text) {
		if len(line) > widest {
			return true
		}
	}
	return false
}

var generatedPattern = lazyregexp.New(`(?im)^\W*(code generated .*do not edit|@generated\b|this file (is|was) (auto-?|automatically )?generated|auto-?generated (by|file))`)
