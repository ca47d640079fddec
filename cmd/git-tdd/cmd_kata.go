package main

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/internal/clean"
	"github.com/git-tdd/git-tdd/katas"
)

// kata is what `git tdd kata --json` prints.
type kata struct {
	Title    string            `json:"title"`
	From     string            `json:"from"` // a bundled kata's name, a file, or a path at HEAD
	Criteria []check.Criterion `json:"criteria"`
}

func (p *program) kataCommand() *cli.Command {
	return &cli.Command{
		Name: "kata", Usage: "a kata's acceptance criteria, as they are understood", ArgsUsage: "[KATA]",
		Description: "KATA is the name of a bundled one or a Markdown file; without it the kata of HEAD,\n" +
			"with the state of each criterion as far as the facts on record tell. Runs no\n" +
			"command of the repository.\n\n" +
			"Criteria are what stands below a heading “Acceptance criteria”: what begins with\n" +
			"AC-1:, otherwise a numbered list, otherwise any list. AC-1: counts without that\n" +
			"heading too.",
		Flags: []cli.Flag{&cli.BoolFlag{Name: "json", Usage: "print JSON"}},
		Action: func(c *cli.Context) error {
			if c.NArg() > 1 {
				return &usageError{"one kata at a time: its name, or a Markdown file"}
			}
			k, err := p.kataAt(c.Context, c.Args().First())
			if err == nil && c.Bool("json") {
				return p.json(k)
			}
			if err == nil {
				p.showKata(k)
			}
			return err
		},
	}
}

// kataAt reads a kata: the named one, or HEAD's.
func (p *program) kataAt(ctx context.Context, name string) (kata, error) {
	if name == "" {
		return p.kataOfHead(ctx)
	}
	text, err := p.kataText(name)
	k := kata{Title: katas.Title(text), From: name, Criteria: []check.Criterion{}}
	for _, c := range katas.ParseCriteria(text) {
		k.Criteria = append(k.Criteria, check.Criterion{ID: c.ID, Text: c.Text})
	}
	return k, err
}

func (p *program) kataOfHead(ctx context.Context) (kata, error) {
	s, err := p.status(ctx)
	if err != nil {
		return kata{}, err
	}
	if s.Next == nil {
		return kata{}, &usageError{s.Why}
	}
	head, err := p.repo.Head(ctx)
	if err != nil {
		return kata{}, err
	}
	project, err := p.projectOf(ctx, head.Tree)
	if err != nil {
		return kata{}, err
	}
	from := project.Settings.Kata
	if project.Kata == "" {
		return kata{}, &usageError{"HEAD has no " + quote(from) + "; name a kata or a file, or commit one (kata_description in .tdd.yaml says where)"}
	}
	k := kata{Title: katas.Title([]byte(project.Kata)), From: from, Criteria: s.Criteria}
	if k.Criteria == nil {
		k.Criteria = []check.Criterion{}
	}
	return k, nil
}

// kataText reads a kata that was asked for: a bundled one or a file.
func (p *program) kataText(asked string) ([]byte, error) {
	text, err := katas.Read(asked, p.at(asked))
	if err != nil {
		return nil, &usageError{err.Error()}
	}
	return text, nil
}

func (p *program) showKata(k kata) {
	p.out.printf("%s  %s\n", p.out.paint(bold, clean.Text(k.Title)), p.out.paint(dim, clean.Text(k.From)))
	if len(k.Criteria) == 0 {
		p.out.printf("no acceptance criteria: write a list below a heading “Acceptance criteria”, or lines that begin with AC-1:\n")
	}
	for _, c := range k.Criteria {
		front := fmt.Sprintf("%2d  ", c.ID)
		if c.State != "" {
			front += howFar(c)
		}
		p.out.printf("%s%s\n", front, p.out.folded(clean.Text(c.Text), len(front)))
	}
}
