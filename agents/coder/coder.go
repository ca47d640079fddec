package coder

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/agents/presets"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/llm"
	"github.com/git-tdd/git-tdd/sandbox"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// Options say which agent works, and where.
type Options struct {
	Repo    *gitx.Repo
	Agent   config.Agent
	Dir     string // copies and homes are made below it
	Environ []string
	// Fence puts walls around the agent; nil: it reaches what its user does.
	Fence *Fence
	// Deps maps paths in the copy to dependencies outside a tree; changes to those are lost.
	Deps func(ctx context.Context, tree gitx.ID) (map[string]string, error)
	// Deny says why a file of the copy must not be written; content may be nil. It only saves round trips.
	Deny func(path string, content *string) string
}

// Coder is an agent that takes steps. It must not be used by several goroutines.
type Coder struct {
	opts Options
	run  presets.Run

	session string
	told    llm.Usage // by the last turn

	head    gitx.ID // the commit of which dir is a copy
	place   string  // what is ours and lies beside what is theirs
	dir     string  // theirs to change
	fence   *Fence  // nil: its commands reach everything
	program string
	deps    map[string]string // what it finds in the copy besides, by its path there
	at      []string          // where it finds the copy as well: dependencies name such paths
}

// Resolve is how an agent is run: its preset, with what the settings say instead.
func Resolve(a config.Agent) (presets.Run, error) {
	var run presets.Run
	if a.Preset != "" {
		p, err := presets.ByName(a.Preset)
		if err != nil {
			return run, err
		}
		run = p.Run
	}
	if len(a.Cmd) > 0 {
		run.Cmd, run.Resume = a.Cmd, nil
	}
	if len(a.Resume) > 0 {
		run.Resume = a.Resume
	}
	run.Prompt = cmp.Or(presets.Way(a.Prompt), run.Prompt, presets.Stdin)
	run.Env = slices.Concat(run.Env, a.Env)
	return run, nil
}

// New makes a coder. Nothing runs before the first prompt.
func New(opts Options) (*Coder, error) {
	run, err := Resolve(opts.Agent)
	return &Coder{opts: opts, run: run}, err
}

// Close takes the copy away.
func (c *Coder) Close() error {
	if c.dir == "" {
		return nil
	}
	return testrun.RemoveAll(filepath.Dir(c.dir))
}

// Complete lets the agent work. The error is an [*llm.Error], or wraps the context's.
func (c *Coder) Complete(ctx context.Context, req llm.Request) (llm.Response, error) {
	tree, err := c.prepare(ctx)
	if err != nil {
		return llm.Response{}, err
	}
	said, out, err := c.turn(ctx, req.Messages)
	if err != nil {
		return llm.Response{}, err
	}
	usage := c.used(said)
	if usage.Total() == 0 {
		prompt := whole(req.Messages)
		if c.session != "" && said.session == c.session {
			prompt = newest(req.Messages)
		}
		usage = llm.Usage{Prompt: llm.Tokens(prompt), Completion: llm.Tokens(said.text), Estimated: true}
	}
	c.session = cmp.Or(said.session, c.session)
	if err := c.failure(out, said); err != nil {
		return llm.Response{Usage: usage}, err
	}
	plan, err := c.plan(ctx, tree, said.text)
	return llm.Response{Text: plan, Usage: usage, Model: c.run.Cmd[0]}, err
}

func (c *Coder) turn(ctx context.Context, messages []llm.Message) (said, *printed, error) {
	if c.run.Prompt == presets.ACP {
		return c.converse(ctx, messages)
	}
	prompt := whole(messages)
	if c.session != "" && len(c.run.Resume) > 0 {
		prompt = newest(messages)
	}
	out, err := c.work(ctx, prompt)
	if err != nil {
		return said{}, nil, err
	}
	return listen(c.run.Says, out.stdout.String()), out, nil
}

// whole is all of a conversation. Answers are the agent's own, and left out.
func whole(messages []llm.Message) string {
	var prompt strings.Builder
	for _, m := range messages {
		if m.Role != "assistant" {
			prompt.WriteString(m.Content + "\n\n")
		}
	}
	return prompt.String()
}

// newest is what a session that goes on has not been told yet.
func newest(messages []llm.Message) string { return messages[len(messages)-1].Content }

// prepare makes a copy of HEAD, unless the last one is of the same commit.
func (c *Coder) prepare(ctx context.Context) (gitx.ID, error) {
	head, err := c.opts.Repo.Head(ctx)
	if err != nil || head.Commit == c.head {
		return head.Tree, err
	}
	if err := c.Close(); err != nil {
		return "", err
	}
	if err := os.MkdirAll(c.opts.Dir, 0o700); err != nil {
		return "", fmt.Errorf("make a folder for agents: %w", err)
	}
	if c.place, err = os.MkdirTemp(c.opts.Dir, "step-"); err != nil {
		return "", fmt.Errorf("make a folder for the copy: %w", err)
	}
	if c.place, err = filepath.EvalSymlinks(c.place); err != nil {
		return "", err
	}
	c.dir, c.session, c.head = filepath.Join(c.place, filepath.Base(c.opts.Repo.Top)), "", head.Commit
	c.fence, c.deps, c.at = c.opts.Fence, nil, nil
	if c.fence != nil && !sandbox.Stands(ctx, sandbox.Namespaces) {
		c.fence.Unwalled()
		c.fence = nil
	}
	if err := c.makeHome(); err != nil {
		return "", err
	}
	if err := c.opts.Repo.Copy(ctx, head.Tree, c.dir); err != nil {
		return "", err
	}
	return head.Tree, c.stands(ctx, head.Tree)
}

// printed is what an agent printed, the last part of it, and how it ended.
type printed struct {
	stdout, stderr *output.Tail
	end            sandbox.Ending
	late           bool
}

func (c *Coder) work(ctx context.Context, prompt string) (*printed, error) {
	file := c.beside("prompt.md")
	if err := os.WriteFile(file, []byte(prompt), 0o600); err != nil {
		return nil, fmt.Errorf("write the prompt: %w", err)
	}
	command, err := c.command(c.argv(prompt, file))
	if err != nil {
		return nil, err
	}
	if c.run.Prompt == presets.Stdin {
		input, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		defer func() { _ = input.Close() }()
		command.Stdin = input
	}
	limited, cancel := context.WithTimeout(ctx, c.opts.Agent.Limit())
	defer cancel()
	out := newPrinted()
	command.Stdout, command.Stderr = out.stdout, out.stderr
	out.end, err = c.begin(limited, command)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	out.late = limited.Err() != nil
	return out, err
}

// shell starts scripts, too, that name no interpreter.
const shell = "/bin/sh"

// command starts the agent.
func (c *Coder) command(argv []string) (sandbox.Command, error) {
	program, err := exec.LookPath(argv[0])
	if err != nil {
		return sandbox.Command{}, &llm.Error{Kind: llm.KindUnreachable, Message: "the agent cannot be started: " + err.Error() + "; install it, or name another under roles.NAME.agent"}
	}
	c.program = program
	return sandbox.Command{
		Path: shell, Args: append([]string{"sh", "-c", `exec "$@"`, "sh", program}, argv[1:]...),
		Dir: c.dir, Env: c.env(),
	}, nil
}

func (c *Coder) argv(prompt, file string) []string {
	cmd := c.run.Cmd
	if c.session != "" && len(c.run.Resume) > 0 {
		cmd = c.run.Resume
	}
	fill := strings.NewReplacer("$SESSION", c.session, "$FILE", file)
	out := make([]string, 0, len(cmd))
	for _, word := range cmd {
		if word == "$PROMPT" {
			out = append(out, prompt)
			continue
		}
		out = append(out, fill.Replace(word))
	}
	return out
}

func (c *Coder) failure(out *printed, said said) error {
	complaints := strings.Split(strings.TrimSpace(out.stderr.String()), "\n")
	text := strings.TrimSpace(said.failed + "\n" + strings.Join(complaints[max(0, len(complaints)-5):], "\n") + "\n" + said.text)
	switch {
	case slices.ContainsFunc(c.run.Login, func(sign string) bool { return strings.Contains(text, sign) }) && (out.end.Code != 0 || said.failed != ""):
		return &llm.Error{Kind: llm.KindAuth, Message: "the agent is not logged in: " + clip(text) + "; start " + c.run.Cmd[0] + " once by hand"}
	case out.late:
		return &llm.Error{Kind: llm.KindBadAnswer, Message: fmt.Sprintf("the agent did not come to an end within %s, and was ended", c.opts.Agent.Limit().Round(time.Second))}
	case out.end.Refused != "":
		return &llm.Error{Kind: llm.KindUnreachable, Message: "the agent cannot be started: " + out.end.Refused}
	case said.failed != "":
		return &llm.Error{Kind: llm.KindBadAnswer, Message: "the agent reports a failure: " + clip(text)}
	case out.end.Code != 0:
		return &llm.Error{Kind: llm.KindBadAnswer, Message: fmt.Sprintf("the agent ended with exit code %d: %s", out.end.Code, clip(text))}
	case c.run.Says.Text != "" && !said.heard:
		return &llm.Error{Kind: llm.KindBadAnswer, Message: "the agent printed no answer that can be read: " + clip(out.stdout.String())}
	}
	return nil
}

func clip(s string) string {
	const most = 600
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

// mostOutput is how much is kept of what an agent prints: the last part.
const mostOutput = 16 << 20

func newPrinted() *printed {
	return &printed{stdout: output.NewTail(mostOutput), stderr: output.NewTail(mostOutput)}
}
