package main

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/git-tdd/git-tdd/agents/agenthook"
	"github.com/git-tdd/git-tdd/agents/coder"
	"github.com/git-tdd/git-tdd/agents/presets"
	"github.com/git-tdd/git-tdd/gates"
)

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
