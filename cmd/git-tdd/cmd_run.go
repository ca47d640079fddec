package main

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/facts"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/llm"
	"github.com/git-tdd/git-tdd/loop"
)

// modelFlags say how to ask models.
func modelFlags() []cli.Flag {
	return []cli.Flag{
		paceFlag(),
		&cli.StringFlag{Name: "record", Usage: "write every exchange with the models to `FILE`"},
		&cli.StringFlag{Name: "replay", Usage: "take the models' answers from a recorded `FILE`"},
		&cli.StringFlag{Name: "relay", Usage: "write each request into `DIR` and wait for the answer there"},
	}
}

func paceFlag() cli.Flag {
	return &cli.StringFlag{Name: "pace", Usage: "`cycle` asks for a test and its code in one answer, judged and committed apart; steps asks each role", Value: paceSteps}
}

func modelsOf(c *cli.Context) models {
	return models{pace: c.String("pace"), record: c.String("record"), replay: c.String("replay"), relay: c.String("relay")}
}

func (p *program) runCommand() *cli.Command {
	return &cli.Command{
		Name: "run", Usage: "let models take steps until done, stuck or out of budget",
		Description: "Each step is one role's turn and ends in one commit, or in none. A run ends after\n" +
			"--steps steps, when nothing is left to do (exit 0), when a role is out of attempts\n" +
			"or the budget is used up (4), or when something could not be judged (3).",
		Flags: append([]cli.Flag{
			&cli.IntFlag{Name: "steps", Aliases: []string{"n"}, Usage: "take at most `N` steps", DefaultText: "steps in .tdd.yaml"},
		}, modelFlags()...),
		Action: func(c *cli.Context) error {
			if c.IsSet("steps") && c.Int("steps") < 1 {
				return usage("--steps takes a number from 1")
			}
			return p.steps(c.Context, steps{what: "run", most: c.Int("steps")}, modelsOf(c))
		},
	}
}

func (p *program) stepCommand() *cli.Command {
	return &cli.Command{
		Name: "step", Aliases: []string{"next"}, Usage: "take one role step: whoever's turn it is",
		Description: "A red test that nobody can satisfy goes back to the tester with --dispute: the step is\n" +
			"then the tester's, who mends it or takes it back. A model in the role of the\n" +
			"implementor disputes by itself. Agents do so twice for one red or one criterion; then\n" +
			"the step ends with the evidence (exit 4).",
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "dispute", Usage: "hand the open red back to the tester, and say `WHY`"},
		}, modelFlags()...),
		Action: func(c *cli.Context) error {
			if c.IsSet("dispute") && strings.TrimSpace(c.String("dispute")) == "" {
				return usage("--dispute takes the reason why nobody can make the red test pass")
			}
			return p.steps(c.Context, steps{what: "step", most: 1, dispute: c.String("dispute")}, modelsOf(c))
		},
	}
}

// The paces of a run.
const (
	paceSteps = "steps"
	paceCycle = "cycle"
)

// atPace settles what a tester is asked for.
func (p *program) atPace(pace string) error {
	if !slices.Contains([]string{"", paceSteps, paceCycle}, pace) {
		return usage("there is no pace " + quote(pace) + "; there are " + paceSteps + " and " + paceCycle)
	}
	p.cycles = pace == paceCycle
	return nil
}

// steps says which steps to take.
type steps struct {
	what    string // the command
	most    int    // 0: as many as the settings say
	dispute string // why the open red goes back to the tester; empty if it does not
}

// steps takes steps under the lock.
func (p *program) steps(ctx context.Context, which steps, how models) (err error) {
	if err := p.atPace(how.pace); err != nil {
		return err
	}
	s := &show{p: p}
	if err := p.lock(ctx, which.what); err != nil {
		return err
	}
	checker := p.checker(check.Options{Observer: facts.Observer{Phase: s.phase}, Author: check.Agent, Evidence: gates.EvidenceChanged})
	defer func() { err = errors.Join(err, checker.Close()) }()
	if which.most == 0 {
		settings, err := p.settings(ctx)
		if err != nil {
			return err
		}
		which.most = settings.Steps
	}
	l := p.loop(ctx, checker, loop.Listener{
		Doing: s.onDoing, Refused: s.onRefused, Accepted: s.onAccepted, Note: func(text string) { p.note("%s", text) },
	}, s.answerers(ctx, how))
	var done []loop.Accepted
	if which.dispute != "" {
		_, err = l.Dispute(ctx, which.dispute)
	} else {
		done, err = l.Run(ctx, which.most)
	}
	p.err.quiet()
	if which.what == "run" {
		s.spent()
	}
	return p.ended(which.what, done, err)
}

// ended reports how a run ended. Being done is not an error.
func (p *program) ended(what string, done []loop.Accepted, err error) error {
	stop, ok := errors.AsType[*loop.StopError](err)
	switch {
	case ok && stopCode(stop.Reason) == exitOK:
		p.out.printf("%s: %s\n", stop.Reason, stop.Text)
		return nil
	case err == nil && what == "run":
		p.out.printf("%s taken\n", gates.Count(len(done), "step"))
	}
	return err
}

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
	checker := p.checker(check.Options{Observer: facts.Observer{Phase: s.phase}})
	defer func() { err = errors.Join(err, checker.Close()) }()
	got, err := p.loop(ctx, checker, loop.Listener{Doing: s.onDoing}, nobody).Preview(ctx)
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
