package main

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/agents/agenthook"
	"github.com/git-tdd/git-tdd/agents/presets"
	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/hooks"
	"github.com/git-tdd/git-tdd/internal/clean"
)

// patience is how long an agent is kept waiting: nearly as long as it waits for its
// hooks, which is ten seconds in every preset.
const patience = 9 * time.Second

// largest is the most that is read of what an agent sends.
const largest = 16 << 20

// agentHook is what the hooks of coding agents call: an agent's JSON on standard
// input, the answer in its own form on standard output. It never stands in the
// way of work: whatever goes wrong, it exits 0, says that nothing was judged, and
// the commit is judged anyway.
func (p *program) agentHook(ctx context.Context, args []string, stdin io.Reader) error {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return usage("git tdd agent-hook is called by the hooks that `git tdd agents install` writes")
	}
	preset, err := presets.ByName(args[0])
	if err != nil {
		return usage(err.Error())
	}
	if hooks.Off(p.environ) {
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, p.patience)
	defer cancel()
	answered := make(chan agenthook.Answer, 1)
	go func() { answered <- p.answerAgent(limited, preset, stdin) }()
	select {
	case answer := <-answered:
		p.tellAgent(preset, answer)
	case <-limited.Done():
		p.tellAgent(preset, p.notJudged(ctx, "there was no answer in time"))
	}
	return nil
}

// tellAgent prints an answer in the agent's form. A note that has none goes where
// agents show what hooks complain about.
func (p *program) tellAgent(preset presets.Preset, answer agenthook.Answer) {
	text, form := answer.Deny, preset.Answers.Deny
	switch {
	case answer.Again != "":
		text, form = answer.Again, preset.Answers.Again
	case answer.Note != "":
		text, form = answer.Note, preset.Answers.Note
	}
	if text == "" {
		return
	}
	if out := presets.Render(form, clean.Text(text)); len(out) > 0 {
		p.out.printf("%s\n", out)
		return
	}
	p.err.printf("%s\n", text)
}

// answerAgent is the answer to one call; the zero value lets the agent go on.
func (p *program) answerAgent(ctx context.Context, preset presets.Preset, stdin io.Reader) agenthook.Answer {
	input, err := io.ReadAll(io.LimitReader(stdin, largest+1))
	if len(input) > largest {
		return p.notJudged(ctx, "what "+preset.Title+" sent is too long")
	}
	var call agenthook.Call
	if err == nil {
		call, err = agenthook.Parse(preset, input)
	}
	if err != nil {
		return p.notJudged(ctx, "what "+preset.Title+" sent cannot be read")
	}
	answer, err := p.askJudge(ctx, preset, call)
	if err != nil && !errors.Is(err, gitx.ErrNotRepository) {
		return p.notJudged(ctx, err.Error())
	}
	return answer
}

// notJudged is the note that nothing was judged now, and what judges the commit.
func (p *program) notJudged(ctx context.Context, why string) agenthook.Answer {
	const brief = time.Second / 2
	ctx, cancel := context.WithTimeout(ctx, brief)
	defer cancel()
	wall := "git's hooks judge the commit when it is made"
	if repo, err := gitx.Open(ctx, gitx.Options{Dir: p.dir, Environ: p.environ}); err == nil {
		if remedy, err := (hooks.Installer{Repo: repo}).Unguarded(ctx); err != nil || remedy != "" {
			wall = agenthook.NoWall
		}
		_ = repo.Close()
	}
	return agenthook.Answer{Note: "git tdd: this was let through unjudged, because " + why + "; " + wall}
}

// askJudge asks in each working tree that a call is about; the first that objects decides.
func (p *program) askJudge(ctx context.Context, preset presets.Preset, call agenthook.Call) (answer agenthook.Answer, err error) {
	if fi, err := os.Stat(call.Dir); err != nil || !fi.IsDir() {
		call.Dir = p.dir
	}
	for _, place := range call.Places(p.environ) {
		one, failed := newProgram(place, p.environ, p.out.w, p.err.w).askHere(ctx, preset, call)
		if one.Deny != "" || one.Again != "" {
			return one, nil
		}
		if failed != nil && !errors.Is(failed, gitx.ErrNotRepository) {
			err = failed
		}
		if one.Note != "" {
			answer = one
		}
	}
	return answer, err
}

func (p *program) askHere(ctx context.Context, preset presets.Preset, call agenthook.Call) (agenthook.Answer, error) {
	if err := p.open(ctx); err != nil {
		return agenthook.Answer{}, err
	}
	nothing := func(*check.Project) error { return check.ErrNotRecorded }
	checker := p.checker(check.Options{Fresh: check.Recorded, Permit: nothing, Evidence: gates.EvidenceOff})
	return agenthook.Judge{Repo: p.repo, Checker: checker, Environ: p.environ}.Answer(ctx, preset.Name, call)
}
