package testrun

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/envvar"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/sandbox"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// inheritable lists the variables that any command may inherit. The rest stays with the user,
// except for what languages need: keys, git's state, a make's jobserver.
func inheritable() []string {
	return []string{
		"PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "TZ", "CI", "NO_COLOR",
		"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR",
		// Windows cannot start much without these.
		"SYSTEMROOT", "SYSTEMDRIVE", "COMSPEC", "PATHEXT", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA",
	}
}

// Inherits reports whether commands see a variable of the user's environment, in some language.
func Inherits(name string, languages Languages) bool {
	name = strings.ToUpper(name)
	return slices.Contains(inheritable(), name) || slices.Contains(languages.All(func(i Installation) []string { return i.Inherits }), name) || strings.HasPrefix(name, "LC_")
}

// environ builds the environment of a command: what may be inherited, and what the
// configuration declares. It sets nothing else that tests of colours, languages or servers
// would notice; a reader that needs its runner to speak otherwise tells that runner alone.
func environ(req Request, tmp string) []string {
	var env []string
	for _, pair := range req.Environ {
		if name, _, _ := strings.Cut(pair, "="); Inherits(name, req.Languages) {
			env = append(env, pair)
		}
	}
	inherited := func(name string) string { return LookupEnv(req.Environ, name) }
	env = append(req.Languages.folders(inherited, func(i Installation) Folders { return i.Settings }), env...)
	env = append(env, "TMPDIR="+tmp, "TMP="+tmp, "TEMP="+tmp)
	env = append(env, req.Languages.All(func(i Installation) []string { return i.Sets })...)
	if req.Walls != nil && req.Walls.Network != sandbox.Host {
		env = append(env, req.Languages.All(func(i Installation) []string { return i.Offline })...)
	}
	for _, pair := range req.Env {
		// git's own would lead into the user's repository, and others may hold a secret
		if name, _, ok := strings.Cut(pair, "="); ok && !strings.HasPrefix(strings.ToUpper(name), "GIT_") && !Secret(name) {
			env = append(env, pair)
		}
	}
	return lastOfEach(env)
}

// Secret reports whether a variable is named like one that holds a secret.
func Secret(name string) bool {
	name = strings.ToUpper(name)
	return strings.HasSuffix(name, "_KEY") || strings.HasSuffix(name, "_TOKEN") ||
		strings.Contains(name, "SECRET") || strings.Contains(name, "PASSWORD")
}

// lastOfEach drops every variable that a later one of the same name replaces, as os/exec does. An
// environment that is nil would be ours; those here have folders of their own at least.
func lastOfEach(env []string) []string { return (&exec.Cmd{Env: env}).Environ() }

// Prepended is a variable that lists folders, with one more before those that it lists.
func Prepended(env []string, name, folder string) string {
	if own := LookupEnv(env, name); own != "" {
		folder += string(os.PathListSeparator) + own
	}
	return name + "=" + folder
}

// variablePattern matches a variable that is given a value.
var variablePattern = lazyregexp.New(`^[A-Za-z_]\w*=`)

// variables is the beginning of a command that only sets variables for the rest of it, as env
// NAME=VALUE does; empty if it has none, or env is to do more.
func variables(argv []string) []string {
	rest := slices.IndexFunc(argv[min(1, len(argv)):], func(arg string) bool { return !variablePattern.MatchString(arg) }) + 1
	if rest < 2 || output.Program(argv[0]) != "env" || strings.HasPrefix(argv[rest], "-") {
		return nil
	}
	return argv[:rest]
}

// setting is a command without the variables that it sets, which all commands get from now on: who
// runs it is told by its program.
func (s *Session) setting(argv []string) []string {
	set := variables(argv)
	if len(set) > 0 {
		s.Env = lastOfEach(append(s.Env, set[1:]...))
	}
	return argv[len(set):]
}

// LookupEnv returns the value of a variable in an environment.
func LookupEnv(env []string, name string) string { return envvar.Get(env, name) }

// Launch finds the program of a command and runs it in a box: the [Starter] of a
// request that names none. A missing program is reported where its output would go.
func Launch(ctx context.Context, c sandbox.Command) (sandbox.Ending, error) {
	found := func(path string) bool { return runnable(c.Outside(path)) }
	if c.Path = locate(c.Args[0], c.Dir, c.Env, found); c.Path == "" {
		missing := c.Args[0] + " is not installed, or not on PATH"
		_, err := io.WriteString(c.Stderr, missing)
		return sandbox.Ending{Code: 127, Refused: missing}, err
	}
	return sandbox.Run(ctx, c)
}

// Locate finds the program that a command names, as a shell in dir would, or "".
func Locate(program, dir string, env []string) string {
	return locate(program, dir, env, runnable)
}

// locate is [Locate] for whoever decides otherwise what a path leads to.
func locate(program, dir string, env []string, runnable func(path string) bool) string {
	if runtime.GOOS == "windows" {
		found, _ := exec.LookPath(program) // not found is the empty path
		return found
	}
	if strings.Contains(program, "/") {
		if !filepath.IsAbs(program) {
			program = filepath.Join(dir, program)
		}
		if runnable(program) {
			return program
		}
		return ""
	}
	for _, place := range filepath.SplitList(LookupEnv(env, "PATH")) {
		if !filepath.IsAbs(place) {
			continue // a program of the project must be named with its path
		}
		if path := filepath.Join(place, program); runnable(path) {
			return path
		}
	}
	return ""
}

// runnable reports whether a path is that of a file that may be executed.
func runnable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir() && info.Mode()&0o111 != 0
}
