package facts

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/testrun"
)

func (m *Measurer) permit() error {
	if m.opts.Permit == nil {
		return nil
	}
	return m.opts.Permit()
}

func (m *Measurer) request() testrun.Request {
	var deps map[string]string
	if len(m.at) > 0 {
		deps = m.workbench.links
	}
	return testrun.Request{
		At: m.at, Deps: deps, Keep: len(m.at) > 0, Walls: m.within(), Dir: m.workbench.Root, Folder: m.opts.Folder, Scratch: m.workbench.Scratch,
		Commands: m.opts.Commands, Language: m.opts.Language,
		Env: m.opts.Env, Environ: m.opts.Environ, Languages: m.opts.Languages, Phase: m.announcing(Doing{}), Tested: m.opts.Tested, Log: m.opts.Log,
	}
}

// commands is the digest of everything that the project itself decides.
func (m *Measurer) commands() string {
	c := m.opts.Commands
	parts := []string{
		m.opts.Language.Name + m.opts.Language.Described, words(c.Check), words(c.Test), c.Timeout.String(), string(c.Report.Format), c.Report.Path,
		words(m.opts.Setup), words(sorted(m.opts.Link)), words(m.opts.Env),
	}
	if f := m.opts.Folder; f.Dir != "" || len(f.Inner) > 0 {
		parts = append(parts, f.Dir, words(sorted(f.Inner)))
	}
	return digest("commands", parts...)
}

// versionFileNames are the paths in the tree of the files that choose a toolchain.
func (m *Measurer) versionFileNames() []string {
	return m.opts.Folder.Up(m.opts.Language.VersionFiles)
}

// words joins a list so that different lists never give the same text.
func words(list []string) string {
	return fmt.Sprintf("%d\x00%s", len(list), strings.Join(list, "\x00"))
}

func sorted(list []string) []string {
	out := slices.Clone(list)
	slices.Sort(out)
	return out
}
