package main

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/llm"
	"github.com/git-tdd/git-tdd/loop"
)

// preview is what `git tdd prompt --json` prints.
type preview struct {
	Step     int             `json:"step"`
	Role     gates.Role      `json:"role"`
	Model    string          `json:"model"`
	Task     string          `json:"task"`
	Tokens   int             `json:"tokens"` // estimated, as all sizes
	Parts    []partSize      `json:"parts"`
	Messages []llm.Message   `json:"messages"`
	Schema   json.RawMessage `json:"schema,omitempty"` // of the answer
}

type partSize struct {
	Part   string `json:"part"`
	Tokens int    `json:"tokens"`
	Bytes  int    `json:"bytes"`
}

func (p *program) promptCommand() *cli.Command {
	return &cli.Command{
		Name: "prompt", Usage: "print what the next role would be sent, and its length", Before: p.inRepo,
		Description: "Asks no model. The text of the messages goes to standard output, the sizes to standard\n" +
			"error; --json prints both, byte for byte. HEAD is measured unless its facts are on record.",
		Flags: []cli.Flag{
			paceFlag(),
			&cli.BoolFlag{Name: "json", Usage: "print JSON"},
		},
		Action: func(c *cli.Context) error {
			if err := p.atPace(c.String("pace")); err != nil {
				return err
			}
			v, err := p.preview(c.Context)
			if err == nil && c.Bool("json") {
				return p.json(v)
			}
			if err == nil {
				p.showPreview(v)
			}
			return err
		},
	}
}

func (p *program) preview(ctx context.Context) (v preview, err error) {
	s := &show{p: p}
	checker, err := p.checker(check.UseRecord, s.phase)
	if err != nil {
		return v, err
	}
	defer func() { err = errors.Join(err, checker.Close()) }()
	got, err := loop.New(loop.Options{
		Repo: p.repo, Checker: checker, Redact: p.redaction(ctx), Answerer: nobody, Seal: p.seal("git-tdd handoff"), Together: p.cycles, PermitPrompts: p.permitPrompts,
		Listener: loop.Listener{Doing: s.onDoing},
	}).Preview(ctx)
	p.err.quiet()
	if err != nil {
		return v, err
	}
	v = preview{Step: got.Step, Role: got.Role, Model: got.Model, Task: got.Task, Messages: got.Prompt.Messages}
	if got.Prompt.Schema != nil {
		v.Schema = got.Prompt.Schema.JSON
	}
	for _, part := range got.Prompt.Parts() {
		name := part.Role
		if part.Heading != "" {
			name += ": " + part.Heading
		}
		v.Parts = append(v.Parts, partSize{Part: strings.TrimSuffix(name, " (data)"), Tokens: part.Tokens(), Bytes: len(part.Text)})
		v.Tokens += part.Tokens()
	}
	return v, nil
}

// nobody stands for a model that is not asked.
func nobody(s config.Settings, role gates.Role) (loop.Answerer, error) {
	if s.Roles[role].ByAgent() {
		return loop.Answerer{Name: s.Roles[role].Agent.Name(), Works: true}, nil
	}
	m, err := s.Model(role)
	return loop.Answerer{Model: m.Name, Name: m.Spec}, err
}

// showPreview prints the messages, and then the sizes, where they do not get in
// the way of whoever reads the messages.
func (p *program) showPreview(v preview) {
	for _, m := range v.Messages {
		p.out.printf("%s\n%s\n", p.out.paint(bold, "=== "+m.Role), m.Content)
	}
	p.err.printf("step %d, %s, %s: about %d tokens\n", v.Step, v.Role, v.Model, v.Tokens)
	for _, part := range v.Parts {
		p.err.printf("%7d  %s\n", part.Tokens, part.Part)
	}
}
