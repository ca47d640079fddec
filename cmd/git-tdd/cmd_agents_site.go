package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/agents/agenthook"
	"github.com/git-tdd/git-tdd/agents/presets"
	"github.com/git-tdd/git-tdd/config"
)

// agentsAt are the agents that are named or, without any, those that are found here.
func agentsAt(site agenthook.Site, named []presets.Preset) ([]presets.Preset, error) {
	if len(named) > 0 {
		return named, nil
	}
	named, err := found(site, func(a agenthook.Agent) bool { return a.Program != "" || a.Used })
	if err == nil && len(named) == 0 {
		err = &usageError{"no coding agent is found here; name one: git tdd agents install " + strings.Join(presets.Names(), "|")}
	}
	return named, err
}

// settled reports whether a working tree has settings.
func settled(site agenthook.Site) bool {
	return slices.ContainsFunc([]string{config.FileName, config.AltFileName}, func(name string) bool {
		_, err := os.Stat(filepath.Join(site.Top, name))
		return err == nil
	})
}
