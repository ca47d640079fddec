package agents

import (
	"fmt"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

// The modes of git's tree entries that are not files.
const (
	modeFile    = "100644"
	modeLink    = "120000"
	modeGitlink = "160000"
)

// CheckPaths lists the reasons why a plan must not be written. Tree maps every
// path of the tree that the plan is for to its git mode; protected says which
// well-formed paths are off limits for another reason, and why. It is asked for
// the path as given and in lower case, so that no spelling slips through.
//
// A path that passes lies inside the repository, leads through no symlink and
// into no submodule, controls neither git nor git-tdd, and means the same file
// on every file system.
func CheckPaths(plan EditPlan, tree map[string]string, protected func(path string) (why string, bad bool)) []gates.Finding {
	c := &checker{modes: make(map[string]string, len(tree)), dirs: map[string]bool{}, spelt: make(map[string]string, len(tree))}
	for path, mode := range tree {
		c.add(path, mode)
	}
	var problems []gates.Finding
	for _, edit := range plan.Edits {
		p := c.check(edit)
		if p == nil {
			p = offLimits(edit.Path, protected)
		}
		if p != nil {
			p.Gate, p.Path = "plan", edit.Path
			problems = append(problems, *p)
			continue
		}
		c.add(edit.Path, modeFile)
	}
	return problems
}

// offLimits asks about every spelling that matters.
func offLimits(path string, protected func(string) (string, bool)) *gates.Finding {
	for _, spelling := range []string{path, fold(path)} {
		if why, bad := protected(spelling); bad {
			return &gates.Finding{Seen: "a protected file: " + why, Remedy: "leave it as it is"}
		}
	}
	return nil
}

// checker knows the names of a tree and of the edits accepted so far.
type checker struct {
	modes map[string]string // of files, links and submodules
	dirs  map[string]bool
	spelt map[string]string // folded name → the spelling in use
}

// add records a path and its parents.
func (c *checker) add(path, mode string) {
	c.modes[path] = mode
	c.spelt[fold(path)] = path
	for dir := parent(path); dir != "" && !c.dirs[dir]; dir = parent(dir) {
		c.dirs[dir] = true
		c.spelt[fold(dir)] = dir
	}
}

// parent is the directory of a path; empty for the root.
func parent(path string) string {
	return path[:max(0, strings.LastIndexByte(path, '/'))]
}

// check says why an edit must not be written; nil if it may.
func (c *checker) check(edit Edit) *gates.Finding {
	if what := malformed(edit.Path); what != "" {
		return &gates.Finding{Seen: what, Remedy: remedyPath}
	}
	if segment := guarded(edit.Path); segment != "" {
		return &gates.Finding{Seen: fmt.Sprintf("the name %q, which steers git or git-tdd", oneLine(segment, maxItem)), Remedy: "leave it alone"}
	}
	for at, char := range edit.Path + "/" {
		if char != '/' {
			continue
		}
		if p := c.checkName(edit.Path[:at], edit); p != nil {
			return p
		}
	}
	return nil
}

// checkName checks an edit's file, or a directory on the way to it.
func (c *checker) checkName(name string, edit Edit) *gates.Finding {
	mode, last := c.modes[name], name == edit.Path
	switch {
	case mode == modeLink || mode == modeGitlink:
		what := map[string]string{modeLink: "the symlink", modeGitlink: "the submodule"}[mode]
		if !last {
			what = "a path through " + what
		}
		return &gates.Finding{Seen: fmt.Sprintf("%s %q", what, oneLine(name, maxItem)), Remedy: "change files of this repository only, by their own names"}
	case mode != "" && last, c.dirs[name] && !last:
		return nil
	case mode != "":
		return &gates.Finding{Seen: fmt.Sprintf("%q is a file, not a directory", oneLine(name, maxItem)), Remedy: "choose another directory"}
	case c.dirs[name]:
		return &gates.Finding{Seen: "a directory", Remedy: "name a file"}
	case last && edit.Action == Delete:
		return &gates.Finding{Seen: "a file to delete that does not exist", Remedy: "delete only files of the list"}
	}
	return c.checkNew(name)
}

// checkNew checks the last segment of a name that the tree does not have.
func (c *checker) checkNew(name string) *gates.Finding {
	if other, taken := c.spelt[fold(name)]; taken {
		return &gates.Finding{
			Seen:   fmt.Sprintf("%q differs from the existing %q only in case or in characters that look the same", oneLine(name, maxItem), oneLine(other, maxItem)),
			Remedy: "use the existing spelling or a really different name",
		}
	}
	switch folders := strings.Count(name, "/"); {
	case folders > maxNewFolders:
		return &gates.Finding{Seen: fmt.Sprintf("a path with %d folders; a new one has at most %d", folders, maxNewFolders), Remedy: "put it into fewer folders"}
	case len(name) > maxNewPath:
		return &gates.Finding{Seen: fmt.Sprintf("a path of %d bytes; a new one has at most %d", len(name), maxNewPath), Remedy: "choose shorter names"}
	}
	if what := unportable(name[strings.LastIndexByte(name, '/')+1:]); what != "" {
		return &gates.Finding{Seen: what, Remedy: "choose a plain name"}
	}
	return nil
}
