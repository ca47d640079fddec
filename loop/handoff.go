package loop

import (
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/git-tdd/git-tdd/agents"
	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/wholefile"
)

// Handoff is .tdd/handoff/step-N-PHASE.json: what a step leaves to the next. It is
// worked out anew from the history each time and never read back to decide
// anything; one that somebody else wrote ends a step in isolation.
type Handoff struct {
	Phase     gates.Phase `json:"phase"`
	Timestamp time.Time   `json:"timestamp"`
	Component string      `json:"component"` // the scope of the commit, or the stem of the test's file
	Cycle     int         `json:"cycle"`
	TestFile  string      `json:"test_file"`
	// ImplementationFiles are, after a red, the sources that the failing test reaches,
	// and otherwise those that the cycle changed.
	ImplementationFiles []string `json:"implementation_files"`
	RunnerOutput        string   `json:"runner_output"` // its last 2,000 characters
	ExitCode            int      `json:"exit_code"`
	Allowlist           []string `json:"allowlist"` // the paths that the next role may be shown
	Commit              string   `json:"commit"`
	Seal                string   `json:"seal"` // proves that git-tdd wrote all of this, for this user
}

// maxRunnerOutput is how much of a runner's output a manifest holds, in
// characters.
const maxRunnerOutput = 2000

// strictly reports whether the role works in isolation.
func (t turn) strictly() bool { return t.project.Settings.Isolation == config.IsolationStrict }

// handOver finds what the role may be shown and keeps the manifest of the step before.
func (l *Loop) handOver(ctx context.Context, s *step) error {
	if s.plays == gates.Implementor && s.strictly() {
		if err := l.reach(ctx, s); err != nil {
			return err
		}
	}
	h := l.handoff(s)
	s.allowed = h.Allowlist
	if !s.history.Started() {
		return nil
	}
	name := fmt.Sprintf("handoff/step-%d-%s.json", s.history.Step.Number, fileWord(string(s.history.Step.Phase)))
	there, err := l.journal.read(name)
	if err == nil && s.strictly() && !l.authentic(there) {
		return &StopError{Reason: Isolation, Text: fmt.Sprintf(
			".tdd/%s is not what git-tdd wrote there, so somebody tampered with what the %s is handed; look at it, then delete it: it is made anew from the history", name, s.role)}
	}
	if !l.taking { // a preview writes nothing
		return nil
	}
	l.record(l.journal.write(name, l.sealed(h)))
	return nil
}

// leave keeps the manifest of a step that has landed, for readers.
func (l *Loop) leave(ctx context.Context) error {
	at, err := l.position(ctx)
	if err != nil || ctx.Err() != nil {
		return ctx.Err()
	}
	role := check.Turn(at.project.Settings, at.history)
	t := turn{position: at, role: role, plays: at.project.Settings.Plays(role)}
	measured, err := l.opts.Checker.Of(ctx, at.project, at.head.Tree)
	if err != nil {
		return err
	}
	changed, err := l.changed(ctx, t)
	if err != nil {
		return err
	}
	return l.handOver(ctx, &step{turn: t, before: measured.Facts, runs: measured.Runs, changed: changed})
}

// handoff works out the manifest of the step before.
func (l *Loop) handoff(s *step) Handoff {
	last := s.history.Step
	h := Handoff{
		Phase: last.Phase, Timestamp: time.Now().UTC(), Cycle: last.Cycle, Commit: string(s.head.Commit),
		ImplementationFiles: []string{},
	}
	lang := s.project.Language
	for _, name := range s.latest() {
		switch kind := lang.Kind(name); {
		case kind == gates.KindTest && h.TestFile == "":
			h.TestFile = name
		case kind == gates.KindSource && last.Phase != gates.PhaseRed:
			h.ImplementationFiles = append(h.ImplementationFiles, name)
		}
	}
	if broken := s.failingTests(); len(broken) > 0 {
		h.TestFile = broken[0]
	}
	if last.Phase == gates.PhaseRed {
		h.ImplementationFiles = append(h.ImplementationFiles, sortedKeys(s.ran)...)
	}
	header, _ := commitmsg.ParseHeader(commitmsg.Parse(s.commit.Message).Subject)
	h.Component = cmp.Or(header.Scope, stem(h.TestFile))
	if output := []rune(l.opts.Redact(readable(telling(s.runs)))); len(s.runs) > 0 {
		h.RunnerOutput = string(output[max(0, len(output)-maxRunnerOutput):])
		h.ExitCode = s.runs[len(s.runs)-1].Exit
	}
	h.Allowlist = s.knowable()
	return h
}

// knowable are the files that the role may be shown, sorted.
func (s *step) knowable() []string {
	if !s.strictly() {
		return []string{"**"}
	}
	names := gates.Each(s.project.Entries, func(e gitx.Entry) string { return e.Path })
	names = slices.DeleteFunc(names, func(name string) bool { return !s.mayKnow(name) })
	slices.Sort(names)
	return names
}

func (s *step) allows(name string) bool {
	if !s.strictly() {
		return true
	}
	_, found := slices.BinarySearch(s.allowed, name)
	return found
}

// latest are the files that the last steps changed, the latest first.
func (s *step) latest() []string {
	names := sortedKeys(s.changed)
	slices.SortStableFunc(names, func(a, b string) int { return s.changed[a] - s.changed[b] })
	return slices.DeleteFunc(names, func(name string) bool { return s.changed[name] >= len(s.project.Settings.Rotation) })
}

func (s *step) failingTests() []string {
	return slices.DeleteFunc(s.failingFiles(), func(name string) bool {
		kind := s.project.Language.Kind(name)
		return kind != gates.KindTest && kind != gates.KindSupport
	})
}

// mayKnow reports whether a role in isolation may know a file (docs/isolation.md has the table).
func (s *step) mayKnow(name string) bool {
	kind := s.project.Language.Kind(name)
	if name == s.project.Settings.Kata {
		return s.plays == gates.Tester
	}
	switch kind {
	case gates.KindTest:
		tests := s.failingTests()
		return s.plays != gates.Implementor || len(tests) == 0 || slices.Contains(tests, name)
	case gates.KindSource:
		return s.plays == gates.Refactorer || s.plays == gates.Keeper || s.plays == gates.Implementor && (len(s.ran) == 0 || slices.Contains(sortedKeys(s.ran), name))
	case gates.KindOther:
		return s.plays == gates.Tester || s.plays == gates.Keeper && s.project.Settings.Rules(s.role).Covers(name)
	case gates.KindSupport, gates.KindConfig:
	}
	return true
}

func (l *Loop) sealed(h Handoff) string {
	h.Seal = ""
	text, err := json.MarshalIndent(h, "", "  ")
	proof, unsealed := l.opts.Seal(text)
	h.Seal = hex.EncodeToString([]byte(proof))
	text, wrong := json.MarshalIndent(h, "", "  ")
	if cmp.Or(err, unsealed, wrong) != nil {
		return "" // no secret, no manifest that anybody could trust
	}
	return string(text) + "\n"
}

func (l *Loop) authentic(text []byte) bool {
	var h Handoff
	return json.Unmarshal(text, &h) == nil && l.sealed(h) == string(text)
}

// secret are texts that a role in isolation must not know: files outside its list that changed lately.
func (l *Loop) secret(ctx context.Context, s *step) (out []string, err error) {
	parent, err := l.parent(ctx, s.commit)
	if err != nil || parent == nil {
		return nil, err
	}
	for _, name := range sortedKeys(s.changed) {
		if s.allows(name) {
			continue
		}
		for _, tree := range []gitx.ID{s.head.Tree, parent.Tree} {
			text, _, err := l.opts.Repo.Text(ctx, tree, name)
			if err != nil {
				return nil, err
			}
			out = append(out, string(text))
		}
	}
	return out, nil
}

// violated turns what isolation found into a stop.
func violated(err error) error {
	if errors.Is(err, agents.ErrLeak) {
		return &StopError{Reason: Isolation, Text: err.Error() + "; nothing was sent", Err: err}
	}
	return err
}

// read reads a file below .tdd/. No link is followed out of it.
func (j journal) read(name string) ([]byte, error) {
	dir, err := j.open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = dir.Close() }()
	if info, err := dir.Lstat(name); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, nil // something else stands there, which is not authentic
	}
	return wholefile.ReadIn(dir, name)
}
