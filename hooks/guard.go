package hooks

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/envvar"
	"github.com/git-tdd/git-tdd/internal/wholefile"
)

// Guard answers git's calls.
type Guard struct {
	Repo    *gitx.Repo
	Checker *check.Checker
	Environ []string // the hook's, including what git added
}

// Answer is what the guard has to say about a commit.
type Answer struct {
	Accepted  bool
	Judgement check.Judgement // the zero value if nothing was judged
	Findings  []gates.Finding
	Amends    bool   // it was judged as an amendment of HEAD
	Sequence  string // what git is in the middle of, so that only the form was judged
}

// Off reports whether the user switched the guard off for this command.
func Off(environ []string) bool { return saysNo(envvar.Get(environ, "GIT_TDD")) }

func saysNo(value string) bool {
	return slices.Contains([]string{"off", "0", "no", "false"}, value)
}

// PreCommit measures the tree that is being committed, so that its facts are on record for
// commit-msg; but not a change to documentation alone, which seldom is a step.
func (g Guard) PreCommit(ctx context.Context) error {
	tree, head, err := g.landed(ctx)
	if err != nil || tree == "" || sequence(g.Repo) != "" {
		return err
	}
	project, err := g.Checker.Project(ctx, head)
	if err != nil || project.File == "" {
		project, err = g.Checker.Project(ctx, tree)
	}
	if err != nil {
		return nil //nolint:nilerr // commit-msg says what is wrong
	}
	change, err := g.Checker.Change(ctx, project.Language, head, tree)
	if err != nil || change.DocsOnly() {
		return err
	}
	if err := g.Checker.Carry(ctx, project, head, change, tree); err != nil {
		return err
	}
	_, err = g.Checker.Of(ctx, project, tree)
	return err
}

// landed is trees, and refuses a guarded commit in the middle of a landing: the index may be
// where the step began, and the commit would take the step back.
func (g Guard) landed(ctx context.Context) (staged, head gitx.ID, err error) {
	staged, head, err = g.trees(ctx)
	if err != nil || staged == "" {
		return staged, head, err
	}
	waits, err := g.Repo.Interrupted(ctx)
	if err == nil && waits {
		err = gitx.ErrInterrupted
	}
	return staged, head, err
}

// trees returns the staged tree and that of HEAD; both are empty if neither has a configuration.
func (g Guard) trees(ctx context.Context) (staged, head gitx.ID, err error) {
	at, err := g.Repo.Head(ctx)
	if err != nil {
		return "", "", err
	}
	if staged, err = g.Repo.StagedTree(ctx, g.Environ); err != nil {
		return "", "", err
	}
	for _, tree := range []gitx.ID{at.Tree, staged} {
		if ok, err := check.Guarded(ctx, g.Repo, tree); err != nil || ok {
			return staged, at.Tree, err
		}
	}
	return "", "", nil
}

// CommitMsg judges the commit being made and, if it accepts it, adds the trailers of its step.
func (g Guard) CommitMsg(ctx context.Context, file string) (Answer, error) {
	tree, _, err := g.landed(ctx)
	if err != nil || tree == "" {
		return Answer{Accepted: true}, err
	}
	how := invoked()
	t, err := g.read(ctx, file, how)
	if err != nil || t.empty() {
		return Answer{Accepted: err == nil}, err
	}
	if seq := sequence(g.Repo); seq != "" {
		return inSequence(seq, t.message), nil
	}
	a, err := g.judge(ctx, tree, t.message, how)
	if err != nil || !a.Accepted || a.Judgement.Message == t.message {
		return a, err
	}
	return a, writeMessage(file, t.file(a.Judgement.Message))
}

// Tells reports whether HEAD's policy lets through what cannot be judged.
func (g Guard) Tells(ctx context.Context) bool {
	head, err := g.Repo.Head(ctx)
	if err != nil {
		return false
	}
	rules, err := g.Checker.Settings(ctx, head.Tree)
	return err == nil && rules.Settings.Gates.Tells(gates.EnforceDefault)
}

// Note writes a trailer into the message, in the place of an older one: that nothing could be
// judged, or that the guard was switched off. Of that the shim takes note by itself, but other
// people's hooks that call git-tdd do not.
func (g Guard) Note(ctx context.Context, file string, trailer commitmsg.Trailer) error {
	tree, _, err := g.trees(ctx)
	if err != nil || tree == "" {
		return err
	}
	t, err := g.read(ctx, file, invoked())
	if err != nil || t.empty() {
		return err
	}
	return writeMessage(file, t.file(commitmsg.AppendTrailers(commitmsg.RemoveTrailers(t.message, trailer.Key), []commitmsg.Trailer{trailer})))
}

// read reads the file with the message, as git will clean it.
func (g Guard) read(ctx context.Context, file string, how invocation) (text, error) {
	data, err := wholefile.Read(file)
	if err != nil {
		return text{}, fmt.Errorf("read the message: %w", err)
	}
	s, err := g.style(ctx, string(data), how)
	return take(string(data), s), err
}

func writeMessage(file, text string) error {
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return fmt.Errorf("write the message: %w", err)
	}
	return nil
}

// inSequence checks only the form: facts in the middle of a rebase say nothing about the result.
func inSequence(seq, message string) Answer {
	findings := gates.Each(commitmsg.Parse(message).Check(commitmsg.Rules{}), func(v commitmsg.Violation) gates.Finding {
		return gates.Finding{Gate: "message", Seen: v.Seen, Remedy: v.Remedy}
	})
	return Answer{Accepted: len(findings) == 0, Sequence: seq, Findings: findings}
}

// judge judges a commit on top of HEAD, or one that replaces HEAD. If it cannot
// be told which it is, it must be acceptable as one of them.
func (g Guard) judge(ctx context.Context, tree gitx.ID, message string, how invocation) (Answer, error) {
	head, err := g.Repo.Head(ctx)
	if err != nil {
		return Answer{}, err
	}
	if how.amends && how.known {
		return g.amend(ctx, head, tree, message)
	}
	p := Proposal(head.Commit, tree, message)
	if p.Others, err = merged(g.Repo); err != nil {
		return Answer{}, err
	}
	a, err := g.ask(ctx, p)
	if err != nil || a.Accepted || how.known || head.Unborn() || len(p.Others) > 0 {
		return a, err
	}
	if b, err := g.amend(ctx, head, tree, message); err == nil && b.Accepted {
		return b, nil
	}
	return a, nil
}

func (g Guard) amend(ctx context.Context, head gitx.Head, tree gitx.ID, message string) (Answer, error) {
	was, err := g.Repo.Commit(ctx, string(head.Commit))
	if err != nil {
		return Answer{}, err
	}
	a, err := g.ask(ctx, Proposal("", tree, message).On(was.Parents))
	a.Amends = true
	return a, err
}

// Proposal is a commit as commit-msg judges it; accepted, its message has the trailers of its step.
func Proposal(parent, tree gitx.ID, message string) check.Proposal {
	_, agent := commitmsg.Parse(message).Get(gates.KeyModel)
	return check.Proposal{
		Parent: parent, Tree: tree, Message: message, Agent: agent, Brief: true,
		Compose: func(s gates.Step, _ *gates.Case) string { return Trailed(message, s) },
	}
}

func (g Guard) ask(ctx context.Context, p check.Proposal) (Answer, error) {
	j, err := g.Checker.Judge(ctx, p)
	return Answer{Accepted: j.Verdict.Accepted() || j.Tolerated, Judgement: j, Findings: j.Verdict.Findings}, err
}

// style finds out how git will clean the message, and asks git only if there may be comments.
func (g Guard) style(ctx context.Context, file string, how invocation) (style, error) {
	s := style{comment: "#", cleanup: how.cleanup, edited: envvar.Get(g.Environ, "GIT_EDITOR") != ":"}
	if !s.edited && s.cleanup == "" {
		return s, nil
	}
	set, err := g.Repo.Config(ctx, g.Environ, `^(core\.comment(string|char)|commit\.cleanup)$`)
	if err != nil {
		return s, err
	}
	if s.comment = cmp.Or(set["core.commentstring"], set["core.commentchar"], s.comment); s.comment == "auto" {
		s.comment = chosen(file)
	}
	if s.cleanup == "" && s.cutFirst(file) {
		s.cleanup = "scissors"
	}
	s.cleanup = cmp.Or(s.cleanup, set["commit.cleanup"])
	return s, nil
}

// chosen is the comment character that git chose, if it may choose: the one
// before the scissors, or otherwise at the start of the last line.
func chosen(file string) string {
	if at := strings.Index(file, cut); at > 0 {
		return file[at-1 : at]
	}
	lines := strings.Split(strings.TrimRight(file, "\n"), "\n")
	if last := lines[len(lines)-1]; last != "" && strings.ContainsAny(last[:1], "#;@!$%^&|:") {
		return last[:1]
	}
	return "#"
}
