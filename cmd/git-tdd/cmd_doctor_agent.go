package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/git-tdd/git-tdd/agents/agenthook"
	"github.com/git-tdd/git-tdd/agents/coder"
	"github.com/git-tdd/git-tdd/agents/presets"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/clean"
)

// agent looks for the program of the agent that plays a role. One that a preset knows
// is asked what it is; a command of the repository's is not run.
func (d *doctor) agent(ctx context.Context, role gates.Role) {
	agent := d.settings.Roles[role].Agent
	run, err := coder.Resolve(agent)
	if err != nil || len(run.Cmd) == 0 {
		d.say("agent", ill, fmt.Sprintf("%s: no command", role), "write roles."+string(role)+".agent")
		return
	}
	path, err := exec.LookPath(run.Cmd[0])
	if err != nil {
		d.say("agent", ill, fmt.Sprintf("%s: %v", role, err), "install "+run.Cmd[0]+", or name another agent under roles."+string(role))
		return
	}
	preset, err := presets.ByName(agent.Preset)
	if err != nil || len(agent.Cmd) > 0 {
		d.say("agent", well, fmt.Sprintf("%s: %s", role, path), "")
		return
	}
	if d.asked[preset.Name] {
		d.say("agent", well, fmt.Sprintf("%s: %s, as above", role, preset.Program), "")
		return
	}
	d.asked[preset.Name] = true
	fence, err := d.p.fence(ctx, d.repo)
	var found coder.Checkup
	if err == nil {
		found, err = coder.Check(ctx, preset, fence, d.p.environ)
	}
	if err != nil {
		d.say("agent", unsure, fmt.Sprintf("%s: %v", role, err), "")
		return
	}
	for _, f := range findings(preset, found) {
		d.say("agent", f.Health, fmt.Sprintf("%s: %s", role, f.Seen), f.Remedy)
	}
}

// findings say what was found of an agent's program, the program itself first.
func findings(preset presets.Preset, c coder.Checkup) []examined {
	said := func(h health, seen, remedy string) examined {
		return examined{What: "agent", Health: h, Seen: clean.Text(seen), Remedy: clean.Text(remedy)}
	}
	out := []examined{said(well, strings.TrimSpace(preset.Program+" "+c.Version)+" ("+c.Program+")"+loggedIn(c), "")}
	if oldest := preset.Probe.Oldest; c.Version != "" && gitx.Older(c.Version, oldest) {
		out = append(out, said(ill, preset.Program+" "+c.Version+" is too old", "update it to "+oldest+" or newer"))
	}
	if len(c.Unknown) > 0 {
		out = append(out, said(ill, "the help of "+preset.Program+" does not name "+strings.Join(c.Unknown, ", "),
			"install a version that does; or write the whole command under agent.cmd, and see docs/agents.md"))
	}
	for _, why := range c.Silent {
		out = append(out, said(unsure, why, "start "+preset.Program+" by hand"))
	}
	switch c.LoggedIn {
	case coder.LoginFound:
	case coder.LoginMissing:
		out = append(out, said(ill, "nobody is logged in to "+preset.Program, preset.Probe.Login.Do))
	case coder.LoginUnknown:
		out = append(out, said(unsure, "nothing shows a login to "+preset.Program, "if there is none: "+preset.Probe.Login.Do))
	}
	return out
}

// loggedIn says by what a login was found.
func loggedIn(c coder.Checkup) string {
	if c.LoggedIn != coder.LoginFound {
		return ""
	}
	return ", logged in (" + c.By + ")"
}

// agents says in the doctor's report which agents are found here and not held.
func (d *doctor) agents() {
	var held, loose, notes []string
	all, err := presets.All()
	for _, preset := range all {
		a, err2 := agenthook.Site{Top: d.repo.Top}.Look(preset)
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
