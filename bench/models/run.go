package models

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/llm"
)

// running is a run that is carried out.
type running struct {
	Run
	settings config.Settings
	language string
	steps    int // the most

	dir     string   // of the run
	top     string   // of its repository
	environ []string // of all commands
	log     io.Writer
	result  Result
}

// prepared reads the settings of a run.
func prepared(run Run) (*running, error) {
	m := run.Material
	settings, err := config.Parse(m.Settings, nil, lang.All())
	if broken, ok := errors.AsType[*config.Error](err); ok {
		broken.File = "the settings of " + run.Model + " on " + run.Kata
	}
	if err != nil {
		return nil, err
	}
	r := &running{Run: run, settings: settings, steps: m.Steps, language: cmp.Or(m.Language, settings.Language.Name)}
	if r.language == "" {
		return nil, fmt.Errorf("nothing says in which language the kata %s is worked on; write language: under it", run.Kata)
	}
	return r, nil
}

// carryOut takes the steps and measures what came of them. Nothing of a run may see
// the folders unseen.
func (r *running) carryOut(ctx context.Context, dir string, unseen []string) (Result, error) {
	log, err := os.Create(filepath.Join(dir, "log.txt"))
	if err != nil {
		return r.result, fmt.Errorf("write the log of a run: %w", err)
	}
	defer func() { _ = log.Close() }()
	r.dir, r.top, r.log = dir, filepath.Join(dir, r.Kata), log
	if err := r.separate(unseen); err != nil {
		return r.result, err
	}
	r.result = Result{Kata: r.Kata, Model: r.Model, Seed: r.Seed, Inputs: r.Inputs, Refusals: map[string]int{}, Roles: []Role{}}
	replay, err := r.begin(ctx)
	if err != nil {
		return r.result, err
	}
	if err := r.takeSteps(ctx, replay); err != nil {
		return r.result, err
	}
	return r.result, r.measure(ctx)
}

// separate makes an environment without the user's own settings, of git and of
// git-tdd, so that a run is the same for everybody.
func (r *running) separate(unseen []string) error {
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "GIT_") && !strings.HasPrefix(kv, "XDG_") {
			r.environ = append(r.environ, kv)
		}
	}
	author := config.Default().Commit
	text := fmt.Sprintf("[user]\n\tname = %s\n\temail = %s\n[init]\n\tdefaultBranch = main\n[commit]\n\tgpgsign = false\n", author.AuthorName, author.AuthorEmail)
	name := filepath.Join(r.dir, "gitconfig")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		return fmt.Errorf("write git's settings of a run: %w", err)
	}
	r.environ = append(r.environ, "GIT_CONFIG_GLOBAL="+name, "GIT_CONFIG_NOSYSTEM=1",
		"TDD_BENCH_SEED="+strconv.Itoa(r.Seed), "TDD_BENCH_UNSEEN="+strings.Join(unseen, string(filepath.ListSeparator)))
	for _, kind := range []string{"cache", "state", "config"} {
		r.environ = append(r.environ, "XDG_"+strings.ToUpper(kind)+"_HOME="+filepath.Join(r.dir, "own", kind))
	}
	return nil
}

// command is a command in the run's repository, which an interrupt ends as a person would.
func (r *running) command(ctx context.Context, argv ...string) *exec.Cmd {
	const patience = time.Minute
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env, cmd.Stderr = r.top, r.environ, r.log
	cmd.Cancel, cmd.WaitDelay = func() error { return cmd.Process.Signal(os.Interrupt) }, patience
	return cmd
}

// do runs a command that must succeed, and returns what it printed.
func (r *running) do(ctx context.Context, argv ...string) (string, error) {
	out, err := r.command(ctx, argv...).Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w; %s says more", strings.Join(argv, " "), err, filepath.Join(r.dir, "log.txt"))
	}
	return strings.TrimSpace(string(out)), nil
}

// ask decodes what a command of git-tdd prints. How it exits is in what it says.
func (r *running) ask(cmd *exec.Cmd, answer any) error {
	cmd.Env = append(cmd.Env, "GIT_TDD_CONTAIN=always")
	out, err := cmd.Output()
	if len(out) == 0 && err != nil {
		return fmt.Errorf("%s: %w; %s says more", strings.Join(cmd.Args, " "), err, filepath.Join(r.dir, "log.txt"))
	}
	if err := json.Unmarshal(out, answer); err != nil {
		return fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
	}
	return nil
}

// begin makes the project, and returns the file of the recording that answers; empty if
// models do.
func (r *running) begin(ctx context.Context) (replay string, err error) {
	if r.result.Program, err = programVersion(ctx); err != nil {
		return "", err
	}
	kata := filepath.Join(r.dir, "kata.md")
	if err := os.WriteFile(kata, r.Material.Text, 0o600); err != nil {
		return "", fmt.Errorf("write the kata: %w", err)
	}
	if err := os.MkdirAll(r.top, 0o750); err != nil {
		return "", fmt.Errorf("make the project: %w", err)
	}
	if r.Material.Replay != nil {
		tape, err := llm.LoadCassette(r.Material.Replay)
		if err != nil {
			return "", fmt.Errorf("the recording of %s: %w", r.Model, err)
		}
		replay = filepath.Join(r.dir, "replay.json")
		if err := os.WriteFile(replay, r.Material.Replay, 0o600); err != nil {
			return "", fmt.Errorf("write the recording: %w", err)
		}
		r.steps = min(r.steps, tape.Steps())
	}
	if _, err := r.do(ctx, "git-tdd", "init", "--language", r.language, "--kata", kata, "--no-hooks"); err != nil {
		return "", err
	}
	return replay, r.adapt(ctx)
}

func programVersion(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "git-tdd", "--version").Output()
	if err != nil {
		return "", fmt.Errorf("git-tdd must be on PATH: %w", err)
	}
	words := strings.Fields(string(out))
	return words[len(words)-1], nil
}

// adapt gives the new project the run's settings.
func (r *running) adapt(ctx context.Context) error {
	name := filepath.Join(r.top, config.FileName)
	text, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("read the settings of the project: %w", err)
	}
	usual, err := config.Parse(text, nil, lang.All())
	if err != nil {
		return err
	}
	s := r.settings
	s.Kata, s.Language = usual.Kata, usual.Language
	for _, command := range []struct{ own, usual *[]string }{
		{&s.CI.TestCmd, &usual.CI.TestCmd}, {&s.CI.CheckCmd, &usual.CI.CheckCmd}, {&s.CI.FmtCmd, &usual.CI.FmtCmd},
	} {
		if *command.own == nil {
			*command.own = *command.usual
		}
	}
	if model := r.Material.Model; model != "" {
		roles := map[gates.Role]config.Role{}
		for name, role := range s.Roles {
			role.Model = model
			roles[name] = role
		}
		s.Roles = roles
	}
	if err := os.WriteFile(name, config.Render(s), 0o600); err != nil {
		return fmt.Errorf("write the settings of the project: %w", err)
	}
	for _, argv := range [][]string{
		{"git", "-c", "core.hooksPath=" + os.DevNull, "commit", "-q", "--allow-empty", "-am", "chore: settings of the run"}, {"git-tdd", "trust"},
	} {
		if _, err := r.do(ctx, argv...); err != nil {
			return err
		}
	}
	return nil
}

// takeSteps takes the steps, and notes why they ended and what they used.
func (r *running) takeSteps(ctx context.Context, replay string) error {
	argv := []string{"git-tdd", "run", "--steps", strconv.Itoa(r.steps)}
	if replay != "" {
		argv = append(argv, "--replay", replay)
	}
	cmd := r.command(ctx, argv...)
	cmd.Stdout = r.log
	r.result.Began = time.Now().UTC().Truncate(time.Second)
	err := cmd.Run()
	r.result.Seconds = time.Since(r.result.Began).Seconds()
	if _, ended := errors.AsType[*exec.ExitError](err); err != nil && (!ended || ctx.Err() != nil) {
		return fmt.Errorf("git-tdd run: %w", err)
	}
	r.result.Exit = cmd.ProcessState.ExitCode()
	return r.readEvents()
}
