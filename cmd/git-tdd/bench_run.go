package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/llm"
	"github.com/git-tdd/git-tdd/loop"
	"github.com/git-tdd/git-tdd/matrix"
	"github.com/git-tdd/git-tdd/report"
	"github.com/git-tdd/git-tdd/sandbox"
	"github.com/git-tdd/git-tdd/testrun"
)

// benchRun is one run of a matrix.
type benchRun struct {
	matrix.Run
	settings config.Settings
	language testrun.Language

	d      *program // that takes the steps, in the run's own repository
	result matrix.Result
}

// newBenchRun reads the settings of a run.
func newBenchRun(run matrix.Run) (*benchRun, error) {
	m := run.Material
	settings, err := config.Parse(m.Settings, nil, lang.All())
	if broken, ok := errors.AsType[*config.Error](err); ok {
		broken.File = "the settings of " + run.Model + " on " + run.Kata
	}
	if err != nil {
		return nil, err
	}
	name := cmp.Or(m.Language, settings.Language.Name)
	if name == "" {
		return nil, &usageError{"nothing says in which language the kata " + quote(run.Kata) + " is worked on; write language: under it"}
	}
	settings.Steps = m.Steps
	language, err := withScaffold(name)
	return &benchRun{Run: run, settings: settings, language: language}, err
}

// adapt is what a new project of the language is set to.
func (r *benchRun) adapt(given config.Settings) config.Settings {
	s := r.settings
	s.Kata, s.Language = given.Kata, given.Language
	for _, command := range []struct{ own, usual *[]string }{
		{&s.CI.TestCmd, &given.CI.TestCmd}, {&s.CI.CheckCmd, &given.CI.CheckCmd}, {&s.CI.FmtCmd, &given.CI.FmtCmd},
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
	return s
}

// carryOut takes the steps and measures what came of them.
func (r *benchRun) carryOut(ctx context.Context, dir string, unseen, environ []string) (matrix.Result, error) {
	log, err := os.Create(filepath.Join(dir, "log.txt"))
	if err != nil {
		return r.result, fmt.Errorf("write the log of a run: %w", err)
	}
	defer func() { _ = log.Close() }()
	if environ, err = benchEnviron(environ, dir); err != nil {
		return r.result, err
	}
	r.d = newProgram(filepath.Join(dir, r.Kata), environ, log, log)
	r.d.seed, r.d.own, r.d.unseen = r.Seed, filepath.Join(dir, "own"), unseen
	defer r.d.close()
	r.result = matrix.Result{
		Kata: r.Kata, Model: r.Model, Seed: r.Seed, Inputs: r.Inputs, Program: programVersion(), Walls: sandbox.Containment(ctx),
		Refusals: map[string]int{}, Roles: []matrix.Role{},
	}
	how, err := r.prepare(ctx, dir)
	if err != nil {
		return r.result, err
	}
	stop := r.takeSteps(ctx, how)
	if err := ctx.Err(); err != nil {
		return r.result, err
	}
	r.ended(ctx, stop)
	return r.result, r.measure(ctx)
}

// benchEnviron is the environment without the user's own settings, of git and of
// git-tdd, so that a run is the same for everybody.
func benchEnviron(environ []string, dir string) ([]string, error) {
	var out []string
	for _, kv := range environ {
		if !strings.HasPrefix(kv, "GIT_") {
			out = append(out, kv)
		}
	}
	author := config.Default().Commit
	text := fmt.Sprintf("[user]\n\tname = %s\n\temail = %s\n[init]\n\tdefaultBranch = main\n", author.AuthorName, author.AuthorEmail)
	name := filepath.Join(dir, "gitconfig")
	const readable = 0o644
	if err := os.WriteFile(name, []byte(text), readable); err != nil {
		return nil, fmt.Errorf("write git's settings of a run: %w", err)
	}
	return append(out, "GIT_CONFIG_GLOBAL="+name, "GIT_CONFIG_NOSYSTEM=1"), nil
}

// prepare makes the project, and says who answers.
func (r *benchRun) prepare(ctx context.Context, dir string) (how models, err error) {
	kata := filepath.Join(dir, "kata.md")
	if err := os.WriteFile(kata, r.Material.Text, 0o600); err != nil {
		return how, fmt.Errorf("write the kata: %w", err)
	}
	if r.Material.Replay != nil {
		tape, err := llm.LoadCassette(r.Material.Replay)
		if err != nil {
			return how, &usageError{"the recording of " + r.Model + ": " + err.Error()}
		}
		how.replay = filepath.Join(dir, "replay.json")
		if err := os.WriteFile(how.replay, r.Material.Replay, 0o600); err != nil {
			return how, fmt.Errorf("write the recording: %w", err)
		}
		r.settings.Steps = min(r.settings.Steps, stepsOf(tape))
	}
	return how, r.d.init(ctx, initializing{dir: r.d.dir, language: r.language.Name, kata: kata, adapt: r.adapt, brief: true, unhooked: true})
}

// takeSteps takes the steps, and returns why they ended.
func (r *benchRun) takeSteps(ctx context.Context, how models) (err error) {
	s := &show{p: r.d}
	w, err := r.d.work(ctx, "bench", s.phase)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	l := r.d.loop(ctx, w, how, s, func(to *loop.Listener) {
		told := to.Refused
		to.Refused = func(a loop.Attempt) {
			told(a)
			r.result.Attempts++
			for _, gate := range report.Gates(a.Findings) {
				r.result.Refusals[gate]++
			}
		}
	})
	r.result.Began = time.Now().UTC().Truncate(time.Second)
	start := time.Now()
	done, err := l.Run(ctx, r.settings.Steps)
	r.result.Seconds = time.Since(start).Seconds()
	r.result.Steps, r.result.Attempts = len(done), r.result.Attempts+len(done)
	if s.spending.budget == nil {
		return err
	}
	for _, share := range s.spending.budget.Shares() {
		u := share.Usage
		r.result.Roles = append(r.result.Roles, matrix.Role{
			Name: share.Who, Requests: share.Requests, In: u.Prompt, Cached: u.Cached, Out: u.Completion, Estimated: u.Estimated,
			Cost: u.Cost, Seconds: share.Time.Seconds(),
		})
	}
	return err
}

// ended says why the steps ended.
func (r *benchRun) ended(ctx context.Context, stop error) {
	redact := r.d.redactor(r.settings)
	r.result.Exit = exitCode(ctx, stop)
	switch why, ok := errors.AsType[*loop.StopError](stop); {
	case stop == nil:
		r.result.Reason, r.result.Text = string(loop.Taken), "as many steps as a run may have"
	case ok:
		r.result.Reason, r.result.Text = string(why.Reason), redact(why.Text)
	default:
		r.result.Reason, r.result.Text = "error", redact(stop.Error())
	}
}

// checker measures what became of the run as what a model wrote is measured, whatever its settings say.
func (r *benchRun) checker(fresh check.Fresh, author check.Author) (*check.Checker, error) {
	return r.d.checker(r.d.repo, fresh, nil, by(author), func(o *check.Options) {
		o.Environ = append(slices.Clip(o.Environ), "GIT_TDD_CONTAIN=always")
	})
}
