package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/facts"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/hooks"
	"github.com/git-tdd/git-tdd/internal/envvar"
	"github.com/git-tdd/git-tdd/verify"
)

// hook is what the shims call. It is meant for git, not for people.
func (p *program) hook(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return usage("git tdd hook is called by the hooks that git tdd hooks install installs")
	}
	if args[0] == hooks.PreReceive {
		return p.preReceive(ctx)
	}
	if err := p.open(ctx); err != nil {
		return err
	}
	phase := func(d facts.Doing) {
		what := "what is staged"
		if head, err := p.repo.Head(ctx); err == nil && d.Tree == head.Tree {
			what = "the parent"
		}
		p.err.phase("git tdd: "+measuring(d, what), command(d))
	}
	carried := func(run, left int) {
		p.err.below("", fmt.Sprintf("git tdd: %s run, of what the change can have an effect on; %d more as they were, until a push or `git tdd verify` runs them", gates.Count(run, "test"), left))
	}
	checker := p.checker(check.Options{Observer: facts.Observer{Phase: phase}, Carried: carried, Evidence: gates.EvidenceChanged})
	g := &guard{p: p, Guard: hooks.Guard{Repo: p.repo, Checker: checker, Environ: p.environ}}
	err := g.tolerate(ctx, args, p.inIndex(ctx, g.answer(ctx, args[0], args[1:])))
	return errors.Join(err, checker.Close())
}

// tolerate lets through what could not be judged, where the policy only tells. What
// pre-commit could not measure, commit-msg says.
func (g *guard) tolerate(ctx context.Context, args []string, err error) error {
	end, decided := errors.AsType[*exitError](err)
	if err == nil || decided && end.code != exitUnjudged || ctx.Err() != nil || errors.Is(err, gitx.ErrInterrupted) || !g.Tells(ctx) {
		return err
	}
	switch {
	case args[0] == "pre-commit" || args[0] == "pre-merge-commit":
		return nil
	case args[0] == "commit-msg" && len(args) > 1:
		if failed := g.Note(ctx, args[1], commitmsg.Trailer{Key: gates.KeyTold, Value: gates.ToldUnjudged}); failed != nil {
			return errors.Join(err, failed)
		}
	}
	g.p.err.below("", "git tdd: could not be judged, and is let through (gates.enforce: tell): "+firstLine(err.Error()))
	return nil
}

// inIndex says of what was not approved that it is in what is being committed, if that
// of HEAD was approved or HEAD has none.
func (p *program) inIndex(ctx context.Context, err error) error {
	untrusted, ok := errors.AsType[*untrustedError](err)
	if !ok {
		return err
	}
	if tree, unread := p.repo.StagedTree(ctx, p.environ); unread != nil || tree != untrusted.tree {
		return err
	}
	if err = p.inHistory(ctx, err); untrusted.rev != "" {
		untrusted.committing = true
		if filepath.Base(envvar.Get(p.environ, "GIT_INDEX_FILE")) == "index" { // what -a stages is not staged later
			untrusted.rev = "--staged"
		}
	}
	return err
}

// guard tells a person what the guard of the hooks found.
type guard struct {
	hooks.Guard

	p *program
}

// answer answers one call of git.
func (g *guard) answer(ctx context.Context, name string, args []string) error {
	file := ""
	if len(args) > 0 {
		file = args[0]
	}
	switch off := hooks.Off(g.Environ); {
	case off && name == "commit-msg":
		return g.Note(ctx, file, commitmsg.Trailer{Key: gates.KeyOutcome, Value: string(gates.Unguarded)})
	case off:
		return nil
	}
	switch name {
	case "pre-commit", "pre-merge-commit":
		return g.PreCommit(ctx)
	case "prepare-commit-msg":
		return nil // early shims call it, and nothing is to be done there
	case "commit-msg":
		return g.commitMsg(ctx, file)
	case "post-commit":
		return g.postCommit(ctx)
	case "pre-push":
		return g.prePush(ctx, file)
	}
	return usage("there is no hook " + quote(name) + " of git-tdd's")
}

func (g *guard) commitMsg(ctx context.Context, file string) error {
	a, err := g.CommitMsg(ctx, file)
	g.p.err.quiet()
	switch {
	case err != nil:
		return err
	case !a.Accepted:
		return g.refuse(a, file)
	}
	if said := toldOf(a.Findings, a.Judgement.Verdict.Notes); said != "" {
		what := map[bool]string{false: "would be refused", true: "could not be judged"}[a.Judgement.Tolerated]
		g.p.err.below("", "git tdd: "+what+", and is let through (gates.enforce: tell): "+said)
	}
	for _, f := range a.Judgement.Verdict.Notes {
		if !f.Told {
			g.p.err.below("", "git tdd: "+f.Shown())
		}
	}
	switch {
	case a.Sequence != "":
		g.p.err.printf("git tdd: a %s is under way, so only the message was judged; `git tdd verify` judges what comes of it\n", a.Sequence)
	case a.Amends && a.Judgement.Step.Number > 0:
		g.p.err.printf("git tdd: judged as step %d anew, in the place of HEAD\n", a.Judgement.Step.Number)
	}
	return nil
}

// toldOf says in one line what would be refused: each gate, where, and what it saw.
func toldOf(lists ...[]gates.Finding) string {
	const most = 3
	var said []string
	for _, f := range slices.Concat(lists...) {
		if text := seen(f); (f.Told || f.Unjudged) && !slices.Contains(said, text) {
			said = append(said, text)
		}
	}
	if more := len(said) - most; more > 0 {
		said = append(said[:most], fmt.Sprintf("%d more (git tdd verify says all)", more))
	}
	return strings.Join(said, "; ")
}

// refuse says what was seen, the next thing to do and where the message is
// kept, and below that the rest.
func (g *guard) refuse(a hooks.Answer, file string) error {
	p, first := g.p, a.Findings[0]
	what := "refused"
	if !a.Judgement.Verdict.Judged && a.Sequence == "" {
		what = "could not be judged"
	}
	what = "git tdd: " + what + ":"
	plain := first
	plain.Mutant = gates.Mutant{} // its lines follow as a diff
	p.err.printf("%s %s\n", p.err.paint(red, what), p.err.folded(seen(plain), columns(what)+1))
	if text := first.Shown(); first.Mutant.Was != "" {
		_, diff, _ := strings.Cut(strings.ReplaceAll(text, first.Remedy, ""), "\n")
		p.err.below("", diff)
	}
	p.err.printf("  → %s\n", p.err.folded(firstLine(first.Remedy), 4))
	if strings.HasSuffix(file, "MERGE_MSG") {
		p.err.printf("  The merge is staged: `git commit` completes it.\n")
	} else {
		how, more := "Your message is kept", ""
		if first.Gate == "message" {
			how = "Your message is kept, to be edited"
		}
		argv, whole := g.Again(file)
		if !whole {
			more = ", with -a or the paths as before"
		}
		p.err.printf("  %s: %s%s\n", how, shell(argv...), more)
	}
	rest := a.Findings[1:]
	if g.Squashed() { // what it quotes of others' messages needs no finding each
		rest = nil
		p.err.printf("  It is a squashed merge, in which no step can be seen any more: commit it as chore: …, or as feat: … where a release is made of that\n" +
			"  (git tdd squash-message [--type feat] HEAD..BRANCH | git commit -F -), or keep the steps: git reset --merge, git merge --no-ff …\n")
	}
	p.err.printf("  Why: git tdd explain %s\n", first.Gate)
	for _, line := range gates.Tell(rest) {
		p.err.printf("  also %s\n", p.err.folded(line, 7))
	}
	return refused("")
}

// seen is what a finding reports, and where.
func seen(f gates.Finding) string {
	text := f.String()
	at := strings.LastIndex(text, " → "+f.Remedy)
	return firstLine(text[:max(at, 0)])
}

// shell writes words as a shell reads them.
func shell(argv ...string) string {
	quoted := slices.Clone(argv)
	for i, word := range quoted {
		if word == "" || strings.ContainsAny(word, " \t\n'\"\\$`*?[](){}<>|&;~#!") {
			quoted[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}

func (g *guard) postCommit(ctx context.Context) error {
	t, err := g.PostCommit(ctx)
	if err != nil || t.Quiet {
		return err
	}
	if t.Bypassed {
		g.p.err.printf("%s this commit was never judged (--no-verify, or a hook that `git tdd hooks status` finds displaced); `git tdd verify HEAD^!` judges it now\n", g.p.err.paint(yellow, "git tdd:"))
		return nil
	}
	text := "git tdd: "
	if t.Last.Number > 0 {
		text += fmt.Sprintf("step %d %s · %s; ", t.Last.Number, t.Last.Phase, t.Last.Tests)
	}
	g.p.err.below("", text+fmt.Sprintf("next is the %s: %s", t.Next.Role, t.Expected))
	return nil
}

// prePush judges the commits that are about to be pushed.
func (g *guard) prePush(ctx context.Context, remote string) error {
	lines, err := io.ReadAll(os.Stdin)
	if err != nil {
		return fmt.Errorf("read what is being pushed: %w", err)
	}
	var ids []gitx.ID
	for _, push := range hooks.ParsePushes(string(lines)) {
		out, err := g.Outgoing(ctx, remote, push)
		if err != nil {
			return err
		}
		ids = append(ids, out...)
	}
	return g.prove(ctx, ids, "mend it (git commit --amend, git rebase -i), or push it as it is: GIT_TDD=off git push …")
}

// prove judges commits that are to be pushed, reports those that are not accepted, and says
// how many only are because the policy tells. mend is what to do where one may not be pushed.
func (g *guard) prove(ctx context.Context, ids []gitx.ID, mend string) error {
	options := g.p.judging(check.Options{})
	options.Jobs, options.OnProof = verifying{}.side(len(ids)), g.tellProof
	r, err := verify.Run(ctx, options, ids)
	if err != nil {
		return err
	}
	if n := r.LetThrough(); n > 0 {
		g.p.err.printf("git tdd: %d of %s would be refused, and are let through (gates.enforce: tell); `git tdd verify` says why\n", n, gates.Count(len(r.Commits), "commit"))
	}
	if r.Verdict() == verify.Held || r.Count(verify.Refused) == 0 && g.Tells(ctx) {
		return nil
	}
	g.p.err.printf("  %s\n", mend)
	return refused("")
}

func (g *guard) tellProof(proof verify.Proof) {
	if proof.Verdict == verify.Held {
		return
	}
	g.p.err.printf("%s %s %s\n", g.p.err.paint(red, "git tdd: "+string(proof.Verdict)+":"), proof.Commit.Short(), proof.Subject)
	g.p.err.findings("    ", proof.Findings)
}
