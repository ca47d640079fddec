package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/adopt"
	"github.com/git-tdd/git-tdd/agents/agenthook"
	"github.com/git-tdd/git-tdd/agents/coder"
	"github.com/git-tdd/git-tdd/agents/presets"
	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/envvar"
	"github.com/git-tdd/git-tdd/llm"
)

// models looks at the endpoint and the key of each role. No key is sent. Where hooks
// guard and only the default is there to be asked, it need not answer.
func (d *doctor) models(ctx context.Context) {
	usual := config.Default()
	if d.guarded && d.settings.LLM.BaseURL == usual.LLM.BaseURL && reflect.DeepEqual(d.settings.Roles, usual.Roles) && llm.Probe(ctx, usual.LLM.BaseURL) != nil {
		d.say("model", well, "none at "+usual.LLM.BaseURL+"; only `git tdd run` needs one: start a server there, or set roles.X.model and llm.base_url", "")
		return
	}
	seen := map[string]bool{}
	for _, role := range d.settings.Asked() {
		m, err := d.settings.Model(role)
		switch plays := d.settings.Roles[role]; {
		case plays.ByHuman():
			d.say("model", well, fmt.Sprintf("%s: a person", role), "")
		case plays.ByAgent():
			d.agent(role)
		case !d.failed("model", err, ""):
			d.say("model", well, fmt.Sprintf("%s: %s", role, m.Spec), "")
			if at := m.Endpoint.BaseURL + m.KeyEnv; !seen[at] {
				seen[at] = true
				d.endpoint(ctx, m)
			}
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
		seen, _, _ := strings.Cut(err.Error(), ": is the server running?") // that is the remedy here
		seen, _, _ = strings.Cut(seen, "; `git tdd doctor`")
		d.say("endpoint", ill, seen, "start the server, or set llm.base_url (GIT_TDD_LLM_BASE_URL); git tdd hooks install if no model is to be asked")
	} else {
		d.say("endpoint", well, m.Endpoint.BaseURL+" answers", "")
	}
	switch {
	case m.KeyEnv == "":
		d.say("key", well, "none is needed", "")
	case envvar.Get(d.p.environ, m.KeyEnv) == "":
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
	checker := d.p.checker(check.Options{Observer: d.p.waiting("the baseline")})
	defer func() { _ = checker.Close() }()
	project, err := checker.Project(ctx, d.head.Tree)
	if d.failed("baseline", err, "") {
		return
	}
	result, err := checker.Of(ctx, project, d.head.Tree)
	if d.failed("baseline", err, "") {
		return
	}
	if entry, ok := project.Known(ctx, d.head.Tree); ok && strings.Contains(entry.Toolchain, ": 0\n") { // tools were asked
		d.toolchain(entry.Toolchain)
	}
	d.elsewhere(ctx)
	pos, err := checker.Position(ctx, d.head.Commit)
	if d.failed("baseline", err, "") {
		return
	}
	base, err := checker.Base(ctx, project, pos)
	if d.failed("baseline", err, "") {
		return
	}
	f := result.Facts
	text, wrong := gates.TestsText(f), gates.Contradiction(pos, f, base)
	switch {
	case !f.Finished():
		d.say("baseline", ill, fmt.Sprintf("HEAD could not be measured (%s)", f.Class()), result.LastLines(10))
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

// toolchain shows what the tools said about themselves when HEAD was measured.
func (d *doctor) toolchain(said string) {
	for line := range strings.Lines(said) {
		if line = strings.TrimSpace(line); strings.ContainsAny(line, "0123456789") && !strings.HasSuffix(line, ": 0") {
			d.say("toolchain", well, line, "")
			return
		}
	}
}

// elsewhere tells of what the working tree has and no tree.
func (d *doctor) elsewhere(ctx context.Context) {
	all, err := adopt.Elsewhere(ctx, d.p.repo, d.head.Tree, d.project.Parts(), d.settings.Workbench)
	d.failed("measured", err, "")
	for _, text := range all {
		seen, remedy, _ := strings.Cut(text, "; ")
		d.say("measured", unsure, seen, remedy)
	}
}

func (d *doctor) git(ctx context.Context) bool {
	if d.failed("repository", d.p.open(ctx), "run it inside a repository, or make one with `git tdd init`") {
		return false
	}
	const newer = "install git " + gitx.Oldest + " or newer"
	repo := d.p.repo
	version, err := repo.Version(ctx)
	switch {
	case d.failed("git", err, newer):
		return false
	case gitx.Older(version, gitx.Oldest):
		d.say("git", ill, version, newer)
	default:
		d.say("git", well, version, "")
	}
	if d.head, err = repo.Head(ctx); d.failed("repository", err, "`git fsck` looks for the cause") {
		return false
	}
	d.say("repository", well, repo.Top, "")
	d.landing(ctx)
	return true
}

// landing looks for a landing that was cut off.
func (d *doctor) landing(ctx context.Context) {
	waits, err := d.p.repo.Interrupted(ctx)
	if !d.failed("landing", err, "`git fsck` looks for the cause") && waits {
		d.say("landing", ill, "a commit is landing, or its landing was cut off", "run this again with --repair")
	}
	left, err := d.p.repo.Leftovers()
	if err != nil {
		d.say("leftovers", unsure, err.Error(), "")
	}
	for _, l := range left {
		remedy := "if you know of nobody who uses it: rm -rf " + shell(l.Path)
		if l.Ours {
			remedy = "run this again with --repair"
		}
		d.say("leftovers", unsure, l.What+": "+l.Path, remedy)
	}
}

// agent looks for the program of the agent that plays a role, and does not run it.
func (d *doctor) agent(role gates.Role) {
	run, err := coder.Resolve(d.settings.Roles[role].Agent)
	if err != nil || len(run.Cmd) == 0 {
		d.say("agent", ill, fmt.Sprintf("%s: no command", role), "write roles."+string(role)+".agent")
		return
	}
	path, err := exec.LookPath(run.Cmd[0])
	if err != nil {
		d.say("agent", ill, fmt.Sprintf("%s: %v", role, err), "install "+run.Cmd[0]+", or name another agent under roles."+string(role))
		return
	}
	d.say("agent", well, fmt.Sprintf("%s: %s", role, path), "")
}

// agents says in the doctor's report which agents are found here and not held.
func (d *doctor) agents() {
	var held, loose, notes []string
	all, err := presets.All()
	for _, preset := range all {
		a, err2 := agenthook.Site{Top: d.p.repo.Top}.Look(preset)
		err = errors.Join(err, err2)
		switch {
		case a.State == agenthook.Installed:
			held = append(held, a.Name)
			if a.Note != "" {
				notes = append(notes, a.Note)
			}
		case a.Program != "" || a.Used || a.State == agenthook.Partly:
			loose = append(loose, a.Name)
		}
	}
	switch {
	case err != nil:
		d.say("agents", unsure, err.Error(), "")
	case len(loose) > 0:
		d.say("agents", unsure, strings.Join(loose, ", ")+": found here, but without git-tdd's hooks", "git tdd agents install "+strings.Join(loose, " "))
	}
	if len(held) > 0 {
		d.say("agents", well, "held while they work: "+strings.Join(held, ", "), strings.Join(notes, "; "))
	}
}
