package main

import (
	"github.com/urfave/cli/v2"
)

func (p *program) demoCommand() *cli.Command {
	return &cli.Command{Name: "demo", Action: func(*cli.Context) error { return nil }}
}
