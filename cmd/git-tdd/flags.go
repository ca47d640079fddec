package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// flagsFirst puts the flags of a command line before its arguments, the only
// place where the parser looks for them; people who know git write them
// anywhere. Everything after "--" is an argument, whatever it looks like.
func flagsFirst(app *cli.App, args []string) []string {
	flags, commands := app.Flags, app.Commands
	at := 1
	for ; at < len(args) && strings.HasPrefix(args[at], "-"); at++ { // --color, which stands before the command
		if valued(flags, strings.TrimLeft(args[at], "-")) {
			at++
		}
	}
	global := at
	for ; at < len(args); at++ {
		i := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.HasName(args[at]) })
		if i < 0 {
			break
		}
		if commands[i].SkipFlagParsing {
			return args
		}
		flags, commands = commands[i].Flags, commands[i].Subcommands
	}
	if at == global {
		return args
	}
	front, back := parted(flags, args[at:])
	if slices.ContainsFunc(back, func(arg string) bool { return arg != "-" && strings.HasPrefix(arg, "-") }) {
		front = append(front, "--")
	}
	return slices.Concat(args[:at], front, back)
}

// parted separates the flags, with their values, from the arguments. If the
// last flag lacks its value, the arguments are dropped, so that none is taken
// for it.
func parted(flags []cli.Flag, words []string) (front, back []string) {
	for i := 0; i < len(words); i++ {
		switch word := words[i]; {
		case word == "--":
			return front, append(back, words[i+1:]...)
		case word == "-" || !strings.HasPrefix(word, "-"):
			back = append(back, word)
		case len(word) > 2 && word[1] != '-' && word[2] != '=' && valued(flags, word[1:2]): // -j1
			front = append(front, word[:2], word[2:])
		default:
			front = append(front, word)
			if !valued(flags, strings.TrimLeft(word, "-")) {
				continue
			}
			if i++; i == len(words) {
				return front, nil
			}
			front = append(front, words[i])
		}
	}
	return front, back
}

// valued reports whether a flag takes the next word as its value.
func valued(flags []cli.Flag, name string) bool {
	return slices.ContainsFunc(flags, func(f cli.Flag) bool {
		_, alone := f.(*cli.BoolFlag)
		return !alone && slices.Contains(f.Names(), name)
	})
}
