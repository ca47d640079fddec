package facts

import (
	"path/filepath"
	"time"

	"github.com/git-tdd/git-tdd/gitx"
)

// Doing is a command that is about to start, for whoever waits for it.
type Doing struct {
	Name    string        // what the command is for: "check", "test", "setup"
	Argv    []string      // the command as the settings have it, however few tests it is narrowed to
	Folder  string        // of the project, where there are several
	Tree    gitx.ID       // which is measured; of one of several projects, only its part
	Altered bool          // for evidence: with small errors, or other expectations
	Last    time.Duration // how long check and tests of a tree took last time; zero if not known
}

// announcing tells whoever waits of the commands that run on a tree, of which it is
// known what is being done.
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
			d.Last = m.took()
		}
		m.opts.Phase(d)
	}
}

func (m *Measurer) tookFile() string { return filepath.Join(m.store.dir, "took-"+m.commands()) }

// took is how long the last whole run of these commands took. It decides nothing.
func (m *Measurer) took() (last time.Duration) {
	m.store.recall(tookLabel, m.tookFile(), &last)
	return last
}
