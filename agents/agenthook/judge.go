package agenthook

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/wholefile"
)

// Judge answers what agents ask. Its checker must not measure: an agent waits for the answer.
type Judge struct {
	Repo    *gitx.Repo
	Checker *check.Checker
	Environ []string // of the agent's shell, as far as it is known
	// Together says that a tester's turn brings the code for its test, too.
	Together bool
}

// Answer is what an agent is told; the zero value lets it go on.
type Answer struct {
	Deny  string // why the tool must not run
	Again string // why the turn must go on
	Note  string // what the person should know
}

// Wall ends what an agent is told, so that nobody takes a hook for the rule.
const Wall = " (This saves you a round trip; git's hooks and `git tdd verify` judge every commit, whatever happens here.)"

// NoWall is said in the wall's place where git calls none of our hooks.
const NoWall = "git's hooks are not installed in this clone, and only `git tdd verify` judges what is committed. → git tdd hooks install"

// Answer answers one call of an agent.
func (j Judge) Answer(ctx context.Context, agent string, c Call) (Answer, error) {
	s, err := j.stand(ctx)
	if err != nil || s == nil {
		return Answer{}, err
	}
	session := j.session(agent, c.Session)
	if c.Stops {
		return j.stop(ctx, s, session)
	}
	all := c.Writes
	if c.Command != "" {
		script := readScript(c.Command, c.Dir, j.Environ)
		why, err := j.goesAround(ctx, script, session)
		if err != nil {
			return Answer{}, err
		}
		if why != "" {
			return Answer{Deny: "git tdd: " + why}, nil
		}
		all = script.writes
	}
	var told Answer
	for _, w := range all {
		switch gate, why := j.refuses(ctx, s, c.Dir, w); {
		case why == "":
		case gate == "" || !s.project.Settings.Gates.Tells(gate):
			return Answer{Deny: "git tdd: " + why + Wall}, nil
		default:
			told.Note = "git tdd: would be refused, and is let through (gates.enforce: tell): " + why
		}
	}
	if len(all) > 0 {
		session.Wrote = true
		session.save()
	}
	return told, nil
}

// Refuses says why the role whose turn it is must not write a file of the tree as it
// takes its step; empty if it may, or if that cannot be told.
func (j Judge) Refuses(ctx context.Context, w Write) string {
	s, err := j.stand(ctx)
	if err != nil || s == nil {
		return ""
	}
	if s.plays = s.plays[:1]; j.Together && s.plays[0] == gates.Tester {
		s.plays = append(s.plays, gates.Implementor)
	}
	if _, why := j.refuses(ctx, s, j.Repo.Top, w); why != "" {
		return why
	}
	return j.outOfScope(s, w.Path, s.project.Language.Kind(w.Path), w)
}

// standing is where the history stands, and what is allowed there.
type standing struct {
	head     gitx.Head
	project  *check.Project
	position gates.Position
	turn     gates.Role   // whose turn it is
	plays    []gates.Role // what may be played now, the turn's first
}

// stand finds out where the history is; nil if there is nothing to hold an agent to.
func (j Judge) stand(ctx context.Context) (*standing, error) {
	head, err := j.Repo.Head(ctx)
	if err != nil || head.Unborn() || j.Repo.Underway() != "" {
		return nil, err
	}
	s := &standing{head: head}
	if s.project, err = j.Checker.Outline(ctx, head.Tree); err != nil || s.project.File == "" {
		return nil, err
	}
	if s.position, err = j.Checker.Position(ctx, head.Commit); err != nil {
		return nil, err
	}
	s.turn = check.Turn(s.project.Settings, s.position)
	s.plays = []gates.Role{s.project.Settings.Plays(s.turn)}
	if s.position.Step.Phase == gates.PhaseRefactor && s.plays[0] == gates.Tester {
		s.plays = append(s.plays, gates.Refactorer) // one refactoring may follow another
	}
	if s.plays[0] == gates.Refactorer || s.plays[0] == gates.Keeper {
		s.plays = append(s.plays, gates.Tester) // this turn may be left out
	}
	if s.project.Settings.Gates.Pace == gates.PaceCycles && s.plays[0] != gates.Implementor {
		s.plays = append(s.plays, gates.Tester, gates.Implementor) // tests and code may come together
	}
	if entry, ok := s.project.Known(ctx, head.Tree); ok && s.doubts(entry.Result.Facts) {
		s.plays = []gates.Role{s.plays[0], gates.Tester, gates.Implementor, gates.Refactorer}
	}
	return s, nil
}

// doubts reports whether the facts contradict the trailers, as with a failure from before the loop.
func (s *standing) doubts(f gates.Facts) bool {
	if s.position.Step.Phase == gates.PhaseRed {
		return f.Outcome == gates.Passed
	}
	return f.Outcome == gates.Failed || f.Outcome == gates.Broken
}

// next is the next thing that the rules allow, in words.
func (s *standing) next() string {
	text := fmt.Sprintf("it is the %s's turn: commit %s", s.turn, s.project.Settings.Expected(s.position, s.turn))
	if s.plays[0] == gates.Implementor {
		text += ", with the tests as they are"
	}
	return text
}

// refuses says why a file must not be written now, or what is below a folder be removed; empty
// if it may. Without a gate (git's own files, the rules) no policy lets it through.
func (j Judge) refuses(ctx context.Context, s *standing, dir string, w Write) (gate, why string) {
	path, inside := j.locate(dir, w.Path)
	switch {
	case path == "":
		return "", ""
	case !inside:
		return "", w.Path + " belongs to git: hooks, configuration and history are not for an agent to write. → leave it as it is"
	case gates.Protected(s.project.Protected(), path):
		if gate = "protected"; gates.IsPolicy(path) {
			gate = ""
		}
		return gate, path + " is protected: what steers the work is not changed by who does it. → leave it as it is, and ask the person you work for where it has to change"
	}
	if fi, err := os.Stat(filepath.Join(j.Repo.Top, path)); w.below && err == nil && fi.IsDir() {
		return j.refusesBelow(ctx, s, path)
	}
	switch kind := s.project.Language.Kind(path); kind {
	case gates.KindConfig, gates.KindOther:
		return "", "" // a commit of its own; its facts are judged there
	case gates.KindTest, gates.KindSupport, gates.KindSource:
		why := j.outOfScope(s, path, kind, w)
		if why != "" && w.below && j.Repo.Ignores(ctx, path) {
			return "", "" // no tree has it
		}
		return "scope", why
	}
	return "", ""
}

// refusesBelow asks of each file that a folder holds in HEAD.
func (j Judge) refusesBelow(ctx context.Context, s *standing, folder string) (gate, why string) {
	all, err := j.Repo.Entries(ctx, s.head.Tree)
	if err != nil {
		return "", ""
	}
	for _, e := range all {
		if folder != "." && !strings.HasPrefix(e.Path, folder+"/") {
			continue
		}
		if gate, why := j.refuses(ctx, s, j.Repo.Top, Write{Path: e.Path, below: true}); why != "" {
			return gate, why
		}
	}
	return "", ""
}

// outOfScope says why no role that may be played now may make this write.
func (j Judge) outOfScope(s *standing, path string, kind gates.Kind, w Write) (why string) {
	before, _ := wholefile.Read(filepath.Join(j.Repo.Top, filepath.FromSlash(path))) // nil if it cannot be read
	after, known := w.After(string(before))
	edited := []byte(after)
	if w.Deletes {
		edited = nil
	}
	for _, role := range slices.Backward(s.plays) {
		if !known {
			if s.reach(role, path, kind) != gates.ReachNone {
				return ""
			}
			why = fmt.Sprintf("%s is a %s, which the %s leaves alone", path, kind, role)
			continue
		}
		v := s.scope(role, gates.Change{Files: []gates.FileChange{check.Edit(s.project.Language, path, before, edited)}})
		if v.Accepted() {
			return ""
		}
		why = path + ": " + v.Findings[0].Seen
	}
	return why + ". → " + s.next() + "; `git tdd status` says more"
}

// scope asks what may be touched.
func (s *standing) scope(role gates.Role, change gates.Change) gates.Verdict {
	c := &gates.Premise{Role: role, Plays: role, Change: change, Policy: s.project.Settings.Gates, Protected: s.project.Protected()}
	c.Policy.Enforce = nil // what only tells is a note, see Answer
	if role == gates.Keeper {
		c.Role, c.Rules = s.turn, s.project.Settings.Rules(s.turn)
	}
	return gates.JudgeScope(c)
}

// reach is how far a role's hands reach into a file, where the change is not known.
func (s *standing) reach(role gates.Role, path string, kind gates.Kind) gates.Reach {
	if role == gates.Keeper {
		return s.project.Settings.Rules(s.turn).Reach(path, kind)
	}
	return s.project.Settings.Gates.Reach(role, kind, s.project.Language.At(path).Inline())
}

// locate is a path of the working tree, with slashes. It is empty where the path
// lies elsewhere, and inside is false where git keeps its own files there.
func (j Judge) locate(dir, name string) (path string, inside bool) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(dir, filepath.FromSlash(name))
	}
	name = gitx.Resolved(name)
	for _, own := range []string{j.Repo.GitDir, j.Repo.CommonDir} {
		if rel, err := filepath.Rel(gitx.Resolved(own), name); err == nil && filepath.IsLocal(rel) {
			return rel, false
		}
	}
	rel, err := filepath.Rel(gitx.Resolved(j.Repo.Top), name)
	if err != nil || !filepath.IsLocal(rel) {
		return "", true
	}
	return filepath.ToSlash(rel), true
}
