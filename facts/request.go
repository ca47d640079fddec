package facts

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
)

// allowed puts a tree into the workbench if commands may run there.
func (m *Measurer) allowed(ctx context.Context, tree gitx.ID) error {
	if err := m.opts.Permit(); err != nil {
		return err
	}
	return m.export(ctx, tree)
}

// basics are what every request has.
func (m *Measurer) basics() testrun.Request {
	return testrun.Request{
		Folder: m.opts.Folder, Commands: m.opts.Commands, Language: m.opts.Language,
		Env: m.opts.Env, Environ: m.opts.Environ, Languages: m.opts.Languages,
	}
}

// request is for commands in the workbench.
func (m *Measurer) request() testrun.Request {
	req := m.basics()
	req.Dir, req.Scratch, req.Walls = m.workbench.Root, m.workbench.Scratch, m.within()
	if req.At, req.Keep = m.at, len(m.at) > 0; req.Keep {
		req.Deps = m.workbench.links
	}
	req.Phase = m.announcing(Doing{})
	return req
}

// commands is the digest of everything that the project itself decides.
func (m *Measurer) commands() string {
	c := m.opts.Commands
	parts := []string{
		m.opts.Language.Name + m.opts.Language.Described, words(c.Check), words(c.Test), c.Timeout.String(), string(c.Report.Format), c.Report.Path,
		words(m.opts.Setup), ordered(m.opts.Link), words(m.opts.Env),
	}
	if f := m.opts.Folder; f.Dir != "" || len(f.Inner) > 0 {
		parts = append(parts, f.Dir, ordered(f.Inner))
	}
	return digest("commands", parts...)
}

// words joins a list so that different lists never give the same text.
func words(list []string) string {
	return fmt.Sprintf("%d\x00%s", len(list), strings.Join(list, "\x00"))
}

// ordered joins a list whose order says nothing.
func ordered(list []string) string { return words(slices.Sorted(slices.Values(list))) }

// Doing is a command that is about to start, for whoever waits for it.
type Doing struct {
	Name    string        // what the command is for: "check", "test", "setup"
	Argv    []string      // the command as the settings have it, however few tests it is narrowed to
	Folder  string        // of the project, where there are several
	Tree    gitx.ID       // which is measured; of one of several projects, only its part
	Altered bool          // for evidence: with small errors, or other expectations
	Last    time.Duration // how long check and tests of a tree took last time; zero if not known
}

// announcing tells whoever waits of the commands that run on a tree.
func (m *Measurer) announcing(of Doing) func(string, []string) {
	if m.opts.Phase == nil {
		return nil
	}
	return func(name string, argv []string) {
		d := of
		d.Name, d.Argv, d.Folder = name, argv, m.opts.Folder.Dir
		if name == "test" {
			d.Argv = m.opts.Commands.Test
		}
		if !d.Altered {
			m.store.recall(m.tookFile(), &d.Last)
		}
		m.opts.Phase(d)
	}
}

// tookFile keeps how long the last whole run of these commands took. It decides nothing.
func (m *Measurer) tookFile() string { return filepath.Join(m.store.dir, "took-"+m.commands()) }
