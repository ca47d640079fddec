package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"time"

	"github.com/git-tdd/git-tdd/agenthook"
	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/hooks"
	"github.com/git-tdd/git-tdd/internal/clean"
	"github.com/git-tdd/git-tdd/presets"
)

// patience is how long an agent waits for an answer. It includes starting the
// program, so that an answer is there after 300 ms.
const patience = 250 * time.Millisecond

// largest is the most that is read of what an agent sends.
const largest = 16 << 20

// agentHook is what the hooks of coding agents call: an agent's JSON on standard
// input, the answer in its own form on standard output. It never stands in the
// way of work: whatever goes wrong, it exits 0, and the commit is judged anyway.
func (p *program) agentHook(ctx context.Context, args []string, stdin io.Reader) error {
	if len(args) == 0 {
		return &usageError{"git tdd agent-hook is called by the hooks that `git tdd agents install` writes"}
	}
	preset, err := presets.ByName(args[0])
	if err != nil {
		return &usageError{err.Error()}
	}
	if hooks.Off(p.environ) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, p.patience)
	defer cancel()
	answered := make(chan []byte, 1)
	go func() { answered <- p.answerAgent(ctx, preset, stdin) }()
	select {
	case text := <-answered:
		if len(text) > 0 {
			p.out.printf("%s\n", text)
		}
	case <-ctx.Done():
	}
	return nil
}

// answerAgent is the answer to one call; empty lets the agent go on.
func (p *program) answerAgent(ctx context.Context, preset presets.Preset, stdin io.Reader) []byte {
	var input json.RawMessage
	if json.NewDecoder(io.LimitReader(stdin, largest)).Decode(&input) != nil {
		return nil
	}
	call, err := agenthook.Parse(preset, input)
	if err != nil {
		return nil
	}
	answer, err := p.askJudge(ctx, preset, call)
	if err != nil && call.Stops && !errors.Is(err, gitx.ErrNotRepository) {
		answer.Note = "git tdd: what lies uncommitted could not be looked at now; it is judged when it is committed."
	}
	text, form := answer.Deny, preset.Answers.Deny
	switch {
	case answer.Again != "":
		text, form = answer.Again, preset.Answers.Again
	case answer.Note != "":
		text, form = answer.Note, preset.Answers.Note
	}
	if text == "" {
		return nil
	}
	out, _ := presets.Render(form, clean.Text(text)) // a form that cannot be said is silence
	return out
}

func (p *program) askJudge(ctx context.Context, preset presets.Preset, call agenthook.Call) (agenthook.Answer, error) {
	if fi, err := os.Stat(call.Dir); err == nil && fi.IsDir() {
		p.dir = call.Dir
	} else {
		call.Dir = p.dir
	}
	repo, err := p.open(ctx)
	if err != nil {
		return agenthook.Answer{}, err
	}
	checker, err := p.checker(repo, check.Recorded, nil, func(o *check.Options) {
		o.Permit = func(*check.Project) error { return check.ErrNotRecorded }
		o.Evidence = gates.EvidenceOff
	})
	if err != nil {
		return agenthook.Answer{}, err
	}
	return agenthook.Judge{Repo: repo, Checker: checker}.Answer(ctx, preset.Name, call)
}
