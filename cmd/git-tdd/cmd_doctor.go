package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/llm"
	"github.com/git-tdd/git-tdd/testrun"
)

// health is the result of one examination.
type health string

// How an examined thing can be.
const (
	well   health = "ok"
	unsure health = "warning"
	ill    health = "failed"
)

// examined is one line of the doctor's report.
type examined struct {
	What   string `json:"what"`
	Health health `json:"health"`
	Seen   string `json:"seen"`
	Remedy string `json:"remedy,omitempty"`
}

func (p *program) doctorCommand() *cli.Command {
	return &cli.Command{
		Name: "doctor", Usage: "tools, versions, config, hooks, endpoint, key, baseline, with a remedy each",
		Description: "Sends no key, and runs no command of the repository before `git tdd trust`.\n" +
			"Exit 0 where nothing failed, else 2.",
		Flags: []cli.Flag{&cli.BoolFlag{Name: "json", Usage: "print JSON"}},
		Action: func(c *cli.Context) error {
			d := &doctor{p: p}
			d.examine(c.Context)
			p.err.quiet()
			if c.Bool("json") {
				if err := p.json(d.report); err != nil {
					return err
				}
			} else {
				p.showReport(d.report)
			}
			for _, e := range d.report {
				if e.Health == ill {
					return &usageError{"not everything is in order; see the remedies above"}
				}
			}
			return nil
		},
	}
}

func (p *program) showReport(report []examined) {
	for _, e := range report {
		mark := map[health]string{well: p.out.paint(green, "✓"), unsure: p.out.paint(yellow, "!"), ill: p.out.paint(red, "✗")}[e.Health]
		p.out.printf("%s %s %s\n", mark, pad(e.What, 13), clean(e.Seen))
		if e.Remedy != "" {
			p.out.printf("  %s → %s\n", pad("", 13), clean(e.Remedy))
		}
	}
}

// doctor examines one thing after another; what cannot be examined without an
// earlier one is left out.
type doctor struct {
	p        *program
	report   []examined
	repo     *gitx.Repo
	head     gitx.Head
	project  *check.Project
	settings config.Settings
	trusted  bool
}

func (d *doctor) say(what string, h health, seen, remedy string) {
	d.report = append(d.report, examined{What: what, Health: h, Seen: seen, Remedy: remedy})
}

func (d *doctor) examine(ctx context.Context) {
	d.say("sandbox", well, "tests run in a box: "+testrun.BoxTier(), "")
	if !d.git(ctx) || !d.config(ctx) {
		return
	}
	d.tools()
	d.trust()
	d.hooks(ctx)
	d.models(ctx)
	d.baseline(ctx)
}

// oldestGit is the oldest git with all that is used of it.
const oldestGit = "2.36"

func (d *doctor) git(ctx context.Context) bool {
	repo, err := d.p.open(ctx)
	if err != nil {
		d.say("repository", ill, err.Error(), "run it inside a repository, or make one with `git tdd init`")
		return false
	}
	d.repo = repo
	version, err := repo.Version(ctx)
	switch {
	case err != nil:
		d.say("git", ill, err.Error(), "install git "+oldestGit+" or newer")
		return false
	case older(version, oldestGit):
		d.say("git", ill, version, "install git "+oldestGit+" or newer")
	default:
		d.say("git", well, version, "")
	}
	if d.head, err = repo.Head(ctx); err != nil {
		d.say("repository", ill, err.Error(), "`git fsck` looks for the cause")
		return false
	}
	d.say("repository", well, repo.Top, "")
	return true
}

// older compares dotted versions by their numbers.
func older(have, want string) bool {
	a, b := strings.Split(have, "."), strings.Split(want, ".")
	for i := range b {
		if i >= len(a) {
			return true
		}
		x, err := strconv.Atoi(a[i])
		y, err2 := strconv.Atoi(b[i])
		if err != nil || err2 != nil || x != y {
			return x < y
		}
	}
	return false
}

func (d *doctor) config(ctx context.Context) bool {
	if d.head.Unborn() {
		d.say("config", ill, "there is no commit yet", "`git tdd init` makes the first")
		return false
	}
	declared, err := check.ReadSettings(ctx, d.repo, d.head.Tree, d.p.environ)
	switch {
	case err != nil:
		d.say("config", ill, err.Error(), "mend it, commit it as chore:, then try again")
		return false
	case declared.File == "":
		d.say("config", ill, "HEAD has no "+config.FileName, "`git tdd init` adds one")
		return false
	}
	d.settings = declared.Settings
	d.say("config", well, declared.File+" at HEAD", "")
	for _, w := range d.settings.Warnings() {
		d.say("config", unsure, w, "")
	}
	if _, d.project, err = d.p.atHead(ctx); err != nil {
		d.say("language", ill, err.Error(), "")
		return false
	}
	d.say("language", well, d.project.Language.Name, "")
	return true
}

// tools looks for the programs of the commands, without running them.
func (d *doctor) tools() {
	for _, c := range []struct {
		name string
		argv []string
	}{{"fmt_cmd", d.project.Commands.Fmt}, {"check_cmd", d.project.Commands.Check}, {"test_cmd", d.project.Commands.Test}} {
		if len(c.argv) == 0 {
			d.say(c.name, unsure, "none", "")
			continue
		}
		path, err := exec.LookPath(c.argv[0])
		if err != nil {
			d.say(c.name, ill, fmt.Sprintf("%s: %v", strings.Join(c.argv, " "), err), "install "+c.argv[0]+", or name another command under ci."+c.name)
			continue
		}
		d.say(c.name, well, strings.Join(c.argv, " ")+" ("+path+")", "")
	}
}

func (d *doctor) trust() {
	err := d.p.permit(d.repo)(d.project)
	d.trusted = err == nil
	switch err {
	case nil:
		d.say("trust", well, "the commands and endpoints are approved", "")
	default:
		d.say("trust", ill, "the commands and endpoints are not approved on this machine", "read them with `git tdd trust --show`, approve them with `git tdd trust`")
		if _, ok := errors.AsType[*untrustedError](err); !ok {
			d.report[len(d.report)-1].Seen = err.Error()
		}
	}
}

func (d *doctor) hooks(ctx context.Context) {
	i, err := d.p.installer(ctx)
	if err != nil {
		d.say("hooks", ill, err.Error(), "")
		return
	}
	found, err := i.Status(ctx)
	if err != nil {
		d.say("hooks", ill, err.Error(), "")
		return
	}
	rest := unguarded(found)
	switch {
	case len(rest) == len(found):
		d.say("hooks", unsure, "none; people's commits are judged only by `git tdd verify`", "git tdd hooks install")
	case len(rest) == 0:
		d.say("hooks", well, "people's commits are held to the rules", "")
	}
	if len(rest) < len(found) {
		for _, h := range rest {
			d.say("hooks", unsure, h.Name+": "+describe(h), h.Remedy)
		}
	}
}

// models looks at the endpoint and the key of each role. No key is sent.
func (d *doctor) models(ctx context.Context) {
	seen := map[string]bool{}
	for _, role := range d.settings.Rotation {
		if d.settings.Roles[role].By == config.ByHuman {
			d.say("model", well, fmt.Sprintf("%s: a person", role), "")
			continue
		}
		m, err := d.settings.Model(role)
		if err != nil {
			d.say("model", ill, err.Error(), "")
			continue
		}
		d.say("model", well, fmt.Sprintf("%s: %s", role, m.Spec), "")
		if !seen[m.Endpoint.BaseURL+m.KeyEnv] {
			seen[m.Endpoint.BaseURL+m.KeyEnv] = true
			d.endpoint(ctx, m)
		}
	}
}

func (d *doctor) endpoint(ctx context.Context, m config.Model) {
	if !d.trusted {
		d.say("endpoint", unsure, m.Endpoint.BaseURL+": not contacted before `git tdd trust`", "")
		return
	}
	probe, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if err := llm.Probe(probe, m.Endpoint.BaseURL); err != nil {
		d.say("endpoint", ill, err.Error(), "start the server, or set llm.base_url (GIT_TDD_LLM_BASE_URL)")
	} else {
		d.say("endpoint", well, m.Endpoint.BaseURL+" answers", "")
	}
	switch {
	case m.KeyEnv == "":
		d.say("key", well, "none is needed", "")
	case getenv(d.p.environ, m.KeyEnv) == "":
		d.say("key", unsure, m.KeyEnv+" is not set, so no key is sent", "export "+m.KeyEnv+"=… if the endpoint wants one")
	default:
		d.say("key", well, m.KeyEnv+" is set", "")
	}
}

// baseline measures HEAD, if its commands may run.
func (d *doctor) baseline(ctx context.Context) {
	if !d.trusted {
		d.say("baseline", unsure, "not measured before `git tdd trust`", "")
		return
	}
	checker, err := d.p.checker(d.repo, check.UseRecord, func(name string) { d.p.err.status("baseline  " + name) })
	if err != nil {
		d.say("baseline", ill, err.Error(), "")
		return
	}
	defer func() { _ = checker.Close() }()
	project, err := checker.Project(ctx, d.head.Tree)
	if err != nil {
		d.say("baseline", ill, err.Error(), "")
		return
	}
	result, err := checker.Of(ctx, project, d.head.Tree)
	if err != nil {
		d.say("baseline", ill, err.Error(), "")
		return
	}
	if entry, ok := project.Known(d.head.Tree); ok {
		d.toolchain(entry.Toolchain)
	}
	d.judgeBaseline(ctx, checker, project, result.Facts, lastOutput(result))
}

// toolchain shows what the tools said of themselves when HEAD was measured.
func (d *doctor) toolchain(said string) {
	for line := range strings.Lines(said) {
		if line = strings.TrimSpace(line); strings.ContainsAny(line, "0123456789") && !strings.HasSuffix(line, ": 0") {
			d.say("toolchain", well, line, "")
			return
		}
	}
}

func (d *doctor) judgeBaseline(ctx context.Context, checker *check.Checker, project *check.Project, f gates.Facts, output string) {
	pos, err := checker.Position(ctx, d.head.Commit)
	if err != nil {
		d.say("baseline", ill, err.Error(), "")
		return
	}
	base, err := checker.Base(ctx, project, pos)
	if err != nil {
		d.say("baseline", ill, err.Error(), "")
		return
	}
	text := gates.TestsText(f)
	wrong := gates.Contradiction(pos, f, base)
	switch {
	case !f.Finished():
		d.say("baseline", ill, fmt.Sprintf("HEAD could not be measured (%s)", f.Class()), output)
	case wrong != "":
		d.say("baseline", ill, wrong, "bring HEAD back to what its step says, then try again")
	case f.Detail == gates.DetailExitCode:
		d.say("baseline", unsure, text, "only the exit code of the test command can be read; single tests cannot be told apart")
	case pos.Step.Phase == gates.PhaseRed:
		d.say("baseline", well, text+"; the red of step "+strconv.Itoa(pos.Step.Number)+" is open", "")
	case !f.Green() && f.Outcome != gates.Empty:
		d.say("baseline", unsure, text, "the failures of HEAD count as known; mend them in a fix of your own")
	default:
		d.say("baseline", well, text, "")
	}
}
