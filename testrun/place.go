package testrun

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/wholefile"
	"github.com/git-tdd/git-tdd/sandbox"
)

// A project whose dependencies point back to it (an editable install, an autoloader, a
// workspace) would be tested as the working tree is. So commands find the workbench at the
// project's own path. Here paths are taken from their view to ours and back.

// mounts are what commands see elsewhere: the dependencies, perhaps more, then the workbench at the
// project's paths.
func (s *Session) mounts(more ...sandbox.Mount) []sandbox.Mount {
	var out []sandbox.Mount
	for _, name := range slices.Sorted(maps.Keys(s.Request.Deps)) {
		out = append(out, sandbox.Mount{From: s.Request.Deps[name], At: filepath.Join(s.tree, filepath.FromSlash(name)), Layer: filepath.Join(s.layer(), "deps", strconv.Itoa(len(out)))})
	}
	out = append(out, more...)
	for _, at := range s.Request.At {
		out = append(out, sandbox.Mount{From: s.tree, At: at})
	}
	return out
}

// command is a command as it is to be started: where the project stands for it.
func (s *Session) command(j Job) sandbox.Command {
	s.started++
	var spared []sandbox.Mount
	if j.Discard && s.Request.Keep {
		spared = s.spared()
	}
	c := sandbox.Command{Args: j.Argv, Dir: s.Root(), Env: lastOfEach(slices.Concat(s.Env, j.Env)), Mounts: s.mounts(spared...)}
	s.walled(&c)
	at := cmp.Or(j.Dir, c.Dir)
	if c.Dir != s.Request.Dir {
		theirs := func(text string) string { return strings.ReplaceAll(text, s.tree, s.Request.At[0]) }
		c.Args, c.Env, at = gates.Each(c.Args, theirs), gates.Each(c.Env, theirs), theirs(at)
	}
	c.Dir = at
	return c
}

// spared is the build output in the workbench.
func (s *Session) spared() []sandbox.Mount {
	var out []sandbox.Mount
	for _, name := range s.Request.Language.BuildDirs {
		for _, dir := range wholefile.Matching(s.Request.Dir, name, "*/"+name, "*/*/"+name) {
			if info, err := os.Lstat(dir); err == nil && info.IsDir() {
				out = append(out, sandbox.Mount{From: dir, At: dir, Layer: filepath.Join(s.layer(), "built", strconv.Itoa(len(out)))})
			}
		}
	}
	return out
}

// Root is where the project stands for its commands.
func (s *Session) Root() string {
	if len(s.Request.At) == 0 {
		return s.Request.Dir
	}
	return s.seen(s.Request.At[0])
}

// seen is where the project stands below a folder in which its tree is seen.
func (s *Session) seen(tree string) string {
	within, err := filepath.Rel(s.tree, s.Request.Dir)
	if err != nil {
		return tree
	}
	return filepath.Join(tree, within)
}

// Up lists where something of these names may be for the project: in its folder, and
// in those around it in the workbench, the nearest first.
func (s *Session) Up(names ...string) []string {
	return gates.Each(s.Request.Folder.Up(names), func(name string) string { return filepath.Join(s.tree, filepath.FromSlash(name)) })
}

// Outside is the path at which we find what the commands find at a path.
func (s *Session) Outside(path string) string {
	return sandbox.Command{Mounts: s.mounts()}.Outside(path)
}

// Local is what a command said, with the project's path as it is for us.
func (s *Session) Local(text string) string {
	if len(s.Request.At) == 0 {
		return text
	}
	return moved(text, s.Request.At[0], s.tree)
}

// moved puts one folder in the place of another in a text, but not within longer paths.
func moved(text, from, to string) string {
	if from == to || !strings.Contains(text, from) {
		return text
	}
	var out strings.Builder
	for {
		before, after, found := strings.Cut(text, from)
		out.WriteString(before)
		switch {
		case !found:
			return out.String()
		case before != "" && InName(before[len(before)-1]) || after != "" && InName(after[0]):
			out.WriteString(from)
		default:
			out.WriteString(to)
		}
		text = after
	}
}

// InName reports whether a byte is one of those that names of files are made of.
func InName(b byte) bool {
	return b == '-' || b == '_' || b == '.' || b >= 0x80 || '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z'
}

// portable takes the paths of this machine out of what commands said: the workbench is the root
// of the tree. It goes to models, logs and commits, and is the same for every checkout.
func (s *Session) portable(r Result) Result {
	var pairs []string
	for _, tree := range []string{s.tree, Resolved(s.tree)} {
		pairs = append(pairs, tree+string(filepath.Separator), "", tree, ".")
	}
	for _, scratch := range []string{s.Request.Scratch, Resolved(s.Request.Scratch)} {
		pairs = append(pairs, scratch, "$SCRATCH")
	}
	workbench := strings.NewReplacer(pairs...)
	r.Reword(func(text string) string { return workbench.Replace(s.Local(text)) })
	return s.Request.Folder.placed(r)
}

// Reword changes everything that was said in a run, but no name and no place.
func (r *Result) Reword(change func(said string) string) {
	for i := range r.Facts.Tests {
		r.Facts.Tests[i].Message = change(r.Facts.Tests[i].Message)
	}
	for _, found := range [][]gates.Diagnostic{r.Facts.Diagnostics, r.Facts.CheckDiagnostics} {
		for i := range found {
			found[i].Message = change(found[i].Message)
		}
	}
	for i := range r.Runs {
		r.Runs[i].Output = change(r.Runs[i].Output)
	}
}
