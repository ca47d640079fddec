package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/clean"
	"github.com/git-tdd/git-tdd/internal/envvar"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// logFormat is the status view of a history: commit, step, phase, subject, tests, and
// what is special. The first three stand in columns; "% (" puts a blank before non-empty
// values only.
const logFormat = "%C(auto)%h%C(bold)%>(4)%(trailers:key=Tdd-Step,valueonly,separator=%x20)%C(reset)" +
	" %<(8)%(trailers:key=Tdd-Phase,valueonly,separator=%x20) " + logSubject +
	"%C(dim)% (trailers:key=Tdd-Tests,valueonly,separator=%x20)" +
	"% (trailers:key=Tdd-Outcome,valueonly,separator=%x20)% (trailers:key=Tdd-Told,separator=%x20)%C(reset)%C(auto)%d"

const logSubject = "%s"

// logFormatFor cuts the subjects, so that what the tests showed stands beside them
// on a terminal; without one nothing is cut.
func logFormatFor(width int, format string) string {
	const front, tests, least, most = 22, 10, 20, 72 // columns
	if width == 0 {
		return format
	}
	room := min(max(least, width-front-tests), most)
	return strings.Replace(format, logSubject, fmt.Sprintf("%%<(%d,trunc)%s", room, logSubject), 1)
}

func (p *program) logCommand() *cli.Command {
	return &cli.Command{
		Name: "log", Usage: "git log with the tdd format", ArgsUsage: "[options of git log]",
		SkipFlagParsing: true,
		Action: func(c *cli.Context) error {
			if arg := c.Args().First(); arg == "--help" || arg == "-h" {
				return cli.ShowSubcommandHelp(c)
			}
			if err := p.open(c.Context); err != nil {
				return err
			}
			return p.showLog(c.Context, c.Args().Slice(), pager(p.environ))
		},
	}
}

// showLog runs git log.
func (p *program) showLog(ctx context.Context, args []string, pager string) error {
	format, width := logFormat, p.out.width()
	settings, err := p.settings(ctx)
	if err == nil && slices.ContainsFunc(settings.Rotation, func(role gates.Role) bool { return settings.Rules(role).Type != "" }) {
		// The phase says whose step it was, but for roles of a project's own, which all keep.
		format = strings.Replace(format, "%<(8)%(trailers:key=Tdd-Phase", "%<(12,trunc)%(trailers:key=Tdd-Role", 1)
		width = max(width-4, min(width, 1))
	}
	return p.handOver(ctx, pager, append([]string{"--no-ext-diff", "--no-textconv", "--format=" + logFormatFor(width, format)}, args...))
}

// gitFatal is how git exits where it does not take its arguments, or finds no commit.
const gitFatal = 128

// handOver lets git itself show its log to the user, in its own colours but
// without what others wrote to deceive a terminal. The pager is the user's own:
// the one that a repository's configuration names is not run.
func (p *program) handOver(ctx context.Context, pager string, args []string) error {
	colour := "--color=never"
	if p.out.colour {
		colour = "--color=always"
	}
	cmd := exec.CommandContext(ctx, "git", append([]string{
		"-C", p.dir, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "log.showSignature=false", "--no-pager", "log", colour,
	}, args...)...)
	cmd.Env, cmd.Stdin, cmd.Stderr = slices.Clone(p.environ), os.Stdin, p.err.w
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return fmt.Errorf("git log: %w", err)
	}
	shown := p.page(ctx, pager, func(to io.Writer) {
		relay(to, out, func(line string) string { return fit(abridged(phases(line), p.out.width()), p.out.width()) })
	})
	_, _ = io.Copy(io.Discard, out) // the user has seen enough
	err = cmd.Wait()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		if exit.ExitCode() == gitFatal {
			return usage("git log says above why it shows nothing")
		}
		return &gitx.Error{Args: []string{"log"}, Exit: exit.ExitCode(), Err: err}
	}
	return errors.Join(err, shown)
}

// page shows what is written: in a pager on a terminal. An interrupt is the pager's own matter.
func (p *program) page(ctx context.Context, pager string, write func(io.Writer)) error {
	if p.out.file == nil || pager == quietPager {
		write(p.out.w)
		return nil
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), "sh", "-c", pager)
	cmd.Env = append([]string{"LESS=FRX", "LV=-c"}, p.environ...) // git's own defaults; the user's come last
	cmd.Stdout, cmd.Stderr = p.out.w, p.err.w
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return fmt.Errorf("show it in %s: %w", pager, err)
	}
	write(in)
	return errors.Join(in.Close(), cmd.Wait())
}

// colourPattern is what git paints with. Nothing that hides text is among them: no
// concealing, no background.
var colourPattern = lazyregexp.New(`\x1b\[(?:(?:0|1|2|3|4|7|22|23|24|27|3[0-79]|9[0-7])(?:;(?:0|1|2|3|4|7|22|23|24|27|3[0-79]|9[0-7]))*)?m`)

// relay copies lines and cleans them, but for git's colours and the NUL of -z,
// until either side has had enough.
func relay(to io.Writer, from io.Reader, change func(string) string) {
	lines := bufio.NewReader(from)
	for {
		line, err := lines.ReadString('\n')
		if _, unread := io.WriteString(to, change(cleanKeepingColours(line))); err != nil || unread != nil {
			return
		}
	}
}

// phasePattern is a phase as logFormat has it in colours.
var phasePattern = lazyregexp.New(`^(.*?\x1b\[1m *\d+\x1b\[m )(red|green|refactor) `)

// phases gives each phase of a log its colour.
func phases(line string) string {
	m := phasePattern().FindStringSubmatch(line)
	if m == nil {
		return line
	}
	return m[1] + "\x1b[" + colourOf(gates.Phase(m[2])) + "m" + m[2] + "\x1b[m" + line[len(m[1])+len(m[2]):]
}

// countsPattern is what tests showed.
var countsPattern = lazyregexp.New(`(\d+) passed, (\d+) failed(?:, (\d+) skipped)?`)

// counted shortens what tests showed: 3✓ 1✗.
func counted(text string) string {
	m := countsPattern().FindStringSubmatch(text)
	if m == nil {
		return text
	}
	short := m[1] + "✓"
	if m[2] != "0" {
		short += " " + m[2] + "✗"
	}
	if m[3] != "" {
		short += " " + m[3] + "–"
	}
	return strings.Replace(text, m[0], short, 1)
}

// abridged shortens on a terminal what tests showed, which is last on a commit's line.
func abridged(line string, width int) string {
	at := strings.LastIndex(line, " passed, ")
	if width < 1 || at < 0 || !commitPattern.MatchString(line) {
		return line
	}
	at = len(strings.TrimRight(line[:at], "0123456789"))
	return line[:at] + counted(line[at:])
}

// commitPattern is the beginning of a line of a log, behind what --graph draws.
var commitPattern = lazyregexp.New(`^(?:[*|\\/ _.-]|\x1b\[[\d;]*m)*[0-9a-f]{7,64}(?:\x1b\[[\d;]*m)* `)

// fit cuts a commit's line of a log to so many columns, colours left out. Other
// lines, such as those of a patch, are whole. Less than one is no limit.
func fit(line string, most int) string {
	if most < 1 || !commitPattern.MatchString(line) {
		return line
	}
	left := most
	return betweenColours(strings.TrimSuffix(line, "\n"), func(s string) string {
		if left <= 0 {
			return ""
		}
		short := cut(s, left)
		if left -= columns(short); short != s {
			left = 0 // one ellipsis is enough
		}
		return short
	}) + "\n"
}

func cleanKeepingColours(line string) string { return betweenColours(line, cleanFields) }

// betweenColours changes the text of a line, piece by piece, and keeps git's colours.
func betweenColours(line string, change func(string) string) string {
	var out strings.Builder
	at := 0
	for _, place := range append(colourPattern().FindAllStringIndex(line, -1), []int{len(line), len(line)}) {
		out.WriteString(change(line[at:place[0]]) + line[place[0]:place[1]])
		at = place[1]
	}
	return out.String()
}

// cleanFields cleans the fields between NULs.
func cleanFields(s string) string {
	return strings.Join(gates.Each(strings.Split(s, "\x00"), clean.Text), "\x00")
}

// pager is the user's own pager: a repository's core.pager is not run.
func pager(environ []string) string {
	return cmp.Or(envvar.Get(environ, "GIT_PAGER"), envvar.Get(environ, "PAGER"), "less -FRX")
}

// quietPager does not page.
const quietPager = "cat"
