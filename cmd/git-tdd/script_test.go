package main

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/sandbox"
)

func TestMain(m *testing.M) {
	testscript.Main(tallied{m}, map[string]func(){
		"git-tdd":   func() { os.Exit(realMain(time.Minute)) },
		"acp-agent": acpAgent,
	})
}

// TestScript runs the stories below testdata/script against the built binary,
// real git and real toolchains.
func TestScript(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               setUpScript,
		Condition:           toolchain,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"model":    modelCommand,
			"snapshot": snapshotCommand,
			"unmoved":  unmovedCommand,
			"guarded":  guardedCommand,
		},
	})
}

// setUpScript gives a story its own home, with the toolchains of this machine.
func setUpScript(env *testscript.Env) error {
	home := filepath.Join(env.WorkDir, ".home")
	if err := os.MkdirAll(home, 0o700); err != nil {
		return err
	}
	for _, name := range []string{"CARGO_HOME", "RUSTUP_HOME", "GOPATH", "GOMODCACHE", "GOCACHE", "GOPROXY", "GOFLAGS", "GOTOOLCHAIN", "RUSTUP_AUTO_INSTALL"} {
		if v := os.Getenv(name); v != "" {
			env.Setenv(name, v)
		}
	}
	real, err := os.UserHomeDir()
	if err != nil {
		return err
	}
	for name, dir := range map[string]string{"CARGO_HOME": ".cargo", "RUSTUP_HOME": ".rustup"} {
		if os.Getenv(name) == "" {
			env.Setenv(name, filepath.Join(real, dir))
		}
	}
	if os.Getenv("GOCACHE") == "" {
		out, err := exec.CommandContext(context.Background(), "go", "env", "GOCACHE", "GOMODCACHE").Output()
		if err != nil {
			return err
		}
		cache, mod, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
		env.Setenv("GOCACHE", cache)
		env.Setenv("GOMODCACHE", mod)
	}
	global := filepath.Join(home, "gitconfig")
	config := "[user]\n\tname = Ada Example\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n[advice]\n\tdetachedHead = false\n"
	if err := os.WriteFile(global, []byte(config), 0o600); err != nil {
		return err
	}
	env.Setenv("HOME", home)
	env.Setenv("GIT_CONFIG_GLOBAL", global)
	env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	env.Setenv("TZ", "UTC")
	env.Defer(verifyClone(env))
	return nil
}

// toolchain is the condition [has:NAME]: true if a program is installed. On
// CI a missing toolchain is a failure, not a reason to skip. [git:VERSION] is
// true if git is at least that new, [walls] if walls can be made of namespaces,
// [landlock] if they can be made of Landlock,
// [long] if TDD_LONG asks for what a shorter story shows as well.
func toolchain(cond string) (bool, error) {
	if version, ok := strings.CutPrefix(cond, "git:"); ok {
		return gitAtLeast(version)
	}
	switch cond {
	case "walls":
		return sandbox.Stands(context.Background(), sandbox.Namespaces), nil
	case "long":
		return os.Getenv("TDD_LONG") != "", nil
	case "landlock":
		return sandbox.Stands(context.Background(), sandbox.Landlock), nil
	}
	name, ok := strings.CutPrefix(cond, "has:")
	if !ok {
		return false, fmt.Errorf("unknown condition %q", cond)
	}
	_, err := exec.LookPath(name)
	if name == "pytest" { // commands run the one of their interpreter
		err = exec.CommandContext(context.Background(), "python3", "-m", name, "--version").Run()
	}
	if err == nil {
		return true, nil
	}
	if os.Getenv("CI") != "" {
		return false, fmt.Errorf("%s is not installed, and CI needs it", name)
	}
	gittest.Note(cond) // a condition does not know its script
	return false, nil
}

func gitAtLeast(version string) (bool, error) {
	out, err := exec.CommandContext(context.Background(), "git", "version").Output()
	if err != nil {
		return false, err
	}
	var have, want [2]int
	if _, err := fmt.Sscanf(string(out), "git version %d.%d", &have[0], &have[1]); err != nil {
		return false, err
	}
	if _, err := fmt.Sscanf(version, "%d.%d", &want[0], &want[1]); err != nil {
		return false, err
	}
	return slices.Compare(have[:], want[:]) >= 0, nil
}

// modelCommand starts a scripted model: model DIR.
func modelCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: model DIR")
	}
	names, err := filepath.Glob(filepath.Join(ts.MkAbs(args[0]), "*"))
	ts.Check(err)
	var scripts []string
	for _, name := range names {
		data, err := os.ReadFile(name)
		ts.Check(err)
		scripts = append(scripts, string(data))
	}
	server := httptest.NewServer(&faulty{scripts: scripts})
	ts.Defer(server.CloseClientConnections)
	ts.Setenv("GIT_TDD_LLM_BASE_URL", server.URL+"/v1")
}

// snapshotCommand remembers a repository, with its HEAD, refs, index, and the
// content of every file of the working tree: snapshot DIR.
func snapshotCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: snapshot DIR")
	}
	ts.Setenv("SNAPSHOT", strings.ReplaceAll(picture(ts, args[0]), "\n", "\v"))
}

// unmovedCommand checks that nothing has changed since the snapshot: unmoved
// DIR.
func unmovedCommand(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: unmoved DIR")
	}
	before := strings.ReplaceAll(ts.Getenv("SNAPSHOT"), "\v", "\n")
	after := picture(ts, args[0])
	if (before == after) == neg {
		ts.Fatalf("before:\n%s\nafter:\n%s", before, after)
	}
}

// picture describes everything in a repository that a refused step must leave
// as it was.
func picture(ts *testscript.TestScript, dir string) string {
	dir = ts.MkAbs(dir)
	var b strings.Builder
	for _, args := range [][]string{
		{"rev-parse", "HEAD"},
		{"symbolic-ref", "-q", "HEAD"},
		{"for-each-ref", "refs/heads", "refs/tags", "refs/stash"},
		{"ls-files", "--stage"},
	} {
		cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_OPTIONAL_LOCKS=0")
		out, _ := cmd.CombinedOutput()
		fmt.Fprintf(&b, "%v: %s\n", args, out)
	}
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == ".tdd") {
			return filepath.SkipDir
		}
		if !d.IsDir() {
			data, err := os.ReadFile(name)
			fmt.Fprintf(&b, "%s %q %v\n", name, data, err)
		}
		return nil
	})
	ts.Check(err)
	return b.String()
}
