package facts

import (
	"context"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
)

// activate adds the environment of packages that a tool made for the project.
func (m *Measurer) activate() {
	if activate := m.opts.Language.Installation.Activate; activate != nil && m.opts.Repo.Top != "" {
		project := filepath.Join(testrun.Resolved(m.opts.Repo.Top), filepath.FromSlash(m.opts.Folder.Dir))
		m.opts.Environ = slices.Concat(m.opts.Environ, activate(project, m.value))
	}
}

// leadsBack refuses dependencies that lead back to the working tree if commands do not find the
// workbench in its place: they would show the working tree, and not the tree.
func (m *Measurer) leadsBack() error {
	if len(m.at) > 0 {
		return nil
	}
	for _, l := range m.opts.Languages {
		if l.Installation.LeadsBack == nil {
			continue
		}
		for _, dir := range slices.Concat(slices.Sorted(maps.Values(m.workbench.links)), l.Installation.Active.Of(m.value)) {
			if file := l.Installation.LeadsBack(testrun.Resolved(dir), testrun.Resolved(m.opts.Repo.Top)); file != "" {
				return fmt.Errorf("%s leads back to the working tree, so that not the tree would be measured but what stands there; "+
					"allow user namespaces, or install without it (no editable installs, no workspaces) and have `workbench.setup_cmd` install in the workbench", file)
			}
		}
	}
	return nil
}

// links maps paths of the workbench to what of the working tree should be seen there: the
// folders of dependencies, also of the parts of a workspace, and, if the workbench is in the
// project's place, what the environment names there, which may be a whole toolchain.
func (m *Measurer) links(ctx context.Context, tree layout) map[string]string {
	names := slices.Concat(m.opts.Link, m.inParts(ctx, tree))
	if len(m.at) > 0 {
		names = append(names, m.named(ctx, tree)...)
	}
	links := linksOf(m.opts.Repo, names)
	for name := range links {
		for up := path.Dir(name); up != "."; up = path.Dir(up) {
			if _, ok := links[up]; ok {
				delete(links, name) // it is seen with the other
			}
		}
	}
	maps.DeleteFunc(links, func(name, _ string) bool { return tree.folder(name) || tree.file(ctx, name) })
	return links
}

// inParts are the folders of dependencies of the projects that lie in the tree.
func (m *Measurer) inParts(ctx context.Context, tree layout) []string {
	var names []string
	markers := append(slices.Clone(m.opts.Language.Markers), m.opts.Language.Beside)
	for dir := range tree.folders {
		if len(m.opts.Language.Link) == 0 || dir == "." {
			continue
		}
		files, err := tree.files(ctx, dir)
		if err != nil || !slices.ContainsFunc(files, func(e gitx.Entry) bool { return slices.Contains(markers, e.Path) }) {
			continue
		}
		names = append(names, gates.Each(m.opts.Language.Link, func(name string) string { return path.Join(dir, name) })...)
	}
	return names
}

// Dependencies maps paths to what of the working tree should be seen there beside a tree: the
// ignored folders in which packages are installed, and what the settings name.
func (m *Measurer) Dependencies(ctx context.Context, tree gitx.ID) map[string]string {
	in, err := layoutOf(ctx, m.opts.Repo, tree)
	if err != nil {
		return nil // no such tree is measured either
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.links(ctx, in)
}

// named are the paths in the working trees, but not in the tree, that the commands' environment names.
func (m *Measurer) named(ctx context.Context, tree layout) []string {
	var out []string
	for _, pair := range slices.Concat(m.opts.Environ, m.opts.Env) {
		name, value, _ := strings.Cut(pair, "=")
		if !testrun.Inherits(name, m.opts.Languages) && !slices.Contains(m.opts.Env, pair) {
			continue
		}
		for _, dir := range filepath.SplitList(value) {
			for _, top := range m.at {
				if filepath.IsAbs(dir) && within(dir, top) {
					out = append(out, m.foreign(ctx, tree, top, dir))
				}
			}
		}
	}
	return slices.DeleteFunc(out, func(name string) bool { return name == "" })
}

// foreign is the first folder on the way to a path that is neither the tree's nor build output.
func (m *Measurer) foreign(ctx context.Context, tree layout, top, dir string) string {
	rel, err := filepath.Rel(top, dir)
	if err != nil || rel == "." {
		return ""
	}
	at := "."
	for part := range strings.SplitSeq(filepath.ToSlash(rel), "/") {
		files, err := tree.files(ctx, at)
		if err != nil || m.workbench.output(files, at, part) {
			return ""
		}
		if at = path.Join(at, part); !tree.folder(at) {
			return at
		}
	}
	return ""
}

// within reports whether a path is a folder or lies in it, links followed.
func within(name, folder string) bool {
	return gitx.Within(testrun.Resolved(name), testrun.Resolved(folder))
}
