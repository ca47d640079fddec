package hooks

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/envvar"
	"github.com/git-tdd/git-tdd/internal/wholefile"
)

// sequence names what git is in the middle of: "rebase", "cherry-pick",
// "revert"; empty if it is making a single commit. A merge is one.
func sequence(repo *gitx.Repo) string {
	if what := repo.Underway(); what != "merge" {
		return what
	}
	return ""
}

// merged lists the commits being merged, if any.
func merged(repo *gitx.Repo) ([]gitx.ID, error) {
	data, err := wholefile.Read(filepath.Join(repo.GitDir, "MERGE_HEAD"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read what is being merged: %w", err)
	}
	return gates.Each(strings.Fields(string(data)), func(id string) gitx.ID { return gitx.ID(id) }), nil
}

// Squashed reports whether a squashed merge is being committed.
func (g Guard) Squashed() bool { return exists(filepath.Join(g.Repo.GitDir, "SQUASH_MSG")) }

// invocation is how git commit was called. Git does not tell hooks whether a
// commit amends another or how its message will be cleaned.
type invocation struct {
	known   bool // false if nothing could be found out
	amends  bool
	cleanup string   // empty if it was not given
	options []string // but for those about where the message comes from
	paths   []string
}

// maxDepth is how many processes may stand between git and the hook.
const maxDepth = 12

// invoked looks for the git commit that started this process, through any hook manager in
// between, on systems that show processes as Linux does.
func invoked() invocation {
	pid := strconv.Itoa(os.Getppid())
	for range maxDepth {
		args, parent := process(pid)
		if args == nil {
			break
		}
		if rest, ok := commitArgs(args); ok {
			return readArgs(rest)
		}
		pid = parent
	}
	return invocation{}
}

// process reads the arguments and the parent of a process; nil if there is none.
func process(pid string) (args []string, parent string) {
	line, err := os.ReadFile(filepath.Join("/proc", pid, "cmdline"))
	status, err2 := os.ReadFile(filepath.Join("/proc", pid, "status"))
	if err != nil || err2 != nil {
		return nil, ""
	}
	_, after, _ := strings.Cut(string(status), "\nPPid:\t")
	parent, _, _ = strings.Cut(after, "\n")
	return strings.Split(strings.TrimSuffix(string(line), "\x00"), "\x00"), parent
}

// commitArgs returns what follows "git commit".
func commitArgs(args []string) (rest []string, ok bool) {
	name := strings.TrimSuffix(filepath.Base(args[0]), ".exe")
	if name == "git-commit" {
		return args[1:], true
	}
	if name != "git" {
		return nil, false
	}
	for i := 1; i < len(args); i++ {
		switch a := args[i]; {
		case a == "commit":
			return args[i+1:], true
		case a == "-C", a == "-c", a == "--git-dir", a == "--work-tree", a == "--namespace", a == "--config-env":
			i++
		case !strings.HasPrefix(a, "-"):
			return nil, false
		}
	}
	return nil, false
}

// readArgs takes the arguments of git commit apart.
func readArgs(args []string) invocation {
	inv := invocation{known: true}
	for i := 0; i < len(args); i++ {
		words := args[i : i+1]
		name, value, joined := strings.Cut(args[i], "=")
		valued, ofMessage := long(name)
		switch {
		case name == "--":
			inv.paths = append(inv.paths, args[i:]...)
			return inv
		case len(name) < 2 || name[0] != '-':
			inv.paths = append(inv.paths, args[i])
			continue
		case !strings.HasPrefix(name, "--"):
			letters, values := withoutMessage(args[i][1:])
			if letters != "" {
				inv.options = append(inv.options, "-"+letters)
			}
			i += values
			continue
		case valued && !joined && i+1 < len(args):
			words, value = args[i:i+2], args[i+1]
			i++
		}
		switch {
		case strings.HasPrefix(name, "--am") && strings.HasPrefix("--amend", name):
			inv.amends = true
		case name == "--no-amend":
			inv.amends = false
		case name == "--cleanup":
			inv.cleanup = value
		}
		if !ofMessage {
			inv.options = append(inv.options, words...)
		}
	}
	return inv
}

// Again is the command that commits the same once more, with the message that git keeps in a
// file. What to commit is named as it was: after -a, -p or paths the index has none of it. An
// editor opens only if one did. whole is false if more was said that cannot be seen.
func (g Guard) Again(file string) (argv []string, whole bool) {
	prefix := envvar.Get(g.Environ, "GIT_PREFIX")
	if rel, err := filepath.Rel(filepath.FromSlash(prefix), file); err == nil && !filepath.IsAbs(file) {
		file = rel
	}
	how := invoked()
	words := append([]string{"git", "commit"}, how.options...)
	message := "-eF"
	if envvar.Get(g.Environ, "GIT_EDITOR") == ":" {
		message = "-F"
	}
	return slices.Concat(words, []string{message, file}, how.paths), how.known || filepath.Base(envvar.Get(g.Environ, "GIT_INDEX_FILE")) == "index"
}

// long says of a long option whether the next argument is its value, and whether it is about
// where the message comes from.
func long(option string) (valued, ofMessage bool) {
	switch option {
	case "--message", "--file", "--template", "--trailer", "--reuse-message", "--reedit-message", "--fixup", "--squash":
		return true, true
	case "--author", "--date", "--cleanup", "--pathspec-from-file":
		return true, false
	case "--edit", "--no-edit", "--verbose", "--signoff":
		return false, true
	}
	return false, false
}

// withoutMessage is a cluster of short options without the message's, and how many values these have.
func withoutMessage(cluster string) (kept string, values int) {
	for i, letter := range cluster {
		switch {
		case strings.ContainsRune("mFcCt", letter):
			if i == len(cluster)-1 {
				values = 1
			}
			return kept, values
		case letter == 'S' || letter == 'u': // the rest is its value
			return kept + cluster[i:], 0
		case !strings.ContainsRune("evs", letter):
			kept += string(letter)
		}
	}
	return kept, 0
}
