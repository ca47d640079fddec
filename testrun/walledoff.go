package testrun

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/sandbox"
)

// offlinePattern matches what programs say if no host's address is known, or no way leads there.
var offlinePattern = lazyregexp.New(`(?i)(temporary failure in name resolution|name or service not known|no address associated with hostname|` +
	`(?:could not|couldn't|failed to) resolve host[^\n]{0,80}|unknown ?host(?:exception)?[: ][^\n]{0,80}|getaddrinfo (?:EAI_AGAIN|ENOTFOUND)[^\n]{0,80}|` +
	`dial (?:tcp|udp):? lookup [^\n]{0,80}|network is unreachable|ENETUNREACH|\boffline mode\b)`)

// unsocketedPattern matches what programs say if walls that forbid keep a socket from them.
var unsocketedPattern = lazyregexp.New(`(?i)(address family (?:is )?not supported(?: by protocol)?|EAFNOSUPPORT)`)

// deniedPattern matches a line that says of something that it is forbidden.
var deniedPattern = lazyregexp.New(`(?im)^.*(?:permission denied|EACCES|PermissionError|AccessDenied|not permitted).*$`)

// nobodyPattern matches what git says where nobody told it who commits.
var nobodyPattern = lazyregexp.New(`(?i)(author identity unknown|committer identity unknown|please tell me who you are|unable to auto-detect email address)`)

// missingPattern matches a line that says of something that it is not there.
var missingPattern = lazyregexp.New(`(?im)^.*(?:no such file|ENOENT|NoSuchFile|FileNotFound|not found|cannot find|does not exist).*$`)

// pathPattern matches absolute paths in what programs say.
var pathPattern = lazyregexp.New(`/[\w.@+~-]+(?:/[\w.@+~-]+)+`)

// walledOff says what a run within walls wanted and could not have; empty if nothing.
func (s *Session) walledOff(v Verdict, runs []Run) string {
	w := s.Request.Walls
	if w == nil || s.Request.Altered {
		return ""
	}
	for _, text := range failures(v, runs) {
		if hit := offlinePattern().FindString(text); hit != "" && w.Network != sandbox.Host {
			return fmt.Sprintf("it needs the network, which contained commands do not reach (“%s”): %swrite `workbench.network: host` in .tdd.yaml and approve it with `git tdd trust`, "+
				"or have `workbench.setup_cmd` fetch what is missing", hit, s.fetching(text))
		}
		if hit := nobodyPattern().FindString(text); hit != "" {
			return fmt.Sprintf("git knows nobody who commits (“%s”), because contained commands do not see your settings: "+
				"have the tests set user.name and user.email, or write `workbench.read: [~/.gitconfig]` in .tdd.yaml and approve it with `git tdd trust`", hit)
		}
		if why := s.forbade(text); why != "" {
			return why
		}
		for _, path := range pathPattern().FindAllString(strings.Join(missingPattern().FindAllString(text, -1), "\n"), -1) {
			if path = strings.TrimRight(path, "."); s.hid(path) {
				return fmt.Sprintf("it looks for %s, which contained commands do not see: name it in `workbench.read` in .tdd.yaml and approve that with `git tdd trust`", path)
			}
		}
	}
	return ""
}

// fetching is the beginning of the remedy for a dependency that is not there: the line that
// fetches it; empty where what was said is about none.
func (s *Session) fetching(said string) string {
	entries, _ := os.ReadDir(s.Request.Dir) // a folder that cannot be read has no file that decides
	here := gates.Each(entries, os.DirEntry.Name)
	for _, i := range s.Request.Language.Installs {
		if i.Lacks != nil && i.Lacks(said) && hasAll(i.Has, here) {
			return fmt.Sprintf("if that is a dependency, fetch it with `%s`; otherwise ", i.Run)
		}
	}
	return ""
}

// forbade says what walls that forbid kept from a run; empty where that is nothing.
func (s *Session) forbade(text string) string {
	w := s.Request.Walls
	if !w.By.Forbids() {
		return ""
	}
	if hit := unsocketedPattern().FindString(text); hit != "" && w.Network != sandbox.Host {
		return fmt.Sprintf("it needs a socket that walls of %s refuse (“%s”), localhost's too: write `workbench.network: host` in .tdd.yaml and approve it with `git tdd trust`, "+
			"set GIT_TDD_WORKBENCH_NETWORK=host on this machine alone, or allow user namespaces", w.By, hit)
	}
	for _, path := range pathPattern().FindAllString(strings.Join(deniedPattern().FindAllString(text, -1), "\n"), -1) {
		if path = strings.TrimRight(path, "."); s.hid(path) || s.hid(filepath.Dir(path)) {
			return fmt.Sprintf("it is not allowed %s, because walls of %s forbid contained commands what lies there: have it use TMPDIR for temporary files, "+
				"or name the path in `workbench.read` or `workbench.write` in .tdd.yaml and approve that with `git tdd trust`", path, w.By)
		}
	}
	return ""
}

// failures are what the failed tests said, or where no test did, the commands.
func failures(v Verdict, runs []Run) []string {
	said := gates.Each(gates.Facts{Tests: v.Tests}.With(gates.StatusFailed), func(t gates.Test) string { return t.Message })
	said = append(said, gates.Each(v.Diagnostics, func(d gates.Diagnostic) string { return d.Message })...)
	if v.Detail != gates.DetailTest || v.Outcome != gates.Failed {
		said = append(said, gates.Each(runs, func(run Run) string { return run.Output })...)
	}
	return said
}

// hid reports whether the last command did not see something at a path that exists.
func (s *Session) hid(path string) bool {
	found, err := filepath.EvalSymlinks(path)
	if err != nil || s.lastWalls == nil || slices.ContainsFunc(s.Request.Walls.Own, func(dir string) bool { return sandbox.Within(found, dir) }) {
		return false
	}
	deepest := func(folders []string) (longest int) {
		for _, dir := range folders {
			if sandbox.Within(found, dir) {
				longest = max(longest, len(dir))
			}
		}
		return longest
	}
	hidden := deepest(s.lastWalls.Hidden)
	return hidden > deepest(slices.Concat(s.lastWalls.Shown, s.lastWalls.Given)) && (hidden < len(found) || s.lastWalls.By.Forbids())
}
